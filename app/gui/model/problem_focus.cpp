#include <algorithm>
#include <utility>

#include "app/gui/model/arrangement.h"
#include "app/gui/model/focus.h"
#include "app/gui/model/results.h"
#include "app/gui/model/steps.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

int index_of(const std::vector<results::Problem>& problems, const results::Problem& wanted) {
  const auto at = std::ranges::find_if(problems, [&](const results::Problem& p) { return p.same_as(wanted); });
  return at == problems.end() ? -1 : static_cast<int>(at - problems.begin());
}

bool reaches_memory(trace::StepKind kind) {
  return kind == trace::StepKind::load || kind == trace::StepKind::store || kind == trace::StepKind::atomic;
}

/// Of `warp` (-1: any), on the line: the first that reaches memory, else the last one.
std::int64_t step_on_line(const results::Summary& summary, int line, int warp) {
  std::int64_t last = -1;
  for (const results::TimelineMark& mark : summary.timeline) {
    if (mark.line != line || (warp >= 0 && mark.warp != warp)) continue;
    if (reaches_memory(mark.kind)) return mark.step;
    last = mark.step;
  }
  return last;
}

}  // namespace

const results::Problem* ProblemFocus::chosen() const {
  return current_ >= 0 && current_ < static_cast<int>(results_.problems.size())
             ? &results_.problems[static_cast<std::size_t>(current_)]
             : nullptr;
}

int ProblemFocus::first_of(Severity severity) const {
  const auto at = std::ranges::find(results_.problems, severity, &results::Problem::severity);
  return at == results_.problems.end() ? -1 : static_cast<int>(at - results_.problems.begin());
}

int ProblemFocus::first_assumed() const {
  const auto at = std::ranges::find_if(
      results_.problems, [](const results::Problem& p) { return p.assumed && p.severity == Severity::error; });
  return at == results_.problems.end() ? -1 : static_cast<int>(at - results_.problems.begin());
}

int ProblemFocus::neighbour(int by) const {
  const int count = static_cast<int>(results_.problems.size());
  if (count == 0) return -1;
  if (current_ < 0) return by > 0 ? 0 : count - 1;
  return (current_ + by + count) % count;
}

std::optional<Recording> ProblemFocus::show(int index) {
  if (index < 0 || index >= static_cast<int>(results_.problems.size())) return std::nullopt;
  current_ = index, party_ = -1;
  const results::Problem problem = results_.problems[static_cast<std::size_t>(index)];
  const results::Summary& summary = results_.summary;
  navigation_.playing = false;
  memory_.dismiss_evidence();
  if (results_.failed) {  // its line is one of the text on screen, not of the last good run
    if (results_.lines.in_header(problem.line))
      navigation_.reveal_line = problem.line;
    else if (problem.line > 0)
      shell_.caret_request = CaretRequest{problem.line, std::max(problem.column, 1), true};
    return std::nullopt;
  }
  const bool elsewhere = results::elsewhere(summary, problem.launch, problem.block);
  if (problem.finding >= 0 && !elsewhere)
    return memory_.show(summary.findings[static_cast<std::size_t>(problem.finding)]);
  if (problem.claim >= 0 && problem.step < 0 && !elsewhere) {
    navigation_.selection.family = -1;
    navigation_.go_to_claim(summary.claims[static_cast<std::size_t>(problem.claim)]);
    return std::nullopt;
  }
  if (problem.claim >= 0) navigation_.selection.family = -1;
  return go_to({static_cast<std::uint32_t>(std::max<std::int64_t>(problem.block, 0)), problem.launch},
               problem.block >= 0, problem.warp, problem.step, problem.line);
}

std::optional<Recording> ProblemFocus::show_party(int index, int party) {
  if (index < 0 || index >= static_cast<int>(results_.problems.size())) return std::nullopt;
  const auto& parties = results_.problems[static_cast<std::size_t>(index)].parties;
  if (party < 0 || party >= static_cast<int>(parties.size())) return show(index);
  current_ = index, party_ = party;
  navigation_.playing = false;
  memory_.dismiss_evidence();
  const results::Party side = parties[static_cast<std::size_t>(party)];
  const int launch = side.launch >= 0 ? side.launch : results_.problems[static_cast<std::size_t>(index)].launch;
  const bool in_other_launch = side.launch >= 0 && side.launch != results_.summary.recorded_launch;
  return go_to({static_cast<std::uint32_t>(std::max<std::int64_t>(side.block, 0)), launch},
               side.block >= 0 || in_other_launch, side.warp, side.step, side.line);
}

