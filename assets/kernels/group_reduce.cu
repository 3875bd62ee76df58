/*
One function that sums over any group of threads, with the group as its argument: once over the block, once over each
tile of 32. A call shows that it synchronises, since its caller must have a group to pass. It
uses shared memory, as a generic group has no shuffles; group_tiles has them, because a tile's size is a
constant.

[lanescope]
block = 128

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "n:5"
init = "zeros"
expect = "sha256 ce50ded78d3f25613760271b5b5299d99955679261bfc197d7241fe4bd6e926d"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

/// The sum of `value` over the group, in the thread of rank 0.
__device__ uint sum(const cg::thread_group &group, uint *sums, uint value)
{
    uint rank = group.thread_rank();
    // lanescope: expect divergence (half of the group rests, then a quarter more)
    for (uint half = group.size() / 2; half > 0; half /= 2) {
        sums[rank] = value;
        group.sync();
        if (rank < half) value += sums[rank + half];
        group.sync();
    }
    return value;
}

__global__ void __launch_bounds__(128) group_reduce(const uint *p, uint *q)
{
    __shared__ uint sums[128];
    cg::thread_block block = cg::this_thread_block();
    uint x = p[block.thread_rank()], warp = block.thread_rank() / 32;

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5

    uint of_block = sum(block, sums, x);
    if (block.thread_rank() == 0) q[0] = of_block;

    cg::thread_group tile = cg::tiled_partition(block, 32);
    uint of_tile = sum(tile, &sums[32 * warp], x);
    if (tile.thread_rank() == 0) q[1 + warp] = of_tile;
}
