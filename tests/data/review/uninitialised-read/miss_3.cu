/*
Only the byte that was written is used.

[lanescope]
block = 64

[buffers]
p = "u8 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const unsigned char *p, unsigned *q)
{
    __shared__ unsigned s[64];
    ((unsigned char *)s)[4 * threadIdx.x + 1] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = ((volatile unsigned *)s)[63 - threadIdx.x] >> 8 & 0xff;
}
