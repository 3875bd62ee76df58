#include "profiling/races/order.h"

#include <algorithm>
#include <queue>

namespace lanescope::races {

std::uint64_t known_before(const Known& known, std::uint64_t thread) {
  if (known == nullptr) return 0;
  const auto after = std::ranges::upper_bound(*known, thread, {}, &Range::first);
  if (after == known->begin()) return 0;
  const Range& at = *(after - 1);
  return thread < at.end ? at.before : 0;
}

Ranges united(Ranges ranges) {
  std::erase_if(ranges, [](const Range& r) { return r.first >= r.end || r.before == 0; });
  std::ranges::sort(ranges, {}, &Range::first);
  Ranges out;
  const auto append = [&](std::uint64_t first, std::uint64_t end, std::uint64_t before) {
    if (first >= end) return;
    if (!out.empty() && out.back().end == first && out.back().before == before)
      out.back().end = end;
    else
      out.push_back({first, end, before});
  };
  // A sweep over the threads with the ranges that are open there, the most knowing one on top.
  const auto less = [](const Range& a, const Range& b) { return a.before < b.before; };
  std::priority_queue<Range, std::vector<Range>, decltype(less)> open(less);
  std::uint64_t at = 0;
  std::size_t next = 0;
  while (next < ranges.size() || !open.empty()) {
    while (!open.empty() && open.top().end <= at) open.pop();
    if (open.empty()) {
      if (next == ranges.size()) break;
      at = std::max(at, ranges[next].first);
    }
    while (next < ranges.size() && ranges[next].first <= at) open.push(ranges[next++]);
    while (!open.empty() && open.top().end <= at) open.pop();
    if (open.empty()) continue;
    const Range top = open.top();
    const std::uint64_t end = next < ranges.size() ? std::min(top.end, ranges[next].first) : top.end;
    append(at, end, top.before);
    at = end;
  }
  return out;
}

void Gathering::add(const Known& known) {
  if (known == nullptr || known->empty()) return;
  if (std::ranges::find(whole_, known) == whole_.end()) whole_.push_back(known);
}

Known Gathering::take() {
  if (empty()) return nullptr;
  if (ranges_.empty() && whole_.size() == 1) return whole_.front();
  Ranges all = std::move(ranges_);
  for (const Known& k : whole_) all.insert(all.end(), k->begin(), k->end());
  return std::make_shared<const Ranges>(united(std::move(all)));
}

}  // namespace lanescope::races
