/*
The lanes that took a branch together form a group, with ranks from 0 on: here those whose element is even modulo 5,
which pack their elements side by side, with one atomic for the whole group. The leader is rank 0, whichever lane that
is, and shuffles of the group translate ranks to lanes. group_labelled makes groups by value instead of by branch,
group_tiles of lanes that lie side by side.

[lanescope]
block = 64

[buffers]
p = "u32 i:64"
used = { type = "u32", axes = "n:2", init = "zeros", traced = false }

[buffers.q]
type = "u32"
axes = "w:2 n:32"
init = "zeros"
expect = "sha256 d3f9cbc321d2c06e95e615d0de550c273f44808ce9b28c00143c3d92f8a47c6d"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(64) group_coalesced(const uint *p, uint *q, uint *used)
{
    uint x = p[threadIdx.x], warp = threadIdx.x / 32;

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5

    // lanescope: expect divergence (the other lanes, then all but the leader)
    if (x % 5 % 2 == 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        uint first = 0;
        if (group.thread_rank() == 0) first = atomicAdd(&used[warp], group.size());
        first = group.shfl(first, 0);
        q[32 * warp + first + group.thread_rank()] = x;
    }
}
