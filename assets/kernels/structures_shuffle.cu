/*
The structures of structures_direct by a transpose in registers. A warp reads its 224 words in seven loads that fill
entire lines, 112 sectors in all: register r of lane s holds word 32 r + s. Lane t needs word 7 t + c as its register
c. In round c it reads lane (7 t + c) mod 32; as 7 is odd, no two lanes read the same one, and seven shuffles are enough.
In round c a lane sends the register that its reader needs: the reader is 23 (s - c) mod 32, because 7 times 23
is 1 modulo 32. A register has no address, so the choice among seven is made by six selections. structures_shared does
the same through shared memory.

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
__global__ void __launch_bounds__(64) structures_shuffle(const uint *p, uint *q)
{
    uint lane = threadIdx.x % 32, first = 7 * (64 * blockIdx.x + threadIdx.x - lane);
    uint in[7], x[7];

    // lanescope: expect narrow-access (wider loads would not give a lane its structure either)
    for (uint r = 0; r < 7; r++) in[r] = p[first + 32 * r + lane];

    for (uint c = 0; c < 7; c++) {
        uint asker = 23 * (lane - c) % 32, wanted = (7 * asker + c) / 32;
        uint low = wanted & 1 ? in[1] : in[0], middle = wanted & 1 ? in[3] : in[2], high = wanted & 1 ? in[5] : in[4];
        uint lower = wanted & 2 ? middle : low, upper = wanted & 2 ? in[6] : high;
        x[c] = __shfl_sync(0xffffffff, wanted & 4 ? upper : lower, 7 * lane + c);
    }

    // x has the following register assignment:
    //   register:  r2 r1 r0        <->  c2 c1 c0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    uint digest = 0;
    for (uint c = 0; c < 7; c++) digest = 31 * digest + x[c];
    q[64 * blockIdx.x + threadIdx.x] = digest;
}
