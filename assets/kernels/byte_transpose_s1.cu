/*
A local transpose of 8-bit data: __byte_perm exchanges s1 (which half of the register) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u8 k:32 i:8"

[buffers.q]
type = "u8"
axes = "k:32 i:8"
init = "zeros"
expect = "sha256 de60af32f43e347ecff3f3c992feef774d88e5263752535150401b4a5e9c1d51"
*/
__global__ void __launch_bounds__(32) byte_transpose_s1(const uint *p, uint *q)
{
    const uint2 x = ((const uint2 *)p)[threadIdx.x];

    // x has the following register assignment:
    //   simd:      s1 s0           <->  i1 i0
    //   register:  r0              <->  i2
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    // Local transpose s1 <-> r0: each nibble of the selector names the byte that moves to the same place of the result,
    // 0 to 3 in x.x and 4 to 7 in x.y.
    uint y0 = __byte_perm(x.x, x.y, 0x5410);
    uint y1 = __byte_perm(x.x, x.y, 0x7632);

    // y has register assignment:
    //   simd:      s1 s0           <->  i2 i0
    //   register:  r0              <->  i1
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    ((uint2 *)q)[threadIdx.x] = make_uint2(y0, y1);
}
