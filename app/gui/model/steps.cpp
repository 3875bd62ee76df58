#include "app/gui/model/steps.h"

#include <algorithm>
#include <functional>

#include "results/step_index.h"

namespace lanescope::gui {
namespace {

using results::Summary;
using results::TimelineMark;

/// First mark with a step of at least `step`.
std::vector<TimelineMark>::const_iterator mark_at_or_after(const Summary& summary, std::int64_t step) {
  return std::lower_bound(summary.timeline.begin(), summary.timeline.end(), step,
                          [](const TimelineMark& m, std::int64_t s) { return static_cast<std::int64_t>(m.step) < s; });
}

const TimelineMark* mark_of(const Summary& summary, std::int64_t step) {
  const auto it = mark_at_or_after(summary, step);
  return it != summary.timeline.end() && it->step == step ? &*it : nullptr;
}

using Visit = results::LineVisit;
std::vector<Visit> visits_of(const Summary& summary, int warp) { return results::line_visits(summary, warp); }

}  // namespace

std::string launch_words(const Summary& summary, int launch) {
  std::string words = "launch " + std::to_string(launch + 1);
  if (launch >= 0 && launch < static_cast<int>(summary.launches.size()))
    words += " (" + summary.launches[static_cast<std::size_t>(launch)].kernel + ")";
  return words;
}

std::string words_of(const Recording& recording, const Summary& summary) {
  std::string words = "block " + std::to_string(recording.block);
  if (summary.launches.size() > 1)
    words += " of " + launch_words(summary, recording.launch < 0 ? summary.recorded_launch : recording.launch);
  return words;
}

std::int64_t neighbour_step(const Summary& summary, std::int64_t step, int warp, Direction direction) {
  if (direction == Direction::forward) {
    for (auto it = mark_at_or_after(summary, step + 1); it != summary.timeline.end(); ++it)
      if (it->warp == warp) return it->step;
    return -1;
  }
  for (auto it = mark_at_or_after(summary, step); it != summary.timeline.begin();)
    if ((--it)->warp == warp) return it->step;
  return -1;
}

std::int64_t neighbour_step_any_warp(const Summary& summary, std::int64_t step, Direction direction) {
  const auto it = mark_at_or_after(summary, direction == Direction::forward ? step + 1 : step);
  if (direction == Direction::forward) return it == summary.timeline.end() ? -1 : it->step;
  return it == summary.timeline.begin() ? -1 : std::prev(it)->step;
}

std::int64_t neighbour_line(const Summary& summary, std::int64_t step, int warp, Direction direction) {
  const std::vector<Visit> visits = visits_of(summary, warp);
  if (direction == Direction::forward) {
    for (const Visit& v : visits)
      if (v.last > step) return v.last;
    return -1;
  }
  for (auto it = visits.rbegin(); it != visits.rend(); ++it)
    if (it->last < step) return it->last;
  return -1;
}

std::vector<std::int64_t> line_ends(const Summary& summary, int warp) {
  std::vector<std::int64_t> ends;
  for (const Visit& v : visits_of(summary, warp)) ends.push_back(v.last);
  return ends;
}

std::int64_t first_step(const Summary& summary, int warp) {
  for (const TimelineMark& m : summary.timeline)
    if (m.warp == warp) return m.step;
  return -1;
}

std::int64_t last_step(const Summary& summary, int warp) {
  for (auto it = summary.timeline.rbegin(); it != summary.timeline.rend(); ++it)
    if (it->warp == warp) return it->step;
  return -1;
}

std::int64_t step_at_line(const Summary& summary, int line, int warp, std::int64_t step) {
  std::int64_t first = -1;
  for (const Visit& v : visits_of(summary, warp)) {
    if (v.line != line) continue;
    if (v.last > step) return v.last;
    if (first < 0) first = v.last;
  }
  return first;
}

std::optional<VisitOfLine> visit_of_step(const Summary& summary, std::int64_t step) {
  VisitOfLine out{.line = line_of_step(summary, step), .warp = warp_of_step(summary, step)};
  if (out.warp < 0) return std::nullopt;
  for (const Visit& v : visits_of(summary, out.warp)) {
    if (v.last >= step) return out;
    if (v.line == out.line) ++out.number;
  }
  return std::nullopt;
}

std::int64_t step_of_visit(const Summary& summary, const VisitOfLine& visit) {
  std::int64_t found = -1;
  int number = 0;
  for (const Visit& v : visits_of(summary, visit.warp)) {
    if (v.line != visit.line) continue;
    found = v.last;
    if (number++ == visit.number) break;
  }
  return found;
}

std::int64_t step_at_instruction(const Summary& summary, int row, int warp, std::int64_t step) {
  const bool plain = !summary.plain_code.empty();
  const auto shown_row = [&](int pc) {
    if (!plain) return pc;
    return pc >= 0 && pc < static_cast<int>(summary.plain_pcs.size()) ? summary.plain_pcs[pc] : -1;
  };
  std::int64_t first = -1;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp || shown_row(m.pc) != row) continue;
    if (static_cast<std::int64_t>(m.step) > step) return m.step;
    if (first < 0) first = m.step;
  }
  return first;
}

