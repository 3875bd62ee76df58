#include "app/gui/state/opening.h"

#include <algorithm>
#include <functional>

#include "app/gui/state/steps.h"

namespace lanescope::gui {
namespace {

using results::TimelineMark;
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

std::int64_t instructive_step(const results::Summary& summary, int warp) { return Opening(summary, warp).choose(); }

}  // namespace lanescope::gui
