/*
What one block writes another one reads, in two places of a table.

[lanescope]
grid = 2
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    if (blockIdx.x == 0) p[t] = 1;
    if (blockIdx.x == 1) q[t] = __ldg(&p[t]);  // finds
}
