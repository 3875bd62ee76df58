#include "kernels/claims/memory_judge.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/set_bits.h"

namespace lanescope::claims {

using source::ArrayPart;
using Kind = source::Owner;

namespace {
constexpr std::size_t most_boxes = std::size_t{1} << 22;  ///< 64 MiB
}

SubarrayJudge::SubarrayJudge(const Setting& setting, const MemoryPlaces& places, int claim)
    : AccessJudge(setting, places, claim), element_bytes_(about().element_bytes) {
  const int buffer = find_buffer(0);
  if (buffer < 0) return;
  const auto b = static_cast<std::size_t>(buffer);
  if (element_bytes_ == 0 && b < setting.source->header.buffers.size())
    element_bytes_ = setting.source->header.buffers[b].element_bits / 8;
  if (element_bytes_ == 0) problem_ = coded<Why::unknown_element_size>(stated().variable);
}

void SubarrayJudge::element(Block& block, std::uint64_t owner, std::int64_t number) {
  const ArrayPart& c = about();
  const std::size_t axes = c.whole_shape.size();
  std::array<std::int64_t, 16> at{};
  std::int64_t rest = number;
  for (std::size_t d = 0; d < axes && d < at.size(); ++d) {
    // C order of strides is checked where the claim is read: the slowest axis is first.
    at[d] = c.whole_strides[d] == 0 ? 0 : rest / c.whole_strides[d];
    rest -= at[d] * c.whole_strides[d];
    if (at[d] >= c.whole_shape[d] && outside_.empty())
      outside_ = fmt::format("element {} of `{}`, which {} accesses, is outside of the stated array ({})", number,
                             stated().variable, owner_words(owner), fmt::join(c.whole_shape, ","));
  }
  if (rest != 0) return;  // between the rows
  const auto [it, fresh] = block.owners.try_emplace(owner, Owner{block.boxes.size()});
  if (fresh) {
    for (std::size_t d = 0; d < axes; ++d) block.boxes.push_back({at[d], at[d]});
    running_boxes_ += axes;
    return;
  }
  for (std::size_t d = 0; d < axes; ++d) {
    Box& box = block.boxes[it->second.first + d];
    box.low = std::min(box.low, at[d]);
    box.high = std::max(box.high, at[d]);
  }
}

void SubarrayJudge::access(const trace::AccessEvent& e) {
  if (!problem_.empty() || e.space != trace::MemorySpace::global) return;
  bool seen = false;
  Block& block = running_[e.where.block];
  for (const std::size_t lane : set_bits(e.where.active)) {
    const std::uint64_t offset = e.addresses[lane] - first_;
    if (offset >= bytes_) continue;
    seen = true;
    if (running_boxes_ >= most_boxes) {
      problem_ = coded<Why::too_large>(fmt::format("the blocks that run at one time access more than {} boxes",
                                                   most_boxes / std::max<std::size_t>(about().whole_shape.size(), 1)));
      return;
    }
    const std::uint64_t owner = owner_of(about().owner, e.where, lane);
    const auto first = static_cast<std::int64_t>(offset) / element_bytes_;
    const auto last = (static_cast<std::int64_t>(offset) + e.width_bytes - 1) / element_bytes_;
    for (std::int64_t n = first; n <= last; ++n) element(block, owner, n);
  }
  accesses_ += seen ? 1 : 0;
}

void SubarrayJudge::add(Sum& sum, const Block& block) const {
  const ArrayPart& c = about();
  const std::size_t axes = c.shape.size();
  sum.largest.resize(axes, 0);
  for (const auto& [owner, o] : block.owners) {
    bool beyond = false;
    for (std::size_t d = 0; d < axes; ++d) {
      const std::int64_t extent = block.boxes[o.first + d].high - block.boxes[o.first + d].low + 1;
      sum.largest[d] = std::max(sum.largest[d], extent);
      beyond = beyond || extent > c.shape[d];
    }
    ++sum.owners;
    if (!beyond || owner >= sum.worst_owner.value_or(~std::uint64_t{0})) continue;
    sum.worst_owner = owner;
    const auto box = block.boxes.begin() + static_cast<std::ptrdiff_t>(o.first);
    sum.worst.assign(box, box + static_cast<std::ptrdiff_t>(axes));
  }
}

void SubarrayJudge::block_ended(std::uint32_t block) {
  const auto at = running_.find(block);
  if (at == running_.end()) return;
  add(sum_, at->second);
  running_boxes_ -= at->second.boxes.size();
  running_.erase(at);
}

std::string SubarrayJudge::owner_words(std::uint64_t owner) const {
  switch (about().owner) {
    case Kind::block:
      return fmt::format("block {}", owner >> 10);
    case Kind::warp:
      return fmt::format("warp {} of block {}", owner >> 5 & 31, owner >> 10);
    case Kind::thread:
      return fmt::format("lane {} of warp {} of block {}", owner & 31, owner >> 5 & 31, owner >> 10);
  }
  return {};
}

ClaimResult SubarrayJudge::result(bool) const {
  const ArrayPart& c = about();
  ClaimResult r = begun();
  if (!problem_.empty()) return r;
  Sum sum = sum_;
  for (const auto& [number, block] : running_) add(sum, block);
  if (sum.owners == 0) {
    r.reason = coded<Why::not_accessed>(fmt::format("nothing accesses `{}`", stated().variable));
    return r;
  }
  const std::size_t axes = c.shape.size();
  const std::vector<std::int64_t>& largest = sum.largest;
  const bool larger = sum.worst_owner.has_value();
  r.instances = sum.owners;
  r.places = accesses_;
  const std::string_view whose = enum_name(c.owner);
  r.actual_words =
      fmt::format("each {} accesses up to ({}) of ({})", whose, fmt::join(largest, ","), fmt::join(c.whole_shape, ","));
  bool smaller = false;
  for (std::size_t d = 0; d < axes; ++d) smaller = smaller || largest[d] < std::min(c.shape[d], c.whole_shape[d]);
  if (!larger && !smaller && outside_.empty()) {
    r.verdict = Verdict::holds;
    return r;
  }
  r.verdict = Verdict::differs;
  if (larger) {
    std::vector<std::string> ranges;
    for (const Box& box : sum.worst) ranges.push_back(fmt::format("{}..{}", box.low, box.high));
    r.difference = fmt::format("{} accesses the elements ({}) of `{}`, more than ({})", owner_words(*sum.worst_owner),
                               fmt::join(ranges, ", "), stated().variable, fmt::join(c.shape, ","));
  } else if (!outside_.empty()) {
    r.difference = outside_;
  } else {
    r.difference =
        fmt::format("no {} accesses more than ({}) of `{}`", whose, fmt::join(largest, ","), stated().variable);
  }
  if (larger)
    r.first_failure = Instance{.block = static_cast<std::uint32_t>(*sum.worst_owner >> 10),
                               .warp = static_cast<std::uint32_t>(*sum.worst_owner >> 5 & 31),
                               .iteration = 0,
                               .caller_line = 0};
  return r;
}

}  // namespace lanescope::claims
