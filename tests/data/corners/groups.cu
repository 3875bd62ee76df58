/*
Cooperative groups of every kind, also in divergent code.

[lanescope]
[[launch]]
kernel = "tiles"
block = 32
args = ["tiles"]
[[launch]]
kernel = "tile_of_one"
block = 32
args = ["tile_of_one"]
[[launch]]
kernel = "runtime_tiles"
block = 32
args = ["runtime_tiles"]
[[launch]]
kernel = "coalesced"
block = 32
args = ["coalesced"]
[[launch]]
kernel = "coalesced_in_both_sides"
block = 32
args = ["coalesced_in_both_sides"]
[[launch]]
kernel = "labeled"
block = 32
args = ["labeled"]
[[launch]]
kernel = "binary"
block = 32
args = ["binary"]
[[launch]]
kernel = "reductions_of_tiles"
block = 32
args = ["reductions_of_tiles"]
[[launch]]
kernel = "scans"
block = 32
args = ["scans"]
[[launch]]
kernel = "tiles_of_64"
block = 128
args = ["tiles_of_64"]
[[launch]]
kernel = "invoked_by_one"
block = 32
args = ["invoked_by_one"]
[[launch]]
kernel = "group_copies"
block = 64
args = ["group_copies"]
[[launch]]
kernel = "block_of_threads"
grid = 2
block = [4, 8, 3]
args = ["block_of_threads"]
[[launch]]
kernel = "tile_in_a_branch"
block = 32
args = ["tile_in_a_branch"]
[[launch]]
kernel = "barrier_of_a_block"
block = 64
args = ["barrier_of_a_block"]

[buffers]
tiles = "u32 n:256 = zeros"
tile_of_one = "u32 n:32 = zeros"
runtime_tiles = "u32 n:32 = zeros"
coalesced = "u32 n:96 = zeros"
coalesced_in_both_sides = "u32 n:96 = zeros"
labeled = "u32 n:64 = zeros"
binary = "u32 n:64 = zeros"
reductions_of_tiles = "u32 n:160 = zeros"
scans = "u32 n:128 = zeros"
tiles_of_64 = "u32 n:256 = zeros"
invoked_by_one = "u32 n:33 = zeros"
group_copies = "u32 n:64 = zeros"
block_of_threads = "u32 n:96 = zeros"
tile_in_a_branch = "u32 n:32 = zeros"
barrier_of_a_block = "u32 n:64 = zeros"
*/
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "corners.cuh"
namespace cg = cooperative_groups;

/// Shuffles and votes of tiles of 4, 8 and 16 threads.
__global__ void tiles(u32 *out) {
  const u32 t = threadIdx.x;
  const auto block = cg::this_thread_block();
  const auto a = cg::tiled_partition<4>(block);
  const auto b = cg::tiled_partition<8>(block);
  const auto c = cg::tiled_partition<16>(block);
  out[t] = a.shfl(t, 2) + 100 * a.meta_group_rank(), out[32 + t] = b.shfl_up(t, 3), out[64 + t] = c.shfl_down(t * 3, 5), out[96 + t] = b.shfl_xor(t, 6);
  out[128 + t] = a.ballot(t % 3 == 0), out[160 + t] = b.any(t == 9) + 2 * b.all(t < 16), out[192 + t] = c.match_any(t % 5), out[224 + t] = a.thread_rank() + 10 * a.meta_group_size();
}

__global__ void tile_of_one(u32 *out) {
  const u32 t = threadIdx.x;
  const auto one = cg::tiled_partition<1>(cg::this_thread_block());
  out[t] = one.shfl(t, 0) + one.size() * 100 + one.meta_group_rank();
}

__global__ void runtime_tiles(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::tiled_partition(cg::this_thread_block(), 8u);
  out[t] = g.thread_rank() + 100 * g.size();
  g.sync();
}

/// Groups of the lanes of a branch.
__global__ void coalesced(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = 0;
  if (t % 3 == 1) {
    const auto g = cg::coalesced_threads();
    out[t] = g.thread_rank() + 100 * g.size(), out[32 + t] = g.shfl(t, 2) + g.shfl_down(t, 1), out[64 + t] = g.ballot(t > 15);
  }
}

