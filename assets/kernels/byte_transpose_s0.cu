/*
A local transpose of 8-bit data: __byte_perm exchanges s0 (which byte of a pair) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u8 k:32 i:8"

[buffers.q]
type = "u8"
axes = "k:32 i:8"
init = "zeros"
expect = "sha256 c64c35fbb794fb44ea8f70d135b503b360a3692d0d022ac660075835686109fa"
*/
__global__ void __launch_bounds__(32) byte_transpose_s0(const uint *p, uint *q)
{
    const uint2 x = ((const uint2 *)p)[threadIdx.x];

    // x has the following register assignment:
    //   simd:      s1 s0           <->  i1 i0
    //   register:  r0              <->  i2
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    // Local transpose s0 <-> r0: each nibble of the selector names the byte that moves to the same place of the result,
    // 0 to 3 in x.x and 4 to 7 in x.y.
    uint y0 = __byte_perm(x.x, x.y, 0x6240);
    uint y1 = __byte_perm(x.x, x.y, 0x7351);

    // y has register assignment:
    //   simd:      s1 s0           <->  i1 i2
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0

    ((uint2 *)q)[threadIdx.x] = make_uint2(y0, y1);
}
