#include "results/step_index.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace lanescope::results {
namespace {

constexpr std::size_t lines_each = 1'000'000;  ///< of a table: the lines of one file (kernels/base/source_lines.h)

void note_first(std::vector<std::vector<std::int64_t>>& tables, int line, std::size_t mark) {
  const std::size_t table = static_cast<std::size_t>(line) / lines_each,
                    at = static_cast<std::size_t>(line) % lines_each;
  if (table >= tables.size()) tables.resize(table + 1);
  std::vector<std::int64_t>& firsts = tables[table];
  if (at >= firsts.size()) firsts.resize(at + 1, -1);
  if (firsts[at] < 0) firsts[at] = static_cast<std::int64_t>(mark);
}

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

std::string_view opcode_of(const trace::CodeSite& site) {
  std::string_view text = site.text;
  if (text.starts_with('@')) {
    const std::size_t guard = text.find(' ');
    text = guard == text.npos ? std::string_view() : text.substr(guard + 1);
  }
  return text.substr(0, text.find_first_of(" ;"));
}

bool reads_parameter(const trace::CodeSite& site) {
  return site.kind == trace::StepKind::load && opcode_of(site).starts_with("ld.param");
}

int mark_kind(const Summary& summary, const TimelineMark& mark) {
  const auto pc = static_cast<std::size_t>(mark.pc);
  if (mark.pc >= 0 && pc < summary.code.size() && reads_parameter(summary.code[pc])) return parameter_kind;
  return static_cast<int>(mark.kind);
}

std::uint32_t MarkCounts::all() const { return std::accumulate(of_kind.begin(), of_kind.end(), 0u); }

MarkCounts& MarkCounts::operator+=(const MarkCounts& other) {
  for (std::size_t k = 0; k < of_kind.size(); ++k) of_kind[k] += other.of_kind[k];
  costly += other.costly;
  return *this;
}

bool StepIndex::extend(const Summary& summary, std::size_t most) {
  if (kinds_of_pc_.size() != summary.code.size())
    for (const trace::CodeSite& site : summary.code)
      kinds_of_pc_.push_back(static_cast<std::uint8_t>(reads_parameter(site) ? parameter_kind : 0));
  if (kinds_.empty()) {
    kinds_.reserve(summary.timeline.size());
    columns_.reserve(summary.timeline.size());
    warps_.resize(std::max<std::size_t>(summary.warps, 1));
  }
  const std::size_t left = summary.timeline.size() - kinds_.size(), end = kinds_.size() + std::min(most, left);
  for (std::size_t n = kinds_.size(); n < end; ++n) {
    const TimelineMark& mark = summary.timeline[n];
    auto kind = static_cast<std::uint8_t>(mark.kind);
    if (mark.pc >= 0 && static_cast<std::size_t>(mark.pc) < kinds_of_pc_.size() && kinds_of_pc_[mark.pc] != 0)
      kind = kinds_of_pc_[mark.pc];
    bool costly = false;
    while (next_access_ < summary.accesses.size() && summary.accesses[next_access_].step <= mark.step) {
      const StepAccess& access = summary.accesses[next_access_++];
      costly |= access.step == mark.step && access.costly();
    }
    kinds_.push_back(static_cast<std::uint8_t>(kind | (costly ? 0x80 : 0)));
    if (mark.line > 0) {
      note_first(first_mark_, mark.line, n);
      if (mark.kind == trace::StepKind::probe) note_first(first_probe_, mark.line, n);
    }
    if (mark.warp >= warps_.size()) warps_.resize(mark.warp + 1u);
    Warp& warp = warps_[mark.warp];
    if (warp.marks.size() % stride == 0) warp.sums.push_back(warp.all);
    columns_.push_back(static_cast<std::uint32_t>(warp.marks.size()));
    warp.marks.push_back(static_cast<std::uint32_t>(n));
    ++warp.all.of_kind[kind];
    warp.all.costly += costly;
    longest_ = std::max<std::uint64_t>(longest_, warp.marks.size());
  }
  return end == summary.timeline.size();
}

std::span<const std::uint32_t> StepIndex::of_warp(int warp) const {
  if (warp < 0 || static_cast<std::size_t>(warp) >= warps_.size()) return {};
  return warps_[static_cast<std::size_t>(warp)].marks;
}

std::int64_t StepIndex::mark_at(const Summary& summary, std::int64_t step) const {
  if (step < 0) return -1;
  auto at = static_cast<std::size_t>(step);  // where no step is left out, as in every recorded block
  if (at >= kinds_.size() || static_cast<std::int64_t>(summary.timeline[at].step) != step) {
    const auto marks = std::span(summary.timeline).first(kinds_.size());
    const auto found =
        std::ranges::lower_bound(marks, step, {}, [](const TimelineMark& m) { return std::int64_t{m.step}; });
    at = static_cast<std::size_t>(found - marks.begin());
    if (at >= marks.size() || static_cast<std::int64_t>(marks[at].step) != step) return -1;
  }
  return static_cast<std::int64_t>(at);
}

std::size_t StepIndex::before(const Summary& summary, int warp, std::int64_t step) const {
  const auto marks = of_warp(warp);
  const auto at = std::ranges::partition_point(
      marks, [&](std::uint32_t n) { return static_cast<std::int64_t>(summary.timeline[n].step) < step; });
  return static_cast<std::size_t>(at - marks.begin());
}

MarkCounts StepIndex::count(int warp, std::size_t first, std::size_t last) const {
  const auto marks = of_warp(warp);
  last = std::min(last, marks.size());
  MarkCounts counts;
  if (first >= last) return counts;
  const auto add = [&](std::size_t from, std::size_t to) {
    for (std::size_t n = from; n < to; ++n) {
      ++counts.of_kind[static_cast<std::size_t>(kind(marks[n]))];
      counts.costly += costly(marks[n]);
    }
  };
  const std::size_t low = (first + stride - 1) / stride, high = last / stride;  // whole strides between
  if (low >= high) {
    add(first, last);
    return counts;
  }
  const std::vector<MarkCounts>& sums = warps_[static_cast<std::size_t>(warp)].sums;
  const MarkCounts& at_high = high < sums.size() ? sums[high] : warps_[static_cast<std::size_t>(warp)].all;
  for (std::size_t k = 0; k < counts.of_kind.size(); ++k) counts.of_kind[k] = at_high.of_kind[k] - sums[low].of_kind[k];
  counts.costly = at_high.costly - sums[low].costly;
  add(first, low * stride);
  add(high * stride, last);
  return counts;
}

std::int64_t StepIndex::first_on_line(int line, bool probe) const {
  const auto& tables = probe ? first_probe_ : first_mark_;
  if (line <= 0) return -1;
  const std::size_t table = static_cast<std::size_t>(line) / lines_each,
                    at = static_cast<std::size_t>(line) % lines_each;
  return table < tables.size() && at < tables[table].size() ? tables[table][at] : -1;
}

StepIndex index_of(const Summary& summary) {
  StepIndex index;
  index.extend(summary);
  return index;
}

std::vector<LineVisit> line_visits(const Summary& summary, int warp) {
  std::vector<LineVisit> visits;
  for (const TimelineMark& m : summary.timeline) {
    if (m.warp != warp) continue;
    if (visits.empty() || (m.line != 0 && m.line != visits.back().line)) visits.push_back({m.line, m.step, m.step});
    visits.back().last = m.step;
  }
  return visits;
}

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