__global__ void coalesced_in_both_sides(u32 *out) {
  const u32 t = threadIdx.x;
  if (t < 11) {
    const auto g = cg::coalesced_threads();
    out[t] = cg::reduce(g, t, cg::plus<u32>()), out[32 + t] = g.shfl_up(t, 1), out[64 + t] = g.match_any(t % 2);
  } else {
    const auto g = cg::coalesced_threads();
    out[t] = cg::reduce(g, t, cg::greater<u32>()), out[32 + t] = g.size() * 3, out[64 + t] = g.any(t == 31);
  }
}

__global__ void labeled(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::labeled_partition(cg::coalesced_threads(), t * 7 % 5);
  out[t] = g.thread_rank() * 100 + g.size(), out[32 + t] = cg::reduce(g, t, cg::plus<u32>());
}

__global__ void binary(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), t * t % 3 == 1);
  out[t] = g.thread_rank() * 100 + g.size(), out[32 + t] = g.shfl(t, 0);
}

__global__ void reductions_of_tiles(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::tiled_partition<16>(cg::this_thread_block());
  const int v = static_cast<int>(t * 2654435761u);
  out[t] = cg::reduce(g, v, cg::less<int>()), out[32 + t] = cg::reduce(g, v, cg::bit_xor<int>()), out[64 + t] = __float_as_uint(cg::reduce(g, t * 0.1f, cg::plus<float>()));
  const auto w = cg::tiled_partition<32>(cg::this_thread_block());
  out[96 + t] = cg::reduce(w, v, cg::bit_and<int>()), out[128 + t] = static_cast<u32>(cg::reduce(w, static_cast<long long>(v), cg::plus<long long>()) >> 3);
}

__global__ void scans(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::tiled_partition<16>(cg::this_thread_block());
  out[t] = cg::inclusive_scan(g, t, cg::plus<u32>()), out[32 + t] = cg::exclusive_scan(g, t * 3, cg::plus<u32>()), out[64 + t] = cg::inclusive_scan(g, t * 7 % 11, cg::greater<u32>());
  if (t % 4 < 3) out[96 + t] = cg::exclusive_scan(cg::coalesced_threads(), t, cg::plus<u32>());
}

/// Tiles of several warps.
__global__ void tiles_of_64(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto g = cg::tiled_partition<64>(block);
  out[t] = cg::reduce(g, t, cg::plus<u32>()) + g.meta_group_rank(), out[128 + t] = g.shfl(t, 40) + g.any(t == 100) + 2 * g.all(t < 64);
}

__global__ void invoked_by_one(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::tiled_partition<8>(cg::this_thread_block());
  const u32 v = cg::invoke_one_broadcast(g, [&] { return atomicAdd(&out[32], 1) * 0 + g.meta_group_rank() + 5; });
  out[t] = v;
}

__global__ void group_copies(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  const auto block = cg::this_thread_block();
  out[t] = t + 9;
  block.sync();
  cg::memcpy_async(block, s, out, sizeof(u32) * 64);
  cg::wait(block);
  out[t] = s[63 - t] * 2;
}

__global__ void block_of_threads(u32 *out) {
  const auto b = cg::this_thread_block();
  const u32 n = b.thread_rank();
  if (blockIdx.x == 1) out[n] = b.thread_index().z * 100 + b.group_index().x * 1000 + b.num_threads() + b.dim_threads().y;
}

/// A tile is whole where its branch is taken by whole tiles.
__global__ void tile_in_a_branch(u32 *out) {
  const u32 t = threadIdx.x;
  const auto g = cg::tiled_partition<8>(cg::this_thread_block());
  if (t / 8 % 2) out[t] = g.shfl_xor(t, 1) + cg::reduce(g, t, cg::plus<u32>()); else out[t] = g.shfl(t, 7) + g.ballot(t % 2);
}

__global__ void barrier_of_a_block(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  auto b = cg::this_thread_block();
  s[t] = t;
  auto token = b.barrier_arrive();
  const u32 own = t * 5;
  b.barrier_wait(std::move(token));
  out[t] = s[63 - t] + own;
}
