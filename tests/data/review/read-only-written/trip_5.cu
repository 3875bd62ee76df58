/*
An atomic writes, too.

[lanescope]
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    atomicAdd(&p[0], 1);
    __syncthreads();
    q[t] = __ldg(&p[0]);  // finds
}
