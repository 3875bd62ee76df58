/*
Structures of seven words, one a lane, read as they lie: each of the seven loads has its lanes 28 bytes apart and
requests 28 sectors, where four would do: 784 sectors in all. structures_shuffle and structures_shared read the same
words in order and bring them to the lanes that need them, through registers and through shared memory. Each lane writes
a digest of its structure.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128 c:7"

[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 0370923bd2313c24f4da4bd4cb5f13bd11a11b69c9eb6f5d7cad74fc68b66ea7"
*/
struct Structure {
    uint word[7];
};

__global__ void __launch_bounds__(64) structures_direct(const Structure *p, uint *q)
{
    uint i = 64 * blockIdx.x + threadIdx.x;
    uint x[7];

    // lanescope: expect partial-lines
    for (uint c = 0; c < 7; c++) x[c] = p[i].word[c];

    // x has the following register assignment:
    //   register:  r2 r1 r0        <->  c2 c1 c0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    uint digest = 0;
    for (uint c = 0; c < 7; c++) digest = 31 * digest + x[c];
    q[i] = digest;
}