std::int64_t step_before_line(const Summary& summary, std::int64_t step, int warp) {
  // Backwards from the step, not over the whole run: the window requests in every frame. A mark without a line belongs to the
  // visit before it.
  auto it = mark_at_or_after(summary, step + 1);
  const auto earlier = [&]() -> const TimelineMark* {
    while (it != summary.timeline.begin())
      if ((--it)->warp == warp) return &*it;
    return nullptr;
  };
  const TimelineMark* here = earlier();
  if (here == nullptr) return -1;
  const std::int64_t here_step = here->step;
  std::int64_t unlined = -1;  // the last mark before the visit, if that has no line
  int line = 0;
  const TimelineMark* mark = here;
  for (; mark != nullptr && (mark->line == 0 || line == 0 || mark->line == line); mark = earlier()) {
    if (mark->line != 0)
      line = mark->line, unlined = -1;
    else if (line != 0 && unlined < 0)
      unlined = mark->step;
  }
  if (here_step < step) {  // `step` is another warp's, perhaps between two visits
    const std::int64_t next = neighbour_step(summary, step, warp, Direction::forward);
    const int next_line = next < 0 ? -1 : line_of_step(summary, next);
    if (next < 0 || (next_line != 0 && next_line != line)) return here_step;
  }
  return unlined >= 0 ? unlined : mark == nullptr ? -1 : std::int64_t{mark->step};
}

std::int64_t step_after_shuffle(const Summary& summary, int warp) {
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp || m.kind != trace::StepKind::shuffle) continue;
    const std::int64_t end = step_at_line(summary, m.line, warp, static_cast<std::int64_t>(m.step) - 1);
    const std::int64_t next = neighbour_line(summary, end, warp, Direction::forward);
    return next < 0 ? end : next;
  }
  return -1;
}

std::int64_t step_of_claim(const Summary& summary, const results::ClaimInfo& claim, int warp) {
  std::int64_t after_claim = -1;
  const bool after = claim.result.verdict == claims::Verdict::holds && claim.result.after_line > 0;
  const int from = after ? claim.result.after_line + 1 : claim.claim.first_line;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp || m.line < from) continue;
    if (m.kind == trace::StepKind::probe) return m.step;
    if (after_claim < 0) after_claim = m.step;
  }
  if (after_claim >= 0) return after_claim;
  return last_step(summary, warp);
}

bool reaches_global(const Summary& summary, int line) {
  return std::any_of(summary.counters.begin(), summary.counters.end(),
                     [&](const results::LineCounters& c) { return c.line == line && c.global_requests > 0; });
}

std::int64_t earlier_global_step(const Summary& summary, std::int64_t step, int warp) {
  for (auto it = mark_at_or_after(summary, step); it != summary.timeline.begin();) {
    const TimelineMark& mark = *--it;
    const bool memory = mark.kind == trace::StepKind::load || mark.kind == trace::StepKind::store ||
                        mark.kind == trace::StepKind::atomic;
    if (memory && mark.warp == warp && reaches_global(summary, mark.line)) return mark.step;
  }
  return -1;
}

int line_of_step(const Summary& summary, std::int64_t step) {
  const TimelineMark* m = mark_of(summary, step);
  if (m == nullptr) return -1;
  // A mark without a line belongs to the visit before it: a constant of a probe has none, for instance.
  const TimelineMark* before = m;
  while (before != summary.timeline.data() && (before->line == 0 || before->warp != m->warp)) --before;
  return before->warp == m->warp ? before->line : 0;
}

