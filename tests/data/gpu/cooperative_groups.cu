/* Groups of every kind: tiles of a part of a warp, labelled and binary partitions, threads that came together, and tiles of
several warps, which use reserved shared memory. Row r of y is what each thread gets from the r-th question.
[lanescope]
grid = 1
block = 256
args = ["x", "y"]
[buffers]
x = { type = "u32", axes = "t:256", init = "random" }
y = { type = "u32", axes = "r:32 t:256", init = "zeros" }
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void groups(const unsigned* x, unsigned* y) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned t = threadIdx.x, v = x[t] >> 3;
  const auto put = [&](unsigned row, unsigned value) { y[256 * row + t] = value; };

  const auto tile = cg::tiled_partition<8>(block);
  put(0, tile.shfl_xor(v, 3));
  put(1, tile.ballot(v & 1));
  put(2, cg::reduce(tile, v, cg::plus<unsigned>()));
  put(3, tile.match_any(v % 3));
  put(4, tile.any(v % 11 == 0) * 2 + tile.all(v % 11 != 0));
  put(5, tile.meta_group_rank() * 100 + tile.meta_group_size());

  const auto warp = cg::tiled_partition<32>(block);
  const auto labelled = cg::labeled_partition(warp, v % 5);
  put(6, labelled.size() * 100 + labelled.thread_rank());
  put(7, cg::reduce(labelled, v, cg::plus<unsigned>()));
  put(8, labelled.shfl(v, 0));
  put(9, labelled.ballot(v & 2));
  const auto halves = cg::binary_partition(warp, (v & 1) != 0);
  put(10, halves.size() * 100 + halves.thread_rank());
  put(11, cg::reduce(halves, v, cg::greater<unsigned>()));
  put(12, halves.shfl_down(v, 1));
  if ((v & 4) != 0) {
    const auto here = cg::coalesced_threads();
    put(13, here.size() * 100 + here.thread_rank());
    put(14, cg::reduce(here, v, cg::bit_xor<unsigned>()));
    const auto deeper = cg::labeled_partition(here, v % 3);
    put(15, cg::reduce(deeper, v, cg::less<unsigned>()));
  } else {
    const auto here = cg::coalesced_threads();
    put(13, here.size() * 100 + here.thread_rank());
    put(14, here.any(v % 7 == 0));
  }

  const auto wide = cg::tiled_partition<64>(block);
  put(16, wide.meta_group_rank() * 10000 + wide.meta_group_size() * 100 + wide.thread_rank());
  put(17, wide.shfl(v, 37));
  put(18, cg::reduce(wide, v, cg::plus<unsigned>()));
  put(19, wide.any(v % 97 == 0) * 2 + wide.all(v % 97 != 0));
  __shared__ unsigned shared[256];
  shared[t] = v;
  wide.sync();
  put(20, shared[(t & ~63u) | (63 - (t & 63))]);
  const auto widest = cg::tiled_partition<128>(block);
  put(21, cg::reduce(widest, v, cg::greater<unsigned>()));
  put(22, widest.shfl(v, 101));
  block.sync();
  put(23, shared[255 - t]);
}
