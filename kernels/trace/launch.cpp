#include "kernels/trace/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace lanescope::trace {
namespace {

/// Up to `bytes` of a buffer after a place in it; fewer where it ends.
std::span<std::byte> part_of(std::vector<Buffer>& buffers, const BufferArgument& at, std::uint64_t bytes) {
  if (at.buffer < 0 || static_cast<std::size_t>(at.buffer) >= buffers.size() || at.offset_bytes < 0) return {};
  Bytes& all = buffers[static_cast<std::size_t>(at.buffer)].bytes;
  const auto from = std::min<std::uint64_t>(static_cast<std::uint64_t>(at.offset_bytes), all.size());
  return std::span(all).subspan(from, std::min<std::uint64_t>(bytes, all.size() - from));
}

}  // namespace

void perform(const std::vector<HostStep>& steps, std::vector<Buffer>& buffers,
             const std::vector<std::uint64_t>& addresses) {
  for (const HostStep& s : steps) {
    const std::span<std::byte> to =
        part_of(buffers, s.to, s.kind == HostStep::Kind::write ? s.contents.size() : s.bytes);
    switch (s.kind) {
      case HostStep::Kind::copy: {
        const std::span<std::byte> from = part_of(buffers, s.from, s.bytes);
        const std::vector<std::byte> held(from.begin(), from.end());  // the two may overlap
        std::copy_n(held.begin(), std::min(held.size(), to.size()), to.begin());
        break;
      }
      case HostStep::Kind::set:
        std::ranges::fill(to, static_cast<std::byte>(s.value));
        break;
      case HostStep::Kind::write:
        std::copy_n(s.contents.begin(), to.size(), to.begin());
        break;
      case HostStep::Kind::address: {
        if (s.from.buffer < 0 || static_cast<std::size_t>(s.from.buffer) >= addresses.size()) break;
        const std::uint64_t address =
            addresses[static_cast<std::size_t>(s.from.buffer)] + static_cast<std::uint64_t>(s.from.offset_bytes);
        for (std::size_t i = 0; i < std::min<std::size_t>(to.size(), 8); ++i)
          to[i] = static_cast<std::byte>(address >> (8 * i));
        break;
      }
    }
  }
}

std::vector<BufferArgument> buffers_of(const Argument& argument) {
  if (const auto* b = std::get_if<BufferArgument>(&argument)) return {*b};
  std::vector<BufferArgument> out;
  if (const auto* s = std::get_if<StructArgument>(&argument))
    for (const StructArgument::Pointer& p : s->pointers) out.push_back(p.to);
  return out;
}

namespace {

Dim3 cluster_of(const Launch& launch) { return launch.cluster.count() == 0 ? Dim3{} : launch.cluster; }

}  // namespace

ClusterPlace cluster_place(const Launch& launch, std::uint32_t block) {
  const Dim3 k = cluster_of(launch), &g = launch.grid;
  const std::uint32_t x = block % g.x, y = block / g.x % g.y, z = block / g.x / g.y;
  return {x / k.x + g.x / k.x * (y / k.y + g.y / k.y * (z / k.z)), x % k.x + k.x * (y % k.y + k.y * (z % k.z))};
}

std::uint32_t block_at(const Launch& launch, ClusterPlace place) {
  const Dim3 k = cluster_of(launch), &g = launch.grid;
  const std::uint32_t across = g.x / k.x, down = g.y / k.y;
  const std::uint32_t x = place.cluster % across * k.x + place.rank % k.x,
                      y = place.cluster / across % down * k.y + place.rank / k.x % k.y,
                      z = place.cluster / across / down * k.z + place.rank / k.x / k.y;
  return x + g.x * (y + g.y * z);
}

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
  BlockShape out{.threads = static_cast<std::uint32_t>(block.count())};
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
