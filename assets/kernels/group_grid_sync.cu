/*
A barrier over the grid: blocks write their sums, all blocks wait, and then every block reads the sums of all others.
In one launch, all blocks must be resident at the same time, hence a cooperative launch and a grid that fits. Without
the barrier this would be two launches, as in blur_twice.

[lanescope]
grid = 4
block = 64

[buffers]
p = "u32 i:256"

[buffers.sums]
type = "u32"
axes = "b:4"
init = "zeros"
expect = "sha256 11283f718798ecbd5b7a5efbdbbee486450d30ceecfb90fcf4af4cb9d64dc581"

[buffers.q]
type = "u32"
axes = "i:256"
init = "zeros"
expect = "sha256 4c942b89da378fb7d135cec3f869841a5bcef43843b2c7423fc07f2084ced414"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(64) group_grid_sync(const uint *p, uint *sums, uint *q)
{
    cg::grid_group grid = cg::this_grid();
    uint i = grid.thread_rank(), x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b1 b0           <->  i7 i6

    atomicAdd(&sums[blockIdx.x], x);
    // lanescope: expect divergence (one thread of a block waits for all blocks)
    grid.sync();

    uint below = 0;
    for (uint b = 0; b < blockIdx.x; b++) below += sums[b];
    q[i] = x + below;
}
