/*
Local transposes of 1-bit data by masks and shifts: s0 with r0, then s4 with r1. 32 elements to a register.

[lanescope]
block = 32

[buffers]
p = "b1 j:4 l:32 i:32"

[buffers.q]
type = "b1"
axes = "j:4 l:32 i:32"
init = "zeros"
expect = "sha256 050b7be07be38b7833f24af087600ace736a982b50a51d7d76fd1c35849f4b3b"
*/
__global__ void __launch_bounds__(32) bit_transpose(const uint *p, uint *q)
{
    uint x0 = p[threadIdx.x];  // lanescope: expect narrow-access
    uint x1 = p[threadIdx.x + 32];
    uint x2 = p[threadIdx.x + 64];
    uint x3 = p[threadIdx.x + 96];

    // x has the following register assignment:
    //   simd:      s4 s3 s2 s1 s0  <->  i4 i3 i2 i1 i0
    //   register:  r1 r0           <->  j1 j0
    //   thread:    t4 t3 t2 t1 t0  <->  l4 l3 l2 l1 l0

    // Local transpose s0 <-> r0: even bits of a pair of registers, then odd ones.
    uint y0 = (x0 & 0x55555555) | ((x1 & 0x55555555) << 1);
    uint y1 = ((x0 >> 1) & 0x55555555) | (x1 & 0xaaaaaaaa);
    uint y2 = (x2 & 0x55555555) | ((x3 & 0x55555555) << 1);
    uint y3 = ((x2 >> 1) & 0x55555555) | (x3 & 0xaaaaaaaa);

    // y has register assignment:
    //   simd:      s4 s3 s2 s1 s0  <->  i4 i3 i2 i1 j0
    //   register:  r1 r0           <->  j1 i0
    //   thread:    t4 t3 t2 t1 t0  <->  l4 l3 l2 l1 l0

    // Local transpose s4 <-> r1: low halves of y0 and y2, then high ones.
    uint z0 = (y0 & 0xffff) | (y2 << 16);
    uint z1 = (y1 & 0xffff) | (y3 << 16);
    uint z2 = (y0 >> 16) | (y2 & 0xffff0000);
    uint z3 = (y1 >> 16) | (y3 & 0xffff0000);

    // z has register assignment:
    //   simd:      s4 s3 s2 s1 s0  <->  j1 i3 i2 i1 j0
    //   register:  r1 r0           <->  i4 i0
    //   thread:    t4 t3 t2 t1 t0  <->  l4 l3 l2 l1 l0

    q[threadIdx.x] = z0;
    q[threadIdx.x + 32] = z1;
    q[threadIdx.x + 64] = z2;
    q[threadIdx.x + 96] = z3;
}
