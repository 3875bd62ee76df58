#include "kernels/claims/subarray_judge.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/set_bits.h"

namespace lanescope::claims {

using source::SubarrayClaim;
using Kind = source::SubarrayClaim::Owner;

namespace {
constexpr std::size_t most_boxes = std::size_t{1} << 22;  ///< 64 MiB
}

const SubarrayClaim& SubarrayJudge::about() const {
  const source::Claim& c = setting_->source->claims[static_cast<std::size_t>(claim_)];
  return setting_->source->subarray_claims[static_cast<std::size_t>(c.about)];
}

SubarrayJudge::SubarrayJudge(const Setting& setting, const MemoryPlaces& places, int claim)
    : setting_(&setting), places_(&places), claim_(claim) {
  const SubarrayClaim& c = about();
  const std::string kernel = places.kernel.substr(0, places.kernel.find('<'));
  const auto f = std::ranges::find_if(setting.source->functions, [&](const source::Function& x) {
    return x.is_kernel && x.name == c.function && (kernel.empty() || x.name == kernel);
  });
  if (f == setting.source->functions.end()) {
    problem_ = "not reached: no thread executed this line";
    return;
  }
  const auto at = std::ranges::find(f->parameters, c.pointer, &source::Parameter::name) - f->parameters.begin();
  const auto* argument = static_cast<std::size_t>(at) < places.arguments.size()
                             ? std::get_if<trace::BufferArgument>(&places.arguments[static_cast<std::size_t>(at)])
                             : nullptr;
  if (argument == nullptr) {
    problem_ = fmt::format("`{}` has no buffer as argument", c.pointer);
    return;
  }
  const auto b = static_cast<std::size_t>(argument->buffer);
  first_ = places.buffer_addresses[b] + static_cast<std::uint64_t>(argument->offset_bytes);
  const std::uint64_t end = places.buffer_addresses[b] + places.buffer_bytes[b];
  bytes_ = end > first_ ? end - first_ : 0;
  element_bytes_ = c.element_bytes;
  if (element_bytes_ == 0 && b < setting.source->header.buffers.size())
    element_bytes_ = setting.source->header.buffers[b].element_bits / 8;
  if (element_bytes_ == 0) problem_ = fmt::format("the size of an element of `{}` is not known", c.pointer);
}

void SubarrayJudge::element(std::uint64_t owner, std::int64_t number, std::uint32_t pc) {
  const SubarrayClaim& c = about();
  const std::size_t axes = c.whole_shape.size();
  std::array<std::int64_t, 16> at{};
  std::int64_t rest = number;
  for (std::size_t d = 0; d < axes && d < at.size(); ++d) {
    // C order of strides is checked where the claim is read: the slowest axis is first.
    at[d] = c.whole_strides[d] == 0 ? 0 : rest / c.whole_strides[d];
    rest -= at[d] * c.whole_strides[d];
    if (at[d] >= c.whole_shape[d] && outside_.empty())
      outside_ = fmt::format("element {} of `{}`, which {} accesses, is outside of the stated array ({})", number,
                             c.pointer, owner_words(owner), fmt::join(c.whole_shape, ","));
  }
  if (rest != 0) return;  // between the rows
  const auto [it, fresh] = owners_.try_emplace(owner, Owner{boxes_.size(), pc});
  if (fresh) {
    for (std::size_t d = 0; d < axes; ++d) boxes_.push_back({at[d], at[d]});
    return;
  }
  for (std::size_t d = 0; d < axes; ++d) {
    Box& box = boxes_[it->second.first + d];
    box.low = std::min(box.low, at[d]);
    box.high = std::max(box.high, at[d]);
  }
}

void SubarrayJudge::access(const trace::AccessEvent& e) {
  if (!problem_.empty() || e.space != trace::MemorySpace::global) return;
  bool seen = false;
  for (const std::size_t lane : set_bits(e.where.active)) {
    const std::uint64_t offset = e.addresses[lane] - first_;
    if (offset >= bytes_) continue;
    seen = true;
    if (boxes_.size() >= most_boxes) {
      problem_ = fmt::format("there are more than {} of them", owners_.size());
      return;
    }
    std::uint64_t owner = e.where.block;
    if (about().owner != Kind::block) owner = owner << 10 | std::uint64_t{e.where.warp} << 5;
    if (about().owner == Kind::thread) owner |= lane;
    const auto first = static_cast<std::int64_t>(offset) / element_bytes_;
    const auto last = (static_cast<std::int64_t>(offset) + e.width_bytes - 1) / element_bytes_;
    for (std::int64_t n = first; n <= last; ++n) element(owner, n, e.where.pc);
  }
  accesses_ += seen ? 1 : 0;
}

std::string SubarrayJudge::owner_words(std::uint64_t owner) const {
  switch (about().owner) {
    case Kind::block:
      return fmt::format("block {}", owner);
    case Kind::warp:
      return fmt::format("warp {} of block {}", owner >> 5 & 31, owner >> 10);
    case Kind::thread:
      return fmt::format("lane {} of warp {} of block {}", owner & 31, owner >> 5 & 31, owner >> 10);
  }
  return {};
}

ClaimResult SubarrayJudge::result() const {
  const SubarrayClaim& c = about();
  ClaimResult r;
  r.claim = claim_;
  r.reason = problem_;
  if (!problem_.empty()) return r;
  if (owners_.empty()) {
    r.reason = fmt::format("not reached: nothing accesses `{}`", c.pointer);
    return r;
  }
  const std::size_t axes = c.shape.size();
  std::vector<std::int64_t> largest(axes, 0);
  std::uint64_t worst = 0, worst_owner = 0;
  bool larger = false;
  for (const auto& [owner, o] : owners_) {
    bool beyond = false;
    for (std::size_t d = 0; d < axes; ++d) {
      const std::int64_t extent = boxes_[o.first + d].high - boxes_[o.first + d].low + 1;
      largest[d] = std::max(largest[d], extent);
      beyond = beyond || extent > c.shape[d];
    }
    if (beyond && (!larger || owner < worst_owner)) worst_owner = owner;
    larger = larger || beyond;
    ++worst;
  }
  r.instances = worst;
  r.places = accesses_;
  const std::string whose = c.owner == Kind::block ? "block" : c.owner == Kind::warp ? "warp" : "thread";
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
    const Owner& o = owners_.at(worst_owner);
    std::vector<std::string> ranges;
    for (std::size_t d = 0; d < axes; ++d)
      ranges.push_back(fmt::format("{}..{}", boxes_[o.first + d].low, boxes_[o.first + d].high));
    r.difference = fmt::format("{} accesses the elements ({}) of `{}`, more than ({})", owner_words(worst_owner),
                               fmt::join(ranges, ", "), c.pointer, fmt::join(c.shape, ","));
  } else if (!outside_.empty()) {
    r.difference = outside_;
  } else {
    r.difference = fmt::format("no {} accesses more than ({}) of `{}`", whose, fmt::join(largest, ","), c.pointer);
  }
  if (larger) {
    const bool of_block = c.owner == Kind::block;
    r.first_failure = Instance{.block = static_cast<std::uint32_t>(of_block ? worst_owner : worst_owner >> 10),
                               .warp = static_cast<std::uint32_t>(of_block ? 0 : worst_owner >> 5 & 31),
                               .iteration = 0,
                               .caller_line = 0};
  }
  return r;
}

}  // namespace lanescope::claims
