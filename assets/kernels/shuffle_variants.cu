/*
The four shuffles of a warp, each into a row of q. __shfl_sync reads from the lane that its argument names, any
permutation or broadcast (here the lane's number backwards); __shfl_xor_sync from the lane that differs in bits of its
number, so that lanes exchange their values in pairs; __shfl_up_sync and __shfl_down_sync from a lane further down or
up, where lanes without such a neighbour keep their own value. The first two rearrange the array bit by bit, and an
assignment says how. The other two do not: as the ends keep theirs, no assignment exists after them.

[lanescope]
block = 32

[buffers]
p = "u32 i:32"

[buffers.q]
type = "u32"
axes = "v:4 i:32"
init = "zeros"
expect = "sha256 1a29d5d0d095ad1e8d5494fa33bb72213163c380a0cc83b814f0bd4031f3eb2b"
*/
__global__ void __launch_bounds__(32) shuffle_variants(const uint *p, uint *q)
{
    uint lane = threadIdx.x, x = p[lane];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    uint backwards = __shfl_sync(0xffffffff, x, __brev(lane) >> 27);

    // backwards has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i0 i1 i2 i3 i4

    uint paired = __shfl_xor_sync(0xffffffff, x, 5);

    // paired has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 ~i2 i1 ~i0

    uint up = __shfl_up_sync(0xffffffff, x, 1);
    uint down = __shfl_down_sync(0xffffffff, x, 4);

    // lanescope: expect narrow-access (four rows, one below the other)
    q[lane] = backwards;
    q[32 + lane] = paired;
    q[64 + lane] = up;
    q[96 + lane] = down;
}
