/*
The structures of structures_direct through shared memory. A warp reads its 224 words in seven loads that fill entire
lines, stores them in that order and reads each structure from there. Lanes lie 7 words apart, and as 7 is odd, they
are in 32 different banks: no conflicts. structures_shuffle needs neither the 28 bytes of shared memory a thread nor
the barrier.

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
__global__ void __launch_bounds__(64) structures_shared(const uint *p, uint *q)
{
    __shared__ uint words[2][224];
    uint lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = 7 * (64 * blockIdx.x + 32 * warp);
    uint in[7], x[7];

    // lanescope: expect narrow-access (wider loads would not give a lane its structure either)
    for (uint r = 0; r < 7; r++) in[r] = p[first + 32 * r + lane];
    for (uint r = 0; r < 7; r++) words[warp][32 * r + lane] = in[r];
    __syncwarp();
    for (uint c = 0; c < 7; c++) x[c] = words[warp][7 * lane + c];

    // x has the following register assignment:
    //   register:  r2 r1 r0        <->  c2 c1 c0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    uint digest = 0;
    for (uint c = 0; c < 7; c++) digest = 31 * digest + x[c];
    q[64 * blockIdx.x + threadIdx.x] = digest;
}
