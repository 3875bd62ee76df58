#include "app/engine/prepare/stream_hazards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

constexpr std::uint64_t word_bits = 64;

void add_bytes(ByteSet& set, std::uint64_t first, std::uint64_t end, std::uint64_t buffer_bytes) {
  if (set.empty()) set.resize((buffer_bytes + word_bits - 1) / word_bits);
  for (; first < end; ++first) set[first / word_bits] |= std::uint64_t{1} << first % word_bits;
}

void add(ByteSet& to, const ByteSet& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] |= from[i];
}

void add(BufferUse& to, const BufferUse& from) {
  add(to.read, from.read), add(to.written, from.written), add(to.updated, from.updated);
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

namespace {

Diagnostics of_header(const source::Source& source, const std::vector<BufferUses>& uses) {
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

/// "the launch of line 12 in stream `s`"
std::string operation_words(const source::StreamOperation& o) {
  return fmt::format("{} of line {}{} in {}", o.launch >= 0 ? "the launch" : "`" + o.call + "`", o.line,
                     o.file.empty() ? "" : " of " + o.file,
                     o.stream.empty() ? "the default stream" : "stream `" + o.stream + "`");
}

/// " (its argument `from`)": a launch's own name of a buffer that is called otherwise.
std::string own_name(const source::StreamOperation& o, const source::Source& source, const std::string& buffer) {
  if (o.launch < 0 || static_cast<std::size_t>(o.launch) >= source.header.launches.size()) return "";
  std::string_view own;
  for (const source::ArgumentSpec& a : source.header.launches[static_cast<std::size_t>(o.launch)].arguments) {
    const auto* place = std::get_if<std::string>(&a.value);
    if (!a.is_buffer || place == nullptr || place->substr(0, place->find('+')) != buffer) continue;
    if (a.parameter == buffer) return "";
    if (own.empty()) own = a.parameter;
  }
  return own.empty() ? "" : fmt::format(" (its argument `{}`)", own);
}

BufferUses uses_of(const source::StreamOperation& o, const source::Source& source,
                   const std::vector<BufferUses>& launches) {
  BufferUses out(source.header.buffers.size());
  if (o.launch >= 0) {
    const auto first = static_cast<std::size_t>(o.launch), end = first + static_cast<std::size_t>(o.launches);
    for (std::size_t l = first; l < std::min(end, launches.size()); ++l)
      for (std::size_t b = 0; b < std::min(out.size(), launches[l].size()); ++b) add(out[b], launches[l][b]);
    return out;
  }
  for (const source::StreamOperation::Use& u : o.uses) {
    const auto at = std::ranges::find(source.header.buffers, u.buffer, &source::BufferSpec::name);
    if (at == source.header.buffers.end()) continue;
    BufferUse& use = out[static_cast<std::size_t>(at - source.header.buffers.begin())];
    const std::uint64_t bytes = at->elements * static_cast<std::uint64_t>(at->element_bits) / 8;
    add_bytes(u.writes ? use.written : use.read, u.offset_bytes, std::min(bytes, u.offset_bytes + u.bytes), bytes);
  }
  return out;
}

Diagnostics of_host_code(const source::Source& source, const std::vector<BufferUses>& launches) {
  const std::vector<source::StreamOperation>& operations = source.header.streams;
  std::vector<BufferUses> uses;
  for (const source::StreamOperation& o : operations) uses.push_back(uses_of(o, source, launches));
  Diagnostics out;
  std::set<std::tuple<std::string, int, std::size_t>> told;  // once for each line and buffer
  for (std::size_t later = 0; later < operations.size(); ++later)
    for (std::size_t buffer = 0; buffer < uses[later].size(); ++buffer)
      for (const std::uint32_t earlier : operations[later].beside) {
        if (buffer >= uses[earlier].size()) continue;
        const source::StreamOperation &now = operations[later], &before = operations[earlier];
        const std::string does = verbs(uses[later][buffer], uses[earlier][buffer]);
        if (does.empty() || !told.emplace(now.file, now.line, buffer).second) continue;
        const std::string& name = source.header.buffers[buffer].name;
        out.push_back({.file = now.file.empty() ? source.file : now.file,
                       .line = now.line,
                       .message = fmt::format("{} {} '{}'{}, which {} {}; nothing orders the two", operation_words(now),
                                              does, name, own_name(now, source, name), operation_words(before),
                                              verbs(uses[earlier][buffer], uses[later][buffer])),
                       .remedy = "let the second wait for the first (cudaEventRecord and cudaStreamWaitEvent, or "
                                 "cudaStreamSynchronize), or use one stream",
                       .severity = Severity::warning});
      }
  return out;
}

}  // namespace

Diagnostics stream_hazards(const source::Source& source, const std::vector<BufferUses>& uses) {
  return source.header.streams.empty() ? of_header(source, uses) : of_host_code(source, uses);
}

}  // namespace lanescope::engine
