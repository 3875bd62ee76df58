#include "profiling/review/observe/buffer_uses.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::review {
namespace {

using trace::AccessKind;
using Site = LaunchUses::Site;

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

bool conflict(const ByteSet& a, const ByteSet& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

bool has(const ByteSet& set, std::uint64_t byte) {
  return byte / word_bits < set.size() && (set[byte / word_bits] >> byte % word_bits & 1) != 0;
}

/// cp.async reads global memory.
bool is_read(AccessKind kind) { return kind == AccessKind::load || kind == AccessKind::async_copy; }

bool needs_order(AccessKind kind, const BufferUse& other, std::uint64_t byte) {
  if (has(other.written, byte)) return true;
  if (kind == AccessKind::store) return has(other.read, byte) || has(other.updated, byte);
  return has(is_read(kind) ? other.updated : other.read, byte);
}

ByteSet& set_of(BufferUse& use, AccessKind kind) {
  return kind == AccessKind::store ? use.written : is_read(kind) ? use.read : use.updated;
}

bool is_of(const source::StreamOperation& o, std::size_t launch) {
  const auto n = static_cast<std::int64_t>(launch);
  return o.launch >= 0 && o.launch <= n && n < o.launch + o.launches;
}

void add_copied(const source::StreamOperation& o, const source::BufferSpec& buffer, BufferUse& to) {
  const std::uint64_t bytes = buffer.elements * static_cast<std::uint64_t>(buffer.element_bits) / 8;
  for (const source::StreamOperation::Use& u : o.uses)
    if (u.buffer == buffer.name)
      add_bytes(u.writes ? to.written : to.read, u.offset_bytes, std::min(bytes, u.offset_bytes + u.bytes), bytes);
}

bool needs_order(AccessKind kind, const source::Header& header, std::size_t operation, std::size_t buffer,
                 std::span<const LaunchUses> launches, std::uint64_t byte) {
  const source::StreamOperation& o = header.streams[operation];
  if (o.launch < 0)
    return std::ranges::any_of(o.uses, [&](const source::StreamOperation::Use& u) {
      return (u.writes || !is_read(kind)) && u.buffer == header.buffers[buffer].name && u.offset_bytes <= byte &&
             byte - u.offset_bytes < u.bytes;
    });
  const auto first = static_cast<std::size_t>(o.launch), end = first + static_cast<std::size_t>(o.launches);
  for (std::size_t l = first; l < std::min(end, launches.size()); ++l)
    if (buffer < launches[l].buffers.size() && needs_order(kind, launches[l].buffers[buffer], byte)) return true;
  return false;
}

/// Adds the use of one buffer by an operation.
void add_use(const source::Header& header, std::size_t operation, std::size_t buffer,
             std::span<const LaunchUses> launches, BufferUse& to) {
  const source::StreamOperation& o = header.streams[operation];
  if (o.launch < 0) return add_copied(o, header.buffers[buffer], to);
  const auto first = static_cast<std::size_t>(o.launch), end = first + static_cast<std::size_t>(o.launches);
  for (std::size_t l = first; l < std::min(end, launches.size()); ++l)
    if (buffer < launches[l].buffers.size()) add(to, launches[l].buffers[buffer]);
}

}  // namespace

std::vector<access::Verb> ordered_verbs(const BufferUse& one, const BufferUse& other) {
  using access::Verb;
  std::vector<Verb> out;
  if (conflict(one.read, other.written) || conflict(one.read, other.updated)) out.push_back(Verb::reads);
  if (conflict(one.written, other.read) || conflict(one.written, other.written) || conflict(one.written, other.updated))
    out.push_back(Verb::writes);
  if (conflict(one.updated, other.read) || conflict(one.updated, other.written)) out.push_back(Verb::updates);
  return out;
}

BufferUse use_of(const source::Header& header, std::size_t operation, std::size_t buffer,
                 std::span<const LaunchUses> launches) {
  BufferUse out;
  add_use(header, operation, buffer, launches, out);
  return out;
}

UseObserver::UseObserver(const source::Header& header, std::size_t launch, const std::vector<trace::Buffer>& buffers,
                         const std::vector<std::uint64_t>& addresses, const std::vector<LaunchUses>& before)
    : header_(header), before_(before), all_others_(buffers.size()) {
  uses_.buffers.resize(buffers.size());
  for (std::size_t b = 0; b < buffers.size(); ++b) places_.push_back({addresses[b], buffers[b].bytes.size()});
  const auto& all = header.streams;
  const auto own = std::ranges::find_if(all, [&](const source::StreamOperation& o) { return is_of(o, launch); });
  if (own == all.end()) return;
  const auto number = static_cast<std::uint32_t>(own - all.begin());
  for (std::uint32_t o = 0; o < all.size(); ++o) {
    const bool later = o > number;
    if (later && all[o].launch >= 0) continue;  // that one compares itself with this launch
    const auto& beside = all[later ? o : number].beside;
    if (std::ranges::binary_search(beside, later ? number : o))
      others_.push_back({.operation = o, .later = later, .met = std::vector<bool>(buffers.size())});
  }
  for (const Other& o : others_)
    for (std::size_t b = 0; b < std::min(buffers.size(), header.buffers.size()); ++b)
      add_use(header, o.operation, b, before, all_others_[b]);
}

void UseObserver::on_access(const trace::AccessEvent& event) {
  if (event.space != trace::MemorySpace::global) return;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t address = event.addresses[lane];
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const std::uint64_t first = address - places_[b].address;  // wraps far beyond the buffer where it lies below
      if (first >= places_[b].bytes) continue;
      const std::uint64_t end = std::min(first + static_cast<std::uint64_t>(event.width_bytes), places_[b].bytes);
      add_bytes(set_of(uses_.buffers[b], event.kind), first, end, places_[b].bytes);
      note_site(event, b, first, end);
      compare(event, static_cast<int>(lane), b, first, end);
      break;
    }
  }
}

