/*
[lanescope]
block = [32, 4]

[buffers]
src = "u16 i:16 j:64"
dst = "u16 i:16 j:64 = zeros"
*/
__global__ void __launch_bounds__(128) no_comments(const unsigned *src, unsigned *dst)
{
    const unsigned lane = threadIdx.x, base = 128 * threadIdx.y + lane;  // lanescope: expect narrow-access
    unsigned a0 = src[base], a1 = src[base + 32], a2 = src[base + 64], a3 = src[base + 96];

    unsigned b0 = __byte_perm(a0, a1, 0x5410), b1 = __byte_perm(a0, a1, 0x7632);
    unsigned b2 = __byte_perm(a2, a3, 0x5410), b3 = __byte_perm(a2, a3, 0x7632);

    const bool upper = lane & 16;
    unsigned t = __shfl_xor_sync(0xffffffff, upper ? b0 : b2, 16);
    if (upper) b0 = t; else b2 = t;
    t = __shfl_xor_sync(0xffffffff, upper ? b1 : b3, 16);
    if (upper) b1 = t; else b3 = t;

    dst[base] = b0;
    dst[base + 32] = b1;
    dst[base + 64] = b2;
    dst[base + 96] = b3;
}
