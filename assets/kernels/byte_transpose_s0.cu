/*
A local transpose of 8-bit data: __byte_perm exchanges s0 (which byte of a pair) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u8 k:32 i:8"
q = "u8 k:32 i:8 = zeros"
*/
__global__ void __launch_bounds__(32) byte_transpose_s0(const uint *p, uint *q)
{
    const uint2 v = ((const uint2 *)p)[threadIdx.x];
    uint x0 = v.x;
    uint x1 = v.y;

    uint y0 = __byte_perm(x0, x1, 0x6240);
    uint y1 = __byte_perm(x0, x1, 0x7351);

    ((uint2 *)q)[threadIdx.x] = make_uint2(y0, y1);
}
