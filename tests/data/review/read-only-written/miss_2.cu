/*
The other half of the array is written.

[lanescope]
block = 64

[buffers]
p = "s32 i:128"
q = "s32 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(int *p, int *q)
{
    const unsigned t = threadIdx.x;
    p[t + 64] = __ldg(&p[t]);  // near
    q[t] = 1;
}
