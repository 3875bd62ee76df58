#include "app/engine/prepare/execution.h"

namespace lanescope::engine {

trace::Observer* GridWatch::before(std::size_t launch) {
  const std::vector<trace::Launch>& all = program_.launches;
  const trace::Launch& l = all[launch];
  if (l.depth == 0) {
    if (!trees_.empty()) trees_.back().races->launch_ended();
    by_depth_.clear();
    if (launch + 1 == all.size() || all[launch + 1].depth == 0) return nullptr;
    std::map<std::string, std::vector<trace::CodeSite>> code;
    for (std::size_t i = launch; i < all.size() && (i == launch || all[i].depth > 0); ++i)
      if (!code.contains(all[i].kernel)) code[all[i].kernel] = sites_of(program_, all[i]);
    trees_.push_back({launch, std::make_unique<races::GridRaces>(code, areas_)});
    trees_.back().races->begin(l);
    return trees_.back().races.get();
  }
  if (trees_.empty()) return nullptr;
  races::GridRaces& races = *trees_.back().races;
  by_depth_.resize(std::min<std::size_t>(by_depth_.size(), l.depth));
  if (by_depth_.size() == l.depth) {
    Launched& parent = by_depth_.back();
    if (parent.next < parent.grids.size()) {
      const trace::DeviceLaunch& by = parent.grids[parent.next++];
      if (by.launch.kernel == l.kernel && by.launch.grid == l.grid && by.launch.block == l.block) {
        races.begin(by);
        return &races;
      }
    }
  }
  races.give_up();
  return &races;
}

void GridWatch::after(std::size_t launch, const std::vector<trace::DeviceLaunch>& launched) {
  const std::uint32_t depth = program_.launches[launch].depth;
  if (trees_.empty() || depth > by_depth_.size()) return;
  by_depth_.resize(depth);
  by_depth_.push_back({launched, 0});
}

std::vector<WatchedTree> GridWatch::take() {
  if (!trees_.empty()) trees_.back().races->launch_ended();
  return std::move(trees_);
}

}  // namespace lanescope::engine
