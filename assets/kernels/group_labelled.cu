/*
A warp divided by a label: lanes with the same label form a group, wherever they are. Each group sums its elements by
its own reduction, all in the same instructions; its lane of rank 0 adds the sum to the total of its label. match_any
finds the same lanes without a group; group_coalesced groups by branch.

[lanescope]
grid = 2
block = 64

[buffers]
p = "u32 i:128"

[buffers.q]
type = "u32"
axes = "label:5"
init = "zeros"
expect = "sha256 f0c54b6ad7591a14af3e450c73305ce1275454450f3f2de7b3c6d1c0b7a3adef"
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(64) group_labelled(const uint *p, uint *q)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    uint x = p[64 * blockIdx.x + threadIdx.x], label = x % 7 % 5;

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    // label has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    auto group = cg::labeled_partition(warp, label);
    uint sum = cg::reduce(group, x, cg::plus<uint>());
    if (group.thread_rank() == 0) atomicAdd(&q[label], sum);
}
