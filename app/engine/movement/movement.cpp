#include "app/engine/movement/movement.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "app/engine/movement/movement_rows.h"
#include "app/engine/summary/moment.h"

namespace lanescope::engine {
namespace {

using results::Cell;
using results::Movement;
using results::MovementRow;

/// How often the beginning is looked for further back.
constexpr int most_rounds = 8;

int line_at(const trace::Trace& t, std::int64_t step) {
  const std::uint32_t pc = t.steps[static_cast<std::size_t>(step)].pc;
  return pc < t.code.size() ? t.code[pc].line : 0;
}

/// The first step of the execution of a statement that ends at `step`. A loop in one line that the compiler unrolled, or several
/// statements in one line, are one run of instructions of that line; an execution ends where the next write shows a register
/// again (as in results/step_index.h).
std::int64_t instance_begin(const RunState& state, std::int64_t step, std::uint32_t warp) {
  const trace::Trace& t = state.recorded()->trace;
  const std::int64_t visit = statement_begin(t, step, warp);
  const auto& writes = state.summary.writes;
  std::int64_t begin = visit, last = -1;
  std::set<std::pair<int, int>> written;
  auto w = std::ranges::lower_bound(writes, static_cast<std::uint32_t>(std::max<std::int64_t>(visit, 0)), {},
                                    [](const auto& write) { return write.step; });
  for (; w != writes.end() && static_cast<std::int64_t>(w->step) <= step; ++w) {
    if (t.steps[w->step].warp != warp) continue;
    if (!written.insert({w->family, w->reg}).second) begin = last + 1, written = {{w->family, w->reg}};
    last = w->step;
  }
  return begin;
}

/// The first step of the warp's newest visit of a line, at or before `step`.
std::int64_t visit_begin(const trace::Trace& t, std::int64_t step, std::uint32_t warp, int line) {
  for (std::int64_t i = step; i >= 0; --i)
    if (t.steps[static_cast<std::size_t>(i)].warp == warp && line_at(t, i) == line) return statement_begin(t, i, warp);
  return -1;
}

/// The movement of all statements from step `begin` on that together exchange bits of one array: its registers only. Where values
/// waited in other registers the statements that put them there belong to it, too. nullopt: it is not known where they begin.
std::optional<Movement> exchange(const RunState& state, const Instructions& program, const results::Moment& moment,
                                 std::int64_t begin) {
  const trace::Trace& t = state.recorded()->trace;
  const int family = moment.assignment_family;
  std::optional<Movement> found;
  for (int round = 0; round < most_rounds && begin >= 0; ++round) {
    const MovementSpan span{
        .from = begin - 1, .to = moment.step, .written_from = begin, .warp = moment.warp, .only_family = family};
    const SpanFlow flow = program.flow(t, span);
    Movement m = move(state, flow, {state, program, flow, span}, span);
    if (!m.refused.empty()) break;
    m.first_line = line_at(t, begin), m.line = moment.line;
    bool own = true, was_there = false;
    for (const MovementRow& r : m.rows) {
      own = own && (r.family == family || !r.read);
      for (const Cell& c : r.before) was_there = was_there || (r.family == family && c.defined);
    }
    if (own || round == 0) found = std::move(m);
    // From another array: that is the exchange. From helpers: it began earlier.
    if (own || !was_there) break;
    std::int64_t earlier = begin - 1;
    while (earlier >= 0 && t.steps[static_cast<std::size_t>(earlier)].warp != moment.warp) --earlier;
    if (earlier < 0) break;
    begin = statement_begin(t, earlier, moment.warp);
  }
  return found;
}

}  // namespace

Movement movement_of(const RunState& state, const results::Moment& moment, MomentRequest::MovementOf which) {
  const trace::Trace& t = state.recorded()->trace;
  Movement none;
  none.from = none.to = moment.step;
  if (moment.step < 0 || t.steps.empty()) return none.refused = "the first step has not been executed yet", none;
  const std::uint32_t warp = moment.warp;
  std::int64_t begin = instance_begin(state, moment.step, warp);
  const int line = line_at(t, begin) > 0 ? line_at(t, begin) : moment.line;
  const Instructions program(state);
  if (which == MomentRequest::MovementOf::exchange && moment.statement_first_line > 0) {
    const std::int64_t earlier = visit_begin(t, begin, warp, moment.statement_first_line);
    if (earlier >= 0 && earlier <= begin)
      if (auto m = exchange(state, program, moment, earlier)) return *std::move(m);
  }
  // The values that a statement writes may have been computed earlier: an expression of several lines, a loop whose body has no
  // braces. Then the movement begins where that did.
  const std::int64_t written_from = begin;
  for (int round = 0; round < most_rounds; ++round) {
    const MovementSpan span{.from = begin - 1, .to = moment.step, .written_from = written_from, .warp = warp};
    const SpanFlow flow = program.flow(t, span);
    const ShownRegisters shown(state, program, flow, span);
    const std::int64_t earlier = shown.computed_before();
    if (earlier >= 0 && earlier < begin && round + 1 < most_rounds) {
      begin = statement_begin(t, earlier, warp);
      continue;
    }
    Movement m = move(state, flow, shown, span);
    const int first = line_at(t, begin);
    m.line = moment.line > 0 ? moment.line : line;
    m.first_line = first > 0 && first < m.line && begin < written_from ? first : m.line;
    return m;
  }
  return none;
}

}  // namespace lanescope::engine
