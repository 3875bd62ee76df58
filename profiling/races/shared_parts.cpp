// Shared memory of blocks that run beside each other.

#include <algorithm>
#include <numeric>

#include "profiling/races/races.h"

namespace lanescope::races {

bool RaceObserver::parts_are_possible() const {
  const auto only_exits = [](const Instruction& i) { return !i.acts || (i.exits && i.copies == CopyGroup::none); };
  return judged_ && !in_parts_ && !clusters_ && !with_ && without_.empty() && first_blocks_.empty() &&
         std::ranges::all_of(instructions_, [&](const Instruction& i) {
           return only_exits(i) && i.fence == Scope::none && !i.fences_inits && !i.of_warp && !i.object;
         });
}

RaceObserver::RaceObserver(const RaceObserver& whole, const trace::Launch& launch, OfSharedMemory)
    : instructions_(whole.instructions_),
      budget_(whole.budget_),
      order_(launch),
      narrow_(whole.narrow_),
      least_row_lanes_(whole.least_row_lanes_) {}

void RaceObserver::take_shared(const RaceObserver& part, std::uint64_t first_step) {
  unwatched_ += part.unwatched_;
  dropped_ += part.dropped_;
  if (part.races_.empty()) return;
  const auto later = [&](Side& side) { side.step += first_step; };
  for (const auto& [key, number] : part.race_of_) {
    Race theirs = part.races_[number];
    later(theirs.first), later(theirs.second);
    std::ranges::for_each(theirs.own_reads, later);
    const auto [at, fresh] = race_of_.try_emplace(key, races_.size());
    if (fresh) {
      races_.push_back(std::move(theirs));
      first_at_.push_back(part.first_at_[number] + first_step);
      continue;
    }
    Race& known = races_[at->second];
    const std::uint64_t times = known.times + theirs.times;
    // As in add_pair(): shown is the first pair, or the first whose reads are known.
    if (known.own_reads.empty() && !theirs.own_reads.empty())
      known = std::move(theirs);
    else if (known.own_reads.empty())
      known.updates = known.updates || theirs.updates;
    known.times = times;
  }
  // In the order of their first occurrence, those in global memory among them.
  std::vector<std::size_t> order(races_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Of one step, in the order of the part.
  std::vector<std::size_t> place(races_.size());
  for (const auto& [key, number] : race_of_) {
    const auto theirs = part.race_of_.find(key);
    place[number] = theirs != part.race_of_.end() ? theirs->second : 0;
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (first_at_[a] != first_at_[b]) return first_at_[a] < first_at_[b];
    return first_at_[a] >= first_step && place[a] != place[b] ? place[a] < place[b] : a < b;
  });
  std::vector<Race> races;
  std::vector<std::uint64_t> first_at;
  std::vector<std::size_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    races.push_back(std::move(races_[order[i]]));
    first_at.push_back(first_at_[order[i]]);
    now[order[i]] = i;
  }
  races_ = std::move(races);
  first_at_ = std::move(first_at);
  for (auto& [key, number] : race_of_) number = now[number];
}

}  // namespace lanescope::races
