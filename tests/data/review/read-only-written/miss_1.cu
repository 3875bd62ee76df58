/*
Another array is written.

[lanescope]
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    q[t] = __ldg(&p[t]);  // near
}
