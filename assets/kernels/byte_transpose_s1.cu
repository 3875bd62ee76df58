/*
A local transpose of 8-bit data: __byte_perm exchanges s1 (which half of the register) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u8 k:32 i:8"
q = "u8 k:32 i:8 = zeros"
*/
__global__ void __launch_bounds__(32) byte_transpose_s1(const uint *p, uint *q)
{
    const uint2 v = ((const uint2 *)p)[threadIdx.x];
    uint x0 = v.x;
    uint x1 = v.y;

    uint y0 = __byte_perm(x0, x1, 0x5410);
    uint y1 = __byte_perm(x0, x1, 0x7632);

    ((uint2 *)q)[threadIdx.x] = make_uint2(y0, y1);
}
