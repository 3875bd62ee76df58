// A 32 x 32 matrix of bits, turned within a warp.
__device__ __forceinline__ unsigned turned_bits(unsigned val, unsigned lane) {
  // val has register assignment:
  //   simd:   s4 s3 s2 s1 s0 <-> i4 i3 i2 i1 i0
  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0
  unsigned mask = 0x0000ffffu;
  for (int width = 16; width > 0; width /= 2) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, val, width);
    val = (lane & width) ? (val & ~mask) | (other >> width & mask) : (val & mask) | ((other & mask) << width);
    mask ^= mask << (width / 2);
  }
  // val has register assignment:
  //   simd:   s4 s3 s2 s1 s0 <-> j4 j3 j2 j1 j0
  //   thread: t4 t3 t2 t1 t0 <-> i4 i3 i2 i1 i0
  return val;
}
