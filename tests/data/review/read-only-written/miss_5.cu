/*
Halves of a word: one is read, the other written.

[lanescope]
block = 32

[buffers]
p = "u16 i:128"
q = "u16 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(unsigned short *p, unsigned short *q)
{
    const unsigned t = threadIdx.x;
    q[t] = __ldg(&p[2 * t]);  // near
    p[2 * t + 1] = 3;
}