/// To a step, else to the first visit of a line by this warp, else to the line alone. `placed`: it is of a block.
std::optional<Recording> ProblemFocus::go_to(Recording where, bool placed, int warp, std::int64_t step, int line) {
  const results::Summary& summary = results_.summary;
  if (placed && results::elsewhere(summary, where.launch, where.block)) {
    // Only one block's steps are kept: this one's come with another run.
    due_ = Due{.problem = results_.problems[static_cast<std::size_t>(current_)], .party = party_};
    shell_.show_status("Recording " + words_of(where, summary) + ", to which the problem belongs…");
    return where;
  }
  if (warp >= 0 && warp < static_cast<int>(summary.warps)) navigation_.selection.warp = warp;
  if (step < 0 && line > 0) step = step_at_line(summary, line, navigation_.selection.warp, -1);
  if (step >= 0) navigation_.go_to_step(step);
  if (line > 0) navigation_.selection.line = *(navigation_.reveal_line = line);
  return std::nullopt;
}

void ProblemFocus::start_over(bool opens_on_worst) {
  current_ = party_ = -1;
  due_.reset();
  opening_ = opens_on_worst;
  if (!std::exchange(brought_front_, false)) return;
  for (auto& front : shell_.view.front) std::erase(front, PanelId::problems);
}

std::optional<Recording> ProblemFocus::run_finished() {
  const results::Problem* before = chosen();
  const std::optional<results::Problem> kept = before == nullptr ? std::nullopt : std::optional(*before);
  results_.problems = results_.failed ? results::problems_of(results_.diagnostics, results_.lines)
                                      : results::problems_of(results_.summary);
  current_ = kept ? index_of(results_.problems, *kept) : -1;
  if (current_ < 0) party_ = -1;
  if (results_.failed) {
    due_.reset();
    return opening_ ? open() : std::nullopt;
  }
  if (due_) {
    const Due due = *std::exchange(due_, std::nullopt);
    const Recording shown{results_.summary.recorded_block, results_.summary.recorded_launch};
    shell_.show_status(capitalised(words_of(shown, results_.summary)) + " is shown.");
    const int index = index_of(results_.problems, due.problem);
    const bool there = index >= 0 && !results::elsewhere(results_.summary, due.problem.launch,
                                                         std::max<std::int64_t>(due.problem.block, 0));
    if (index >= 0 && (there || due.party >= 0)) return due.party >= 0 ? show_party(index, due.party) : show(index);
  }
  return opening_ ? open() : std::nullopt;
}

/// The worst problem that the file does not expect; where it only costs time, the most instructive step is as good.
std::optional<Recording> ProblemFocus::open() {
  opening_ = false;
  if (results_.problems.empty()) return std::nullopt;
  const results::Problem& worst = results_.problems.front();
  if (worst.severity == Severity::error) {
    const auto was = front_beside(shell_.shown_view(), PanelId::problems);
    brought_front_ = was != PanelId::problems;
    shell_.view.hidden[static_cast<int>(PanelId::problems)] = false;
    bring_to_front(shell_.view, PanelId::problems);
  }
  if (results_.failed) {
    current_ = 0;
    if (worst.line > 0) shell_.caret_request = CaretRequest{worst.line, std::max(worst.column, 1), false};
    return std::nullopt;
  }
  if (worst.severity == Severity::note || !worst.has_moment()) {
    if (worst.severity == Severity::error) current_ = 0;
    return std::nullopt;
  }
  return show(0);
}

std::optional<results::AccessInfo> evidence_access(const results::Summary& summary, const results::FindingInfo& finding,
                                                   std::int64_t step) {
  if (finding.width_bytes <= 0 || finding.lanes == 0) return std::nullopt;
  trace::AccessKind kind = trace::AccessKind::load;
  int line = finding.line;
  const auto mark = std::ranges::find(summary.timeline, step, &results::TimelineMark::step);
  if (mark != summary.timeline.end()) {
    if (mark->kind == trace::StepKind::store) kind = trace::AccessKind::store;
    if (mark->kind == trace::StepKind::atomic) kind = trace::AccessKind::atomic;
    if (step_on_line(summary, line, -1) < 0) line = mark->line;  // the finding is at the line of a launch
  }
  results::AccessInfo info =
      results::priced({.space = finding.shared ? trace::MemorySpace::shared : trace::MemorySpace::global,
                       .kind = kind,
                       .width_bytes = finding.width_bytes,
                       .mask = finding.lanes,
                       .addresses = finding.offsets,
                       .matrices = finding.matrices});
  info.line = line, info.warp = std::max(finding.warp, 0);
  if (finding.shared) return info;
  const auto buffer = std::ranges::find(summary.buffers, finding.buffer, &results::BufferInfo::name);
  if (buffer != summary.buffers.end()) info.buffer = static_cast<int>(buffer - summary.buffers.begin());
  return info;
}

std::int64_t step_of_finding(const results::Summary& summary, const results::FindingInfo& finding, int warp) {
  if (finding.step >= 0) return finding.step;
  const std::int64_t here = step_on_line(summary, finding.line, finding.warp >= 0 ? finding.warp : warp);
  return here >= 0 ? here : step_on_line(summary, finding.line, -1);
}

}  // namespace lanescope::gui
