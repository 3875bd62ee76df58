/*
ptxas reduces integers of 32 bits in the warp, and one lane executes the atomic.

[lanescope]
grid = 2
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:3 = zeros"
*/
__global__ void __launch_bounds__(64) k(const int *p, int *q)
{
    const int x = p[64 * blockIdx.x + threadIdx.x];
    atomicAdd(q, x);  // near
    atomicMax(q + 1, x);
    atomicAdd(q + 2, 1);
}
