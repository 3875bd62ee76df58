#include "app/gui/model/results.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

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
