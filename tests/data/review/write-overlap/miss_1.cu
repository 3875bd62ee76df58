/*
Every element once.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[64 * blockIdx.x + threadIdx.x] = p[64 * blockIdx.x + threadIdx.x];
}
