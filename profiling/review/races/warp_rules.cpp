// Loops that end only because each lane has its own program counter.

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {

void warp_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    for (const Lockstep::Wait& w : ran.seen->lockstep().waits()) {
      const int polls = line_of(input, *ran.launch, w.polls.pc), writes = line_of(input, *ran.launch, w.writes.pc);
      const auto waiting = static_cast<std::uint64_t>(__builtin_popcount(w.polls.active));
      Finding f = finding(
          "lockstep-hang", polls, ran.launch->code[w.polls.pc].column,
          fmt::format(
              "{} of block {}, warp {} {} in a loop for lane {} of their own warp, which ends it in line {}: this "
              "would hang on GPUs before compute capability 7.0, whose lanes run in lockstep",
              counted(waiting, "lane", "lanes"), w.polls.block, w.polls.warp, waiting == 1 ? "waits" : "wait", w.writer,
              writes));
      f.evidence = evidence_of(*ran.launch, i, w.polls);
      f.evidence.sides = {{.does = "waits in a loop",
                           .line = polls,
                           .block = w.polls.block,
                           .warp = static_cast<int>(w.polls.warp),
                           .lane = __builtin_ctz(w.polls.active)},
                          {.does = "ends the wait",
                           .line = writes,
                           .block = w.writes.block,
                           .warp = static_cast<int>(w.writes.warp),
                           .lane = w.writer}};
      out.push_back(std::move(f));
    }
  }
}

}  // namespace lanescope::review
