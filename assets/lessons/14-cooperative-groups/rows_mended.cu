/*
The sum over a group of threads, here a block of 128.

[lanescope]
block = 128

[buffers]
p = "u32 i:128"
q = { type = "u32", axes = "n:1", init = "zeros", expect = [8128] }
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ uint sum(const cg::thread_group &group, uint *sums, uint value)
{
    uint rank = group.thread_rank();
    for (uint half = group.size() / 2; half > 0; half /= 2) {
        sums[rank] = value;
        group.sync();
        if (rank < half) value += sums[rank + half];
        group.sync();
    }
    return value;
}

__global__ void __launch_bounds__(128) rows(const uint *p, uint *q)
{
    __shared__ uint sums[128];
    cg::thread_block block = cg::this_thread_block();

    uint of_block = sum(block, sums, p[block.thread_rank()]);
    if (block.thread_rank() == 0) q[0] = of_block;
}
