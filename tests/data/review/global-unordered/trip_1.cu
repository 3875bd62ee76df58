/*
A block reads what another one writes.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[32 * blockIdx.x + threadIdx.x] = p[32 * blockIdx.x + threadIdx.x];
    q[64 + 32 * blockIdx.x + threadIdx.x] = q[32 * (1 - blockIdx.x) + threadIdx.x];  // finds
}
