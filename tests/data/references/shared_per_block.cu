/*
Shared memory of one block is not that of another: block 0 stores to its own, block 1 reads the same words of its own, which
nobody wrote.

[lanescope]
grid = 2
block = 32

[buffers]
q = "u32 block:2 = zeros"
*/
__global__ void __launch_bounds__(32) shared_per_block(unsigned *q)
{
    __shared__ unsigned s[32];
    if (blockIdx.x == 0) s[threadIdx.x] = 7;
    __syncthreads();
    if (threadIdx.x == 0) q[blockIdx.x] = s[31];
}
