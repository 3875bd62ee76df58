/*
Written, a barrier, and read by the path that sees no writes.

[lanescope]
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    p[t] = 2 * t;
    __syncthreads();
    q[t] = __ldg(&p[t ^ 1]);  // finds
}
