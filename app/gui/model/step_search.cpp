#include "app/gui/model/step_search.h"

#include <algorithm>

#include "kernels/base/numbers.h"

namespace lanescope::gui {

QueryContext StepSearch::context() const {
  // "r3" is of the array whose assignment is shown, else of the last one.
  const ShownRegisters shown = navigation_.shown_registers();
  const int last = shown.families.empty() ? -1 : shown.families.back();
  return {.warp = navigation_.selection.warp,
          .family = shown.assignment >= 0 ? shown.assignment : last,
          .step = navigation_.selection.step};
}

const StepSearch::Found& StepSearch::find(const std::string& asked) const {
  Asked now{.text = asked, .at = context(), .version = results_.version};
  Found& found = last_found_;
  if (now == last_asked_) return found;
  last_asked_ = std::move(now);
  found = {};
  if (!results_.have) {
    found.problem = "There is no result yet.";
    return found;
  }
  const QueryContext& here = last_asked_.at;
  auto query = parse_step_query(asked, results_.summary, here);
  if (!query) {
    found.problem = std::move(query.error());
    return found;
  }
  found.query = std::move(*query);
  found.steps = find_steps(results_.summary, results_.index, found.query, here);
  return found;
}

void StepSearch::refresh() {
  if (text.empty()) {
    if (!hits_.empty() || !problem_.empty() || !asked_.empty()) ++version_;
    hits_.clear(), problem_.clear(), asked_.clear();
    fresh_ = true;
    return;
  }
  const QueryContext here = context();
  const bool moves = query_.iteration >= 0;  // what it finds depends on the step
  const bool same = text == asked_ && results_.version == asked_version_ &&
                    (!query_.own_warp || here.warp == asked_at_.warp) && here.family == asked_at_.family &&
                    (!moves || here.step == asked_at_.step);
  if (same) return;
  fresh_ = fresh_ || text != asked_;
  const Found& found = find(text);
  asked_ = text, asked_at_ = here, asked_version_ = results_.version;
  query_ = found.query, problem_ = found.problem, hits_ = found.steps;
  ++version_;
}

std::string StepSearch::count_words() const {
  if (asked_.empty() || !problem_.empty()) return {};
  if (hits_.empty()) return "none";
  const std::int64_t step = navigation_.selection.step;
  const auto at = std::ranges::lower_bound(hits_, step, {}, [](std::uint32_t s) { return std::int64_t{s}; });
  if (at == hits_.end() || std::int64_t{*at} != step) return counted(hits_.size(), "step");
  return spaced(static_cast<std::uint64_t>(at - hits_.begin()) + 1) + " of " + spaced(hits_.size());
}

std::string StepSearch::nothing_words() const {
  if (query_.iteration >= 0) return "There is no such iteration.";
  if (query_.own_warp) {
    StepQuery anywhere = query_;
    anywhere.warp = -1;
    const std::size_t others = find_steps(results_.summary, results_.index, anywhere, context()).size();
    const std::string here = "No step of warp " + std::to_string(query_.warp) + " matches";
    return others == 0 ? "No step of this block matches."
                       : here + "; " + counted(others, "step") + " of other warps: add \"any warp\".";
  }
  return "No step matches.";
}

std::string StepSearch::go_on() {
  refresh();
  return go(query_.last ? Direction::back : Direction::forward);
}

std::string StepSearch::go(Direction direction) {
  refresh();
  if (text.empty()) return "There is nothing to search for. Type it on the timeline.";
  if (!problem_.empty()) return problem_;
  if (hits_.empty()) return nothing_words();
  const std::int64_t step = navigation_.selection.step;
  if (hits_.size() == 1 && std::int64_t{hits_.front()} == step) return "This is the only step found.";
  const auto at_or_after = [&](std::int64_t from) {
    return std::ranges::lower_bound(hits_, from, {}, [](std::uint32_t s) { return std::int64_t{s}; });
  };
  std::string remark;
  std::uint32_t to = hits_.front();
  if (direction == Direction::forward) {
    const auto next = at_or_after(step + 1);
    if (next == hits_.end())
      remark = "This was the last one. The search continues at the first.";
    else
      to = *next;
  } else {
    // "Last written" may be what the current step did; asked again, it is what was before.
    const auto next = at_or_after(fresh_ ? step + 1 : step);
    if (next == hits_.begin()) remark = "This was the first one. The search continues at the last.";
    to = next == hits_.begin() ? hits_.back() : *std::prev(next);
  }
  fresh_ = false;
  navigation_.playing = false;
  navigation_.go_to_step(to);
  return remark;
}

}  // namespace lanescope::gui
