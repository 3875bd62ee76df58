#include "results/step_index.h"

#include <set>
#include <utility>

namespace lanescope::results {
namespace {

struct Execution {
  int line = 0;
  std::int64_t end = -1, last_write = -1;
  bool writes = false;  ///< a register that a variable shows, or memory
};

/// Of one warp, ascending.
std::vector<Execution> executions(const Summary& s, int warp) {
  std::vector<Execution> all;
  std::set<std::pair<int, int>> written;
  auto write = s.writes.begin();
  for (const TimelineMark& m : s.timeline) {
    while (write != s.writes.end() && write->step < m.step) ++write;
    if (m.warp != warp) continue;
    if (all.empty() || (m.line != 0 && m.line != all.back().line)) {
      all.push_back({.line = m.line});
      written.clear();
    }
    for (auto w = write; w != s.writes.end() && w->step == m.step; ++w) {
      if (!written.insert({w->family, w->reg}).second) {
        // Once more: the execution before ended with its last write, and what came since belongs to this one.
        all.back().end = all.back().last_write;
        all.push_back({.line = all.back().line});
        written = {{w->family, w->reg}};
      }
      all.back().last_write = m.step;
      all.back().writes = true;
    }
    all.back().end = m.step;
    if (m.kind == trace::StepKind::store || m.kind == trace::StepKind::atomic) all.back().writes = true;
  }
  return all;
}

}  // namespace

std::optional<std::int64_t> next_statement_end(const Summary& s, std::int64_t step, int warp, int line) {
  for (const Execution& e : executions(s, warp))
    if (e.writes && e.end > step && (line == 0 || e.line == line)) return e.end;
  return std::nullopt;
}

std::optional<std::int64_t> previous_statement_end(const Summary& s, std::int64_t step, int warp) {
  std::optional<std::int64_t> found;
  for (const Execution& e : executions(s, warp)) {
    if (e.end >= step) break;
    if (e.writes) found = e.end;
  }
  return found;
}

std::optional<std::int64_t> first_statement_end(const Summary& s, int line, int warp) {
  std::optional<std::int64_t> any;
  for (const Execution& e : executions(s, warp)) {
    if (e.line != line) continue;
    if (e.writes) return e.end;
    if (!any) any = e.end;
  }
  return any;
}

}  // namespace lanescope::results
