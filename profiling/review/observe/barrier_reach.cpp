#include "profiling/review/observe/shared_order.h"

#include <tuple>

#include "profiling/review/observe/barrier_text.h"

namespace lanescope::review {

BarrierReach::BarrierReach(const LaunchReview& launch)
    : launch_(launch), threads_(launch.launch.block.count()), place_of_(launch.code.size(), -1) {
  std::map<std::tuple<int, int, int, std::size_t>, int> places;
  for (std::size_t pc = 0; pc < launch.code.size(); ++pc) {
    const trace::CodeSite& site = launch.code[pc];
    if (site.kind != trace::StepKind::barrier || !of_whole_block(site.text)) continue;
    const bool known = site.line > 0;
    const auto at = places.try_emplace({site.line, site.column, site.inner_line, known ? 0 : pc + 1},
                                       static_cast<int>(pcs_.size()));
    if (at.second) pcs_.emplace_back();
    place_of_[pc] = at.first->second;
    pcs_[static_cast<std::size_t>(at.first->second)].push_back(static_cast<std::uint32_t>(pc));
  }
  for (std::size_t pc = 0; pc < launch.entry->code.size(); ++pc)
    for (const ptx::Operand& o : launch.entry->code[pc].operands)
      if (o.kind == ptx::Operand::Kind::label && o.target >= 0 && static_cast<std::size_t>(o.target) <= pc)
        loops_.emplace_back(static_cast<std::uint32_t>(o.target), static_cast<std::uint32_t>(pc));
}

BarrierReach BarrierReach::part() const {
  BarrierReach out = *this;
  out.blocks_.clear();
  out.last_ = nullptr;
  out.partial_.clear();
  return out;
}

void BarrierReach::take(const BarrierReach& part, std::uint64_t first_step) {
  for (const Partial& theirs : part.partial_) {
    const auto known = std::ranges::find(partial_, theirs.place, &Partial::place);
    if (known != partial_.end()) {
      known->blocks += theirs.blocks;
      known->continues |= theirs.continues;
      continue;
    }
    partial_.push_back(theirs);
    partial_.back().first.step += first_step;
  }
}

BarrierReach::Block& BarrierReach::block(std::uint32_t number) {
  if (last_ != nullptr && last_number_ == number) return *last_;
  last_number_ = number;
  last_ = &blocks_[number];
  if (last_->furthest.empty()) last_->furthest.assign((threads_ + 31) / 32 * 32, 0);
  return *last_;
}

void BarrierReach::barrier(const trace::Where& where) {
  if (where.pc >= place_of_.size() || place_of_[where.pc] < 0) return;
  Block& b = block(where.block);
  const int place = place_of_[where.pc];
  std::vector<std::uint32_t>& times = b.times[place];
  if (times.empty()) {
    times.assign(b.furthest.size(), 0);
    b.first.emplace(place, where);
  }
  for (std::size_t lane = 0; lane < 32; ++lane) times[where.warp * 32 + lane] += where.active >> lane & 1;
}

void BarrierReach::access(const trace::Where& where) {
  if (pcs_.empty()) return;
  std::uint32_t* const furthest = block(where.block).furthest.data() + std::size_t{where.warp} * 32;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    furthest[lane] = (where.active >> lane & 1) != 0 ? std::max(furthest[lane], where.pc) : furthest[lane];
}

void BarrierReach::block_ends(std::uint32_t number) {
  const auto at = blocks_.find(number);
  if (at == blocks_.end()) return;
  for (const auto& [place, times] : at->second.times) judge(number, at->second, place, times);
  blocks_.erase(at);
  last_ = nullptr;
}

void BarrierReach::judge(std::uint32_t number, const Block& b, int place, const std::vector<std::uint32_t>& times) {
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(threads_);
  const auto [least, most] = std::minmax_element(times.begin(), end);
  if (*least == *most) return;
  bool continues = false;
  for (std::size_t t = 0; t < threads_; ++t) continues |= times[t] < *most && b.furthest[t] > pc_of(place);
  const auto known = std::ranges::find(partial_, place, &Partial::place);
  if (known != partial_.end()) {
    ++known->blocks;
    known->continues |= continues;
    return;
  }
  partial_.push_back(
      {.place = place,
       .block = number,
       .threads = threads_,
       .reached = static_cast<std::uint64_t>(std::count_if(times.begin(), end, [](auto n) { return n > 0; })),
       .least = *least,
       .most = *most,
       .continues = continues,
       .other = instead(b, place, times),
       .blocks = 1,
       .first = b.first.at(place)});
}

/// A place that threads with fewer visits reach more often than the others.
int BarrierReach::instead(const Block& b, int place, const std::vector<std::uint32_t>& times) const {
  const std::uint32_t most = *std::ranges::max_element(times);
  for (const auto& [other, theirs] : b.times) {
    if (other == place) continue;
    std::uint32_t of_missing = 0, of_others = ~0u;
    for (std::size_t t = 0; t < threads_; ++t)
      if (times[t] < most)
        of_missing = std::max(of_missing, theirs[t]);
      else
        of_others = std::min(of_others, theirs[t]);
    if (of_missing > of_others) return other;
  }
  return -1;
}

bool BarrierReach::in_one_loop(std::uint32_t low, std::uint32_t high) const {
  return std::ranges::any_of(loops_, [&](const auto& loop) { return loop.first <= low && high <= loop.second; });
}

bool BarrierReach::would_order(std::uint32_t pc, std::uint32_t other_pc) const {
  const auto [low, high] = std::minmax(pc, other_pc);
  const std::size_t in_kernel = launch_.entry->code.size();
  for (const Partial& p : partial_) {
    if (p.harmless()) continue;
    for (const std::uint32_t at : pcs_[static_cast<std::size_t>(p.place)]) {
      // The order of the code is unknown across functions.
      const bool apart = (at < in_kernel) != (low < in_kernel) || (at < in_kernel) != (high < in_kernel);
      if (apart || (low < at && at < high) || in_one_loop(std::min(low, at), std::max(high, at))) return true;
    }
  }
  return false;
}

}  // namespace lanescope::review
