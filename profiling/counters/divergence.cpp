#include "profiling/counters/divergence.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lanescope::counters {

LaneHistogram& LaneHistogram::operator+=(const LaneHistogram& o) {
  for (std::size_t lanes = 0; lanes < instructions.size(); ++lanes) instructions[lanes] += o.instructions[lanes];
  return *this;
}

void LaneHistogram::add(std::uint32_t active) { ++instructions[static_cast<std::size_t>(std::popcount(active))]; }

std::uint64_t LaneHistogram::total() const {
  return std::accumulate(instructions.begin(), instructions.end(), std::uint64_t{0});
}

void DivergenceCounter::on_step(const trace::Where& where) {
  if (where.pc >= by_pc_.size()) by_pc_.resize(where.pc + 1);
  by_pc_[where.pc].add(where.active);
}

void DivergenceCounter::take(trace::Observer& part, std::uint64_t) {
  const std::vector<LaneHistogram>& other = static_cast<const DivergenceCounter&>(part).by_pc_;
  by_pc_.resize(std::max(by_pc_.size(), other.size()));
  for (std::size_t pc = 0; pc < other.size(); ++pc) by_pc_[pc] += other[pc];
}

void add(DivergenceReport& report, const DivergenceCounter& counter, std::span<const trace::CodeSite> code) {
  const auto by_pc = counter.by_instruction();
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    if (by_pc[pc].total() == 0) continue;
    report.total += by_pc[pc];
    report.lines[pc < code.size() ? code[pc].line : 0] += by_pc[pc];
  }
}

}  // namespace lanescope::counters
