/*
A sum for each warp: the address is not the same for the whole block, but for each warp.

[lanescope]
grid = 2
block = 64

[buffers]
p = "f32 i:128"
q = "f32 i:4 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    atomicAdd(&q[2 * blockIdx.x + threadIdx.x / 32], p[64 * blockIdx.x + threadIdx.x]);  // finds
}
