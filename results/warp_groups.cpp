#include "results/warp_groups.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "results/summary.h"

namespace lanescope::results {
namespace {

struct Run {
  int first = 0, last = 0, step = 1;
};

/// Stretches of neighbours, or of three lanes and more at equal distances.
std::vector<Run> runs_of(std::uint32_t lanes) {
  std::vector<int> all;
  for (int lane = 0; lane < 32; ++lane)
    if ((lanes >> lane & 1) != 0) all.push_back(lane);
  std::vector<Run> runs;
  for (std::size_t at = 0; at < all.size();) {
    Run run{.first = all[at], .last = all[at]};
    if (at + 1 < all.size()) {
      const int step = all[at + 1] - all[at];
      std::size_t end = at + 1;
      while (end < all.size() && all[end] - all[end - 1] == step) ++end;
      if (step == 1 || end - at > 2) run.step = step, run.last = all[end - 1];
    }
    at += static_cast<std::size_t>((run.last - run.first) / run.step) + 1;
    runs.push_back(run);
  }
  return runs;
}

std::string step_words(std::int64_t step) { return "step " + spaced(static_cast<std::uint64_t>(step + 1)); }

std::string at_line(const Summary& summary, int line) {
  return line > 0 ? " of " + summary.lines.words(line) : std::string();
}

}  // namespace

std::string lanes_words(std::uint32_t lanes) {
  if (lanes == 0) return "no lane";
  if (lanes == ~0u) return "all lanes";
  if (std::has_single_bit(lanes)) return fmt::format("lane {}", std::countr_zero(lanes));
  std::string words = "lanes ";
  const std::vector<Run> runs = runs_of(lanes);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    if (n > 0) words += ", ";
    if (n == 4 && runs.size() > 5) return words + fmt::format("… ({} lanes)", std::popcount(lanes));
    words += std::to_string(runs[n].first);
    if (runs[n].last > runs[n].first) words += fmt::format("–{}", runs[n].last);
    if (runs[n].step > 1) words += fmt::format(" step {}", runs[n].step);
  }
  return words;
}

std::string wait_words(const Summary& summary, const Wait& wait) {
  std::string what;
  switch (wait.kind) {
    case Wait::Kind::block_barrier:
      what = fmt::format("barrier {}{}", wait.object, at_line(summary, wait.line));
      break;
    case Wait::Kind::warp_sync:
      what = "the warp-wide operation" + at_line(summary, wait.line);
      break;
    case Wait::Kind::barrier_object:
      what = fmt::format("the mbarrier at byte {} of shared memory{}", wait.object, at_line(summary, wait.line));
      break;
  }
  const std::string who = fmt::format("{} of warp {} {} at {}", lanes_words(wait.lanes), wait.warp,
                                      std::has_single_bit(wait.lanes) ? "waits" : "wait", what);
  if (wait.until < 0) return who + " from " + step_words(wait.from) + " on and never continue in this record";
  const std::string when = fmt::format(" from {} to {}", step_words(wait.from), step_words(wait.until));
  if (wait.last_warp < 0) return who + when;
  const std::string last = wait.last_warp == wait.warp
                               ? lanes_words(wait.last_lanes)
                               : fmt::format("warp {}, {}", wait.last_warp, lanes_words(wait.last_lanes));
  return who + when + ": the last to come " + (std::has_single_bit(wait.last_lanes) ? "is " : "are ") + last;
}

std::string change_words(const Summary& summary, const GroupChange& change) {
  const auto mark = std::ranges::lower_bound(summary.timeline, change.step, {}, &TimelineMark::step);
  const bool known = mark != summary.timeline.end() && mark->step == change.step && mark->line > 0;
  const std::string where = (known ? summary.lines.words(mark->line) + ", " : std::string()) + step_words(change.step);
  return fmt::format("{} and {} of warp {} {} at {}", lanes_words(change.part),
                     lanes_words(change.lanes & ~change.part), change.warp, change.meets ? "meet again" : "part",
                     where);
}

}  // namespace lanescope::results
