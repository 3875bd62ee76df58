/*
Sums over tiles of 64 threads: two warps each, which meet in memory that the block gives to its group.

[lanescope]
block = 128
[buffers]
p = "u32 i:128"
[buffers.q]
type = "u32"
axes = "i:128"
init = "zeros"
expect = "sha256 8ddb574768eca071afe81e86fd56679d219755ac4d24186f2979f6a0396e640b"
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(128) tiles_of_64(const unsigned *p, unsigned *q)
{
    __shared__ cg::block_tile_memory<128> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    cg::thread_block_tile<64> tile = cg::tiled_partition<64>(block);
    unsigned sum = cg::reduce(tile, p[threadIdx.x], cg::plus<unsigned>());
    q[threadIdx.x] = sum * 1000 + tile.thread_rank();
}