int warp_of_step(const Summary& summary, std::int64_t step) {
  const TimelineMark* m = mark_of(summary, step);
  return m == nullptr ? -1 : m->warp;
}

StepCount count_in_warp(const Summary& summary, std::int64_t step, int warp) {
  StepCount count;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp) continue;
    ++count.of;
    if (static_cast<std::int64_t>(m.step) <= step) ++count.number;
  }
  return count;
}

StepCount iteration_of(const Summary& summary, std::int64_t step) {
  StepCount count;
  const TimelineMark* mark = mark_of(summary, step);
  if (mark == nullptr || mark->pc < 0) return count;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != mark->warp || m.pc != mark->pc) continue;
    ++count.of;
    if (static_cast<std::int64_t>(m.step) <= step) ++count.number;
  }
  return count;
}

ClaimTally tally(const Summary& summary) {
  ClaimTally t;
  for (const results::ClaimInfo& c : summary.claims) {
    switch (c.result.verdict) {
      case claims::Verdict::holds:
        ++t.holds;
        break;
      case claims::Verdict::differs:
        ++t.differs;
        break;
      case claims::Verdict::unchecked:
        ++t.unchecked;
        break;
    }
  }
  return t;
}

// --- where a kernel opens -----------------------------------------------------------------------------------------------

namespace {

using trace::StepKind;

class Opening {
 public:
  Opening(const results::Summary& summary, int warp) : summary_(summary), warp_(warp) {}

  std::int64_t choose() const {
    for (const std::int64_t step : {step_after_shuffle(summary_, warp_), at_claim(), at_finding(),
                                    at_mark([](const TimelineMark& m) { return m.kind == StepKind::atomic; }),
                                    at_mark([this](const TimelineMark& m) { return reaches_shared(m); }), after_load(),
                                    at_mark([](const TimelineMark& m) { return m.kind == StepKind::store; })}) {
      if (is_good(step)) return step;
    }
    return last_before_exit();
  }

 private:
  const TimelineMark* mark_at(std::int64_t step) const {
    const auto at = std::ranges::lower_bound(summary_.timeline, step, {},
                                             [](const TimelineMark& m) { return static_cast<std::int64_t>(m.step); });
    return at != summary_.timeline.end() && at->step == step ? &*at : nullptr;
  }

  bool is_good(std::int64_t step) const {
    const TimelineMark* mark = step < 0 ? nullptr : mark_at(step);
    return mark != nullptr && mark->kind != StepKind::exit;
  }

  std::int64_t at_claim() const {
    for (const results::ClaimInfo& c : summary_.claims) {
      if (c.result.verdict == claims::Verdict::unchecked) continue;
      if (const std::int64_t step = step_of_claim(summary_, c, warp_); is_good(step)) return step;
    }
    return -1;
  }

  std::int64_t at_finding() const {
    for (const results::FindingInfo& f : summary_.findings)
      if (is_good(f.step)) return f.step;
    return -1;
  }

  std::int64_t at_mark(const std::function<bool(const TimelineMark&)>& wanted) const {
    for (const TimelineMark& m : summary_.timeline)
      if (m.warp == warp_ && wanted(m)) return m.step;
    return -1;
  }

  bool reaches_shared(const TimelineMark& m) const {
    return (m.kind == StepKind::load || m.kind == StepKind::store) &&
           std::ranges::any_of(summary_.counters, [&](const results::LineCounters& c) {
             return m.line > 0 && c.line == m.line && c.shared_requests > 0;
           });
  }

  /// The end of the line of the first load of global memory: its value is in a register.
  std::int64_t after_load() const {
    const std::int64_t load =
        at_mark([this](const TimelineMark& m) { return m.kind == StepKind::load && reaches_global(summary_, m.line); });
    if (load < 0) return -1;
    const std::int64_t end = step_at_line(summary_, line_of_step(summary_, load), warp_, load - 1);
    return is_good(end) ? end : load;
  }

  std::int64_t last_before_exit() const {
    std::int64_t step = last_step(summary_, warp_);
    while (step >= 0 && !is_good(step)) step = neighbour_step(summary_, step, warp_, Direction::back);
    return step >= 0 ? step : last_step(summary_, warp_);
  }

  const results::Summary& summary_;
  int warp_;
};

}  // namespace

std::int64_t instructive_step(const Summary& summary, int warp) { return Opening(summary, warp).choose(); }

}  // namespace lanescope::gui
