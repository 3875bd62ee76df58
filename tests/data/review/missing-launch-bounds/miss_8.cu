/*
Bounds at another declaration.

[lanescope]
grid = 1
block = 64
kernel = "k"

[buffers]
p = "f32 i:64"
q = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q);
__global__ void __launch_bounds__(64) other(const float *p, float *q);

__global__ void k(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}

__global__ void other(const float *p, float *q)
{
    q[threadIdx.x] = 2.0f * p[threadIdx.x];
}