void UseObserver::note_site(const trace::AccessEvent& event, std::size_t buffer, std::uint64_t first,
                            std::uint64_t end) {
  if (sites_.size() <= event.where.pc) sites_.resize(event.where.pc + 1);
  std::vector<Site>& here = sites_[event.where.pc];
  const auto at = std::ranges::find_if(here, [&](const Site& s) { return s.buffer == buffer && s.kind == event.kind; });
  if (at == here.end())
    here.push_back({.buffer = buffer, .kind = event.kind, .first = first, .end = end});
  else
    at->first = std::min(at->first, first), at->end = std::max(at->end, end);
}

void UseObserver::compare(const trace::AccessEvent& event, int lane, std::size_t buffer, std::uint64_t first,
                          std::uint64_t end) {
  while (first < end && !needs_order(event.kind, all_others_[buffer], first)) ++first;
  if (first == end) return;
  for (Other& o : others_) {
    // Of the operations before, the first one is reported; each copy after the launch reports itself.
    if (o.met[buffer]) {
      if (o.later) continue;
      break;
    }
    std::uint64_t byte = first;
    while (byte < end && !needs_order(event.kind, header_, o.operation, buffer, before_, byte)) ++byte;
    if (byte == end) continue;
    o.met[buffer] = true;
    StreamMeeting m{.operation = o.operation,
                    .buffer = buffer,
                    .byte = byte,
                    .where = event.where,
                    .lane = lane,
                    .width_bytes = event.width_bytes,
                    .kind = event.kind};
    for (const std::size_t l : set_bits(event.where.active)) {
      m.addresses[l] = event.addresses[l] - places_[buffer].address;
      if (m.addresses[l] < places_[buffer].bytes)
        m.lanes |= 1u << l;
      else
        m.addresses[l] = 0;
    }
    uses_.meetings.push_back(std::move(m));
  }
}

LaunchUses UseObserver::take(const std::vector<trace::CodeSite>& code) {
  const auto line_at = [&](std::uint32_t pc) {
    if (pc >= code.size()) return 0;
    const trace::CodeSite& site = code[pc];
    return !site.call_lines.empty() ? site.call_lines.front() : site.inner_line > 0 ? site.inner_line : site.line;
  };
  for (StreamMeeting& m : uses_.meetings) {
    m.line = line_at(m.where.pc);
    if (m.where.pc < code.size()) m.instruction = code[m.where.pc].text;
  }
  for (std::uint32_t pc = 0; pc < sites_.size(); ++pc)
    for (Site& s : sites_[pc]) {
      s.line = line_at(pc);
      uses_.sites.push_back(s);
    }
  return std::move(uses_);
}

}  // namespace lanescope::review
