/*
Bytes one by one.

[lanescope]
block = 32

[buffers]
p = "u8 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned char *p, unsigned *q)
{
    unsigned i = 4 * threadIdx.x;
    unsigned x = p[i] + 3u * p[i + 1] + 5u * p[i + 2] + 7u * p[i + 3];  // finds
    q[threadIdx.x] = x;
}
