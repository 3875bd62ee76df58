#include "kernels/instrument/records.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"

namespace lanescope::instrument {
namespace {

template <class T>
T get(std::span<const std::byte> bytes, std::uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
void put(trace::Bytes& bytes, std::uint64_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); }

constexpr std::uint64_t cursor_at = 0, dropped_at = 8, choice_at = 16, capacity_at = 32;

tl::unexpected<Diagnostics> damaged(const std::string& what) {
  return failure("the records of the traced launch are damaged: " + what,
                 "the kernel may write out of bounds; run it in the emulator, which reports the write");
}

Record record_at(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t lane_bytes) {
  Record r{.site = get<std::uint32_t>(bytes, at),
           .block = get<std::uint32_t>(bytes, at + 4),
           .warp = get<std::uint32_t>(bytes, at + 8),
           .mask = get<std::uint32_t>(bytes, at + 12)};
  if (lane_bytes == 0) return r;
  for (const std::size_t lane : set_bits(r.mask)) {
    const std::uint64_t from = at + unit_bytes + lane * lane_bytes;
    r.lanes[lane] = lane_bytes == 8 ? get<std::uint64_t>(bytes, from) : get<std::uint32_t>(bytes, from);
  }
  return r;
}

}  // namespace

trace::Buffer record_buffer(const Description& description, const Choice& choice, std::uint64_t capacity_bytes) {
  const std::uint64_t units = capacity_bytes / unit_bytes;
  trace::Buffer b{.name = "lanescope records", .element_type = "u32", .bytes = {}, .traced = false};
  b.bytes.resize(description.header_bytes() + units * unit_bytes);
  put(b.bytes, choice_at, choice.first_block);
  put(b.bytes, choice_at + 4, choice.block_count);
  put(b.bytes, choice_at + 8, choice.first_warp);
  put(b.bytes, choice_at + 12, choice.warp_count);
  put(b.bytes, capacity_at, units);
  return b;
}

trace::Launch with_records(trace::Launch launch, int buffer) {
  launch.arguments.push_back(trace::BufferArgument{buffer, 0});
  return launch;
}

Expected<Totals> read_records(std::span<const std::byte> buffer, const Description& description,
                              const std::function<void(const Record&)>& take) {
  const std::uint64_t header = description.header_bytes();
  if (buffer.size() < header) return damaged("the buffer is shorter than its header");
  Totals totals{.dropped = get<std::uint64_t>(buffer, dropped_at)};
  for (std::size_t i = 0; i < description.slots.size(); ++i)
    totals.slots.push_back(get<std::uint64_t>(buffer, first_slot + 8 * i));
  const std::uint64_t cursor = get<std::uint64_t>(buffer, cursor_at);
  const std::uint64_t room = (buffer.size() - header) / unit_bytes;
  if (cursor > (std::uint64_t{1} << 56)) return damaged("the cursor is not a number of units");
  totals.needed_bytes = cursor * unit_bytes;
  for (std::uint64_t unit = 0; unit < std::min(cursor, room);) {
    const std::uint64_t at = header + unit * unit_bytes;
    if (get<std::uint32_t>(buffer, at + 12) == 0) break;  // the first one that did not fit
    const auto site = get<std::uint32_t>(buffer, at);
    if (site >= description.sites.size()) return damaged(fmt::format("record {} names site {}", totals.kept, site));
    const Site& s = description.sites[site];
    if (unit + s.units() > room) return damaged(fmt::format("record {} exceeds the buffer", totals.kept));
    take(record_at(buffer, at, s.lane_bytes()));
    ++totals.kept;
    unit += s.units();
  }
  return totals;
}

}  // namespace lanescope::instrument
