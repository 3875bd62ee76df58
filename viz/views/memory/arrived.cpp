#include "viz/views/memory/arrived.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"

namespace lanescope::views {
namespace {

using results::ArrivedCell;
using Kind = trace::ElementTag::Kind;

Kind kind_of(const ArrivedCell& c) { return static_cast<Kind>(c.cell.kind); }
bool names_one(const ArrivedCell& c) {
  return c.cell.buffer >= 0 && (kind_of(c) == Kind::exact || kind_of(c) == Kind::computed);
}

/// Elements of the destination and of their source that are both in equal strides.
struct Run {
  const ArrivedCell* first = nullptr;
  std::uint64_t to = 0, count = 1;
  std::int64_t stride = 0, last = 0;  ///< of the source
};

std::string range(const Summary& summary, int buffer, std::uint64_t first, std::int64_t stride, std::uint64_t count) {
  const auto at = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(first) + stride * static_cast<std::int64_t>(n));
  };
  const std::string name = buffer_name(summary, buffer);
  if (count == 1 || stride == 0) return fmt::format("{}[{}]", name, first);
  if (stride == 1 || stride == -1) return fmt::format("{}[{}..{}]", name, first, at(count - 1));
  if (count == 2) return fmt::format("{0}[{1}], {0}[{2}]", name, first, at(1));
  return fmt::format("{0}[{1}], {0}[{2}] .. {0}[{3}]", name, first, at(1), at(count - 1));
}

}  // namespace

std::vector<const ArrivedCell*> arrived_in_word(const Moment& moment, int buffer, std::uint64_t word) {
  std::vector<const ArrivedCell*> out;
  auto at = std::ranges::lower_bound(moment.arrived, std::pair(buffer, word * 4), {},
                                     [](const ArrivedCell& c) { return std::pair(c.buffer, c.byte); });
  // A cell of 64 bits begins in the word before.
  if (at != moment.arrived.begin()) --at;
  for (; at != moment.arrived.end() && std::pair(at->buffer, at->byte) < std::pair(buffer, word * 4 + 4); ++at)
    if (at->buffer == buffer && at->byte + static_cast<std::uint64_t>(at->bits) / 8 > word * 4) out.push_back(&*at);
  return out;
}

std::vector<std::string> arrived_words(const Summary& summary, const Moment& moment, int buffer, std::size_t most) {
  std::vector<Run> runs;
  std::size_t others = 0;
  for (const ArrivedCell& c : moment.arrived) {
    if (c.buffer != buffer) continue;
    if (!names_one(c)) {
      others += kind_of(c) == Kind::mixed || kind_of(c) == Kind::partial;
      continue;
    }
    const std::uint64_t to = c.byte * 8 / static_cast<std::uint64_t>(c.bits);
    const auto from = static_cast<std::int64_t>(c.cell.element);
    if (!runs.empty()) {
      Run& r = runs.back();
      const bool same = r.first->cell.buffer == c.cell.buffer && r.first->cell.kind == c.cell.kind;
      if (same && r.to + r.count == to && (r.count == 1 || from - r.last == r.stride)) {
        r.stride = from - r.last, r.last = from, ++r.count;
        continue;
      }
    }
    runs.push_back({.first = &c, .to = to, .last = from});
  }
  std::vector<std::string> words;
  std::size_t left = 0;
  for (const Run& r : runs) {
    if (words.size() >= most) {
      left += r.count;
      continue;
    }
    words.push_back(fmt::format("{} {} {}", range(summary, buffer, r.to, 1, r.count),
                                kind_of(*r.first) == Kind::exact ? (r.count == 1 ? "holds" : "hold")
                                : r.count == 1                   ? "depends on"
                                                                 : "depend on",
                                range(summary, r.first->cell.buffer, r.first->cell.element, r.stride, r.count)));
  }
  if (left > 0) words.push_back(fmt::format("and {} more", counted(left, "element")));
  if (others > 0) words.push_back(fmt::format("{} of several", counted(others, "value")));
  return words;
}

}  // namespace lanescope::views
