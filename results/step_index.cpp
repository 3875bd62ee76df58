#include "results/step_index.h"

#include <algorithm>
#include <numeric>

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
  if (kinds_of_pc_.size() != summary.code.size()) {
    for (const trace::CodeSite& site : summary.code)
      kinds_of_pc_.push_back(static_cast<std::uint8_t>(reads_parameter(site) ? parameter_kind : 0));
  }
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

}  // namespace lanescope::results
