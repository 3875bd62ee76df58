/*
Halves of a word: the same ones.

[lanescope]
block = 64

[buffers]
p = "u16 i:128"
q = "u16 i:128 = zeros"
*/
__global__ void __launch_bounds__(64) k(unsigned short *p, unsigned short *q)
{
    const unsigned t = threadIdx.x;
    q[t] = __ldg(&p[2 * t]);  // finds
    p[2 * t] = 3;
}
