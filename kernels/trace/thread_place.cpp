#include "kernels/trace/launch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::trace {

Dim3 index_of(Dim3 extents, std::uint64_t n) {
  return {.x = static_cast<std::uint32_t>(n % extents.x),
          .y = static_cast<std::uint32_t>(n / extents.x % extents.y),
          .z = static_cast<std::uint32_t>(n / extents.x / extents.y)};
}

std::uint64_t number_of(Dim3 extents, Dim3 at) { return (std::uint64_t{at.z} * extents.y + at.y) * extents.x + at.x; }

ThreadPlace thread_place(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t in_block) {
  ThreadPlace out{.thread = index_of(block, in_block),
                  .in_block = in_block,
                  .warp = in_block / warp_lanes,
                  .lane = in_block % warp_lanes,
                  .block = index_of(grid, block_number),
                  .block_number = block_number,
                  .in_grid = block_number * block.count() + in_block};
  out.in_row = out.thread.x;
  out.row = in_block / block.x;
  return out;
}

std::optional<ThreadPlace> thread_at(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t warp,
                                     std::uint32_t lane) {
  const std::uint64_t in_block = std::uint64_t{warp} * warp_lanes + lane;
  if (lane >= warp_lanes || in_block >= block.count() || grid.count() == 0) return std::nullopt;
  return thread_place(grid, block, block_number, static_cast<std::uint32_t>(in_block));
}

BlockShape block_shape(Dim3 block) {
  BlockShape out;
  out.threads = static_cast<std::uint32_t>(block.count());
  if (out.threads == 0) return out;
  const auto warps_for = [](std::uint32_t threads) { return (threads + warp_lanes - 1) / warp_lanes; };
  out.warps = warps_for(out.threads);
  out.idle_lanes = out.warps * warp_lanes - out.threads;
  out.idle_percent = 100.0 * out.idle_lanes / (out.warps * warp_lanes);
  for (std::uint32_t warp = 0; warp < out.warps; ++warp) {
    const std::uint32_t first = warp * warp_lanes, last = std::min(first + warp_lanes, out.threads) - 1;
    out.rows_in_a_warp = std::max(out.rows_in_a_warp, last / block.x - first / block.x + 1);
  }
  for (std::uint32_t first = 0; first < out.threads; first += block.x) {
    const std::uint32_t touched = (first + block.x - 1) / warp_lanes - first / warp_lanes + 1;
    out.cut_rows += touched > warps_for(block.x);
  }
  return out;
}

std::string to_string(Dim3 index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string words(Dim3 block, const BlockShape& shape) {
  std::string text = fmt::format("{} x {}{} threads: {} in {} warp{}", block.x, block.y,
                                 block.z > 1 ? fmt::format(" x {}", block.z) : "", shape.threads, shape.warps,
                                 shape.warps == 1 ? "" : "s");
  if (shape.idle_lanes == 0) return text + "; every lane has a thread";
  return text + fmt::format("; {} of {} lanes {} idle ({:.1f} %)", shape.idle_lanes, shape.warps * warp_lanes,
                            shape.idle_lanes == 1 ? "is" : "are",
                            std::round(shape.idle_percent * 10) / 10);  // halves away from 0: 6.25 is 6.3
}

}  // namespace lanescope::trace
