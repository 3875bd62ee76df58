#include "results/step_index.h"

#include <algorithm>

namespace lanescope::results {
namespace {

/// One stay of a warp in a loop; positions count the marks of the warp.
struct LoopVisit {
  std::vector<std::size_t> starts;  ///< of its iterations
  std::size_t end = 0;              ///< half open
};

bool within(const LoopInfo& loop, std::int32_t pc) { return pc >= loop.first_pc && pc <= loop.last_pc; }

std::vector<LoopVisit> loop_visits(const Summary& summary, const StepIndex& index, const LoopInfo& loop, int warp) {
  std::vector<bool> calls(summary.code.size());
  for (std::size_t pc = 0; pc < calls.size(); ++pc) calls[pc] = opcode_of(summary.code[pc]).starts_with("call");
  std::vector<LoopVisit> visits;
  bool inside = false, called = false;
  std::int32_t before = -1;
  const auto marks = index.of_warp(warp);
  for (std::size_t n = 0; n < marks.size(); ++n) {
    const std::int32_t pc = summary.timeline[marks[n]].pc;
    if (within(loop, pc)) {
      if (!inside)
        visits.push_back({.starts = {n}});
      else if (pc == loop.first_pc && !called)
        visits.back().starts.push_back(n);
      inside = true, called = false;
      visits.back().end = n + 1;
    } else if (inside) {
      called = called || (before >= 0 && static_cast<std::size_t>(before) < calls.size() && calls[before]);
      inside = called;
      if (called) visits.back().end = n + 1;
    }
    before = pc;
  }
  return visits;
}

const LoopVisit* visit_at(const std::vector<LoopVisit>& visits, std::size_t position) {
  const auto at = std::ranges::partition_point(visits, [&](const LoopVisit& v) { return v.end <= position; });
  return at != visits.end() && at->starts.front() <= position ? &*at : nullptr;
}

std::size_t ordinal_in(const LoopVisit& visit, std::size_t position) {
  return static_cast<std::size_t>(std::ranges::upper_bound(visit.starts, position) - visit.starts.begin());
}

/// The position of a step among the marks of its warp.
std::optional<std::size_t> position_of(const Summary& summary, const StepIndex& index, int warp, std::int64_t step) {
  const auto marks = index.of_warp(warp);
  const std::size_t n = index.before(summary, warp, step);
  if (n >= marks.size() || static_cast<std::int64_t>(summary.timeline[marks[n]].step) != step) return std::nullopt;
  return n;
}

}  // namespace

std::vector<Iteration> iterations_at(const Summary& summary, const StepIndex& index, int warp, std::int64_t step) {
  std::vector<Iteration> all;
  const auto position = position_of(summary, index, warp, step);
  if (!position) return all;
  const auto marks = index.of_warp(warp);
  for (std::size_t i = 0; i < summary.loops.size(); ++i) {
    const auto visits = loop_visits(summary, index, summary.loops[i], warp);
    const LoopVisit* visit = visit_at(visits, *position);
    if (visit == nullptr) continue;
    const std::size_t number = ordinal_in(*visit, *position);
    const std::size_t end = number < visit->starts.size() ? visit->starts[number] : visit->end;
    all.push_back({.loop = static_cast<int>(i),
                   .number = static_cast<std::int64_t>(number),
                   .of = static_cast<std::int64_t>(visit->starts.size()),
                   .first_step = summary.timeline[marks[visit->starts[number - 1]]].step,
                   .last_step = summary.timeline[marks[end - 1]].step});
  }
  std::ranges::stable_sort(all, {}, [&](const Iteration& it) {
    const LoopInfo& loop = summary.loops[static_cast<std::size_t>(it.loop)];
    return loop.last_pc - loop.first_pc;
  });
  return all;
}

std::int64_t step_in_iteration(const Summary& summary, const StepIndex& index, int loop, int warp, std::int64_t step,
                               std::int64_t number) {
  if (loop < 0 || static_cast<std::size_t>(loop) >= summary.loops.size() || number < 1) return -1;
  const auto visits = loop_visits(summary, index, summary.loops[static_cast<std::size_t>(loop)], warp);
  if (visits.empty()) return -1;
  const auto marks = index.of_warp(warp);
  const std::size_t here = index.before(summary, warp, step);
  const auto next = std::ranges::partition_point(visits, [&](const LoopVisit& v) { return v.end <= here; });
  const LoopVisit& visit = next == visits.end() ? visits.front() : *next;
  if (number > static_cast<std::int64_t>(visit.starts.size())) return -1;
  const auto wanted = static_cast<std::size_t>(number);
  const std::size_t first = visit.starts[wanted - 1];
  const std::size_t end = wanted < visit.starts.size() ? visit.starts[wanted] : visit.end;
  if (const auto position = position_of(summary, index, warp, step)) {
    const std::int32_t pc = summary.timeline[marks[*position]].pc;
    for (std::size_t n = first; n < end; ++n)
      if (summary.timeline[marks[n]].pc == pc) return summary.timeline[marks[n]].step;
  }
  return summary.timeline[marks[first]].step;
}

std::vector<int> loops_of(const Summary& summary, const StepIndex& index, int warp) {
  std::vector<bool> entered(summary.loops.size());
  for (const std::uint32_t mark : index.of_warp(warp))
    for (std::size_t i = 0; i < entered.size(); ++i)
      entered[i] = entered[i] || within(summary.loops[i], summary.timeline[mark].pc);
  std::vector<int> loops;
  for (std::size_t i = 0; i < entered.size(); ++i)
    if (entered[i]) loops.push_back(static_cast<int>(i));
  return loops;
}

}  // namespace lanescope::results
