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

std::uint64_t LaneHistogram::thread_total() const {
  std::uint64_t sum = 0;
  for (std::size_t lanes = 0; lanes < instructions.size(); ++lanes) sum += lanes * instructions[lanes];
  return sum;
}

double LaneHistogram::average_lanes() const {
  const std::uint64_t all = total();
  return all == 0 ? 0 : static_cast<double>(thread_total()) / static_cast<double>(all);
}

double LaneHistogram::percent_full() const {
  const std::uint64_t all = total();
  return all == 0 ? 0 : 100.0 * static_cast<double>(instructions.back()) / static_cast<double>(all);
}

DivergenceCounter::DivergenceCounter(std::size_t most_buckets)
    : most_buckets_(std::max<std::size_t>(most_buckets, 2)) {}

DivergenceBucket& DivergenceCounter::bucket_of(std::uint64_t step) {
  while (step / width_ >= most_buckets_) {
    width_ *= 2;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      DivergenceBucket& into = buckets_[i / 2];
      if (i % 2 == 0) {
        into = buckets_[i];
        continue;
      }
      into.lanes += buckets_[i].lanes;
      into.branches += buckets_[i].branches;
      into.divergent_branches += buckets_[i].divergent_branches;
    }
    buckets_.resize((buckets_.size() + 1) / 2);
  }
  const auto index = static_cast<std::size_t>(step / width_);
  if (index >= buckets_.size()) buckets_.resize(index + 1);
  return buckets_[index];
}

void DivergenceCounter::on_step(const trace::Where& where) {
  if (where.pc >= by_pc_.size()) by_pc_.resize(where.pc + 1);
  by_pc_[where.pc].add(where.active);
  bucket_of(where.step).lanes.add(where.active);
}

void DivergenceCounter::on_branch(const trace::BranchEvent& event) {
  DivergenceBucket& bucket = bucket_of(event.where.step);
  ++bucket.branches;
  if (event.taken != 0 && event.taken != event.where.active) ++bucket.divergent_branches;
}

std::vector<DivergenceBucket> DivergenceCounter::over_time() const {
  std::vector<DivergenceBucket> out = buckets_;
  for (std::size_t i = 0; i < out.size(); ++i) out[i].first_step = i * width_, out[i].steps = width_;
  return out;
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
