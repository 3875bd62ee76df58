/*
Sums of 32 threads by the library: cooperative_groups::reduce() over a tile of a warp.

[lanescope]
block = 64

[buffers]
p = "u32 i:64 = iota"
q = { type = "u32", axes = "warp:2", init = "zeros", expect = [496, 1520] }
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(64) sum_of_tiles(const unsigned *p, unsigned *q)
{
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned sum = cg::reduce(tile, p[threadIdx.x], cg::plus<unsigned>());
    if (tile.thread_rank() == 0) q[threadIdx.x / 32] = sum;
}
