/*
Bounds in a macro, of a kernel that is not launched, too.

[lanescope]
grid = 1
block = 64
kernel = "k"

[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
#define BOUNDS __launch_bounds__(64)
__global__ void BOUNDS k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}

__global__ void BOUNDS other(const float *p, float *q)
{
    q[threadIdx.x] = 2.0f * p[threadIdx.x];
}
