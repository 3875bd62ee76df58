/*
A local transpose of 4-bit data by masks and shifts: s0 (which nibble of a byte) with r0 (which register).

[lanescope]
block = 32

[buffers]
p = "u4 i:16 k:32"

[buffers.q]
type = "u4"
axes = "i:16 k:32"
init = "zeros"
expect = "sha256 3fa6ddd2de4726da7da88abd34b3b614fac69511bca826aa825cd24d52a02f3c"
*/
__global__ void __launch_bounds__(32) nibble_transpose(const uint *p, uint *q)
{
    uint x0 = p[threadIdx.x];  // lanescope: expect narrow-access
    uint x1 = p[threadIdx.x + 32];

    // x has the following register assignment:
    //   simd:      s2 s1 s0        <->  k2 k1 k0
    //   register:  r0              <->  i3
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k4 k3

    // Local transpose s0 <-> r0: even nibbles of both registers, then odd ones.
    uint y0 = (x0 & 0x0f0f0f0f) | ((x1 & 0x0f0f0f0f) << 4);
    uint y1 = ((x0 & 0xf0f0f0f0) >> 4) | (x1 & 0xf0f0f0f0);

    // y has register assignment:
    //   simd:      s2 s1 s0        <->  k2 k1 i3
    //   register:  r0              <->  k0
    //   thread:    t4 t3 t2 t1 t0  <->  i2 i1 i0 k4 k3

    q[threadIdx.x] = y0;
    q[threadIdx.x + 32] = y1;
}
