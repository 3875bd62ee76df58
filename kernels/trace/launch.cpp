#include "kernels/trace/launch.h"

#include <algorithm>
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

}  // namespace lanescope::trace
