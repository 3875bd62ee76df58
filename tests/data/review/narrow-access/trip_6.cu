/*
Halves, two of each thread.

[lanescope]
block = 32

[buffers]
p = "u16 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned short *p, unsigned *q)
{
    unsigned i = 2 * threadIdx.x;
    unsigned x = p[i] + 3u * p[i + 1];  // finds
    q[threadIdx.x] = x;
}
