/*
Sums over tiles of 32, 16 and 4 threads. A tile whose size is a template argument has shuffles, and the compiler unrolls
the loop by its size: five, four and two steps, no shared memory and no barrier. Tiles of a warp have different
masks, and a shuffle is executed once for each: 58 shuffles in the two warps, where 22 are written. Every thread has
two numbers, its lane in the warp and its rank in the tile, and shuffles of a tile count in ranks. group_reduce does it
for a group of any size; group_coalesced and group_labelled make groups of lanes that do not lie side by side.

[lanescope]
block = 64

[buffers]
p = "u32 i:64"

[buffers.q]
type = "u32"
axes = "tile:3 i:64"
init = "zeros"
expect = "sha256 25763f4f9d05f353536117716ce48c7bfb57ff96d366bee81a4bb79114b65d60"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <uint threads>
__device__ uint sum(const cg::thread_block_tile<threads> &tile, uint value)
{
    for (uint distance = threads / 2; distance > 0; distance /= 2) value += tile.shfl_xor(value, distance);
    return value;
}

__global__ void __launch_bounds__(64) group_tiles(const uint *p, uint *q)
{
    cg::thread_block block = cg::this_thread_block();
    uint i = block.thread_rank(), x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5

    q[i] = sum<32>(cg::tiled_partition<32>(block), x);
    q[64 + i] = sum<16>(cg::tiled_partition<16>(block), x);
    q[128 + i] = sum<4>(cg::tiled_partition<4>(block), x);
}
