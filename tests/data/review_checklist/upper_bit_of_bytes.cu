/* The same with the other bit.
[lanescope]
block = 32
[buffers]
p = "s8 n:256"
q = "s8 n:256 = zeros"
*/
__global__ void __launch_bounds__(32) deal_halves(const signed char *p, signed char *q)
{
    uint2 in = ((const uint2 *)p)[threadIdx.x];
    unsigned lo = __byte_perm(in.x, in.y, 0x5410);
    unsigned hi = __byte_perm(in.x, in.y, 0x7632);
    // registers: lo hi
    //   simd:      s1 s0           <->  n2 n0
    //   register:  r0              <->  n1
    //   thread:    t4 t3 t2 t1 t0  <->  n7 n6 n5 n4 n3
    ((uint2 *)q)[threadIdx.x] = make_uint2(lo, hi);
}
