#include "app/engine/prepare/stream_hazards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

constexpr std::uint64_t word_bits = 64;

void add_bytes(ByteSet& set, std::uint64_t first, std::uint64_t end, std::uint64_t buffer_bytes) {
  if (set.empty()) set.resize((buffer_bytes + word_bits - 1) / word_bits);
  for (; first < end; ++first) set[first / word_bits] |= std::uint64_t{1} << first % word_bits;
}

bool meet(const ByteSet& a, const ByteSet& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

/// What `one` does to bytes where the order against `other` matters: "reads and writes"; "" where it never does.
std::string verbs(const BufferUse& one, const BufferUse& other) {
  std::vector<std::string_view> out;
  if (meet(one.read, other.written) || meet(one.read, other.updated)) out.push_back("reads");
  if (meet(one.written, other.read) || meet(one.written, other.written) || meet(one.written, other.updated))
    out.push_back("writes");
  if (meet(one.updated, other.read) || meet(one.updated, other.written)) out.push_back("updates");
  return fmt::format("{}", fmt::join(out, " and "));
}

}  // namespace

UseObserver::UseObserver(const std::vector<trace::Buffer>& buffers) : uses_(buffers.size()) {
  const std::vector<std::uint64_t> addresses = emulator::place_buffers(buffers);
  for (std::size_t b = 0; b < buffers.size(); ++b) places_.push_back({addresses[b], buffers[b].bytes.size()});
}

void UseObserver::on_access(const trace::AccessEvent& event) {
  if (event.space != trace::MemorySpace::global) return;
  const bool atomic = event.kind == trace::AccessKind::atomic || event.kind == trace::AccessKind::reduction;
  const auto set_of = [&](BufferUse& use) -> ByteSet& {
    return atomic ? use.updated : event.kind == trace::AccessKind::store ? use.written : use.read;
  };
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t address = event.addresses[lane];
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const std::uint64_t first = address - places_[b].address;  // wraps far beyond the buffer when it lies below
      if (first >= places_[b].bytes) continue;
      const std::uint64_t end = std::min(first + static_cast<std::uint64_t>(event.width_bytes), places_[b].bytes);
      add_bytes(set_of(uses_[b]), first, end, places_[b].bytes);
      break;
    }
  }
}

bool in_several_streams(const std::vector<trace::Launch>& launches) {
  return std::ranges::any_of(launches, [&](const trace::Launch& l) { return l.stream != launches.front().stream; });
}

Diagnostics stream_hazards(const source::Source& source, const std::vector<BufferUses>& uses) {
  const std::vector<source::LaunchSpec>& launches = source.header.launches;
  Diagnostics out;
  /// True: it was a hazard, and is said.
  const auto warn = [&](std::size_t later, std::size_t earlier, std::size_t buffer) {
    const std::string does = verbs(uses[later][buffer], uses[earlier][buffer]);
    if (does.empty()) return false;
    out.push_back({.file = source.file,
                   .line = launches[later].line,
                   .message = fmt::format("launch {} (stream {}) {} '{}', which launch {} (stream {}) {}; launches of "
                                          "different streams are not ordered",
                                          later + 1, launches[later].stream, does, source.header.buffers[buffer].name,
                                          earlier + 1, launches[earlier].stream,
                                          verbs(uses[earlier][buffer], uses[later][buffer])),
                   .remedy = "give both launches the same stream",
                   .severity = Severity::warning});
    return true;
  };
  for (std::size_t later = 1; later < uses.size(); ++later)
    for (std::size_t buffer = 0; buffer < uses[later].size(); ++buffer)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        if (launches[earlier].stream != launches[later].stream && warn(later, earlier, buffer)) break;
  return out;
}

}  // namespace lanescope::engine
