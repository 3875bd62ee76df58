#pragma once
// How full warps are: of every warp instruction, the number of lanes that execute it; by line, and along the run.
//
// A launch's length is not known while it runs, so time is kept in a fixed number of buckets that double their width
// whenever the run outgrows them: a run of a million steps and one of ten end with the same few hundred buckets.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"

namespace lanescope::counters {

struct LaneHistogram {
  std::array<std::uint64_t, trace::lanes_per_warp + 1> instructions{};  ///< by number of active lanes, 0 to 32
  bool operator==(const LaneHistogram&) const = default;
  LaneHistogram& operator+=(const LaneHistogram& other);
  void add(std::uint32_t active);
  std::uint64_t total() const;         ///< warp instructions
  std::uint64_t thread_total() const;  ///< lanes over all of them
  double average_lanes() const;        ///< 0 when nothing ran
  double percent_full() const;         ///< instructions that all 32 lanes execute; 0 when nothing ran
};

struct DivergenceBucket {
  std::uint64_t first_step = 0, steps = 0;  ///< covers [first_step, first_step + steps)
  LaneHistogram lanes;
  std::uint64_t branches = 0, divergent_branches = 0;
};

class DivergenceCounter final : public trace::Observer {
 public:
  /// `most_buckets` below 2 counts as 2.
  explicit DivergenceCounter(std::size_t most_buckets = 256);
  void on_step(const trace::Where&) override;
  void on_branch(const trace::BranchEvent&) override;

  /// Indexed by pc; shorter than the code when its end was never reached.
  std::span<const LaneHistogram> by_instruction() const { return by_pc_; }
  /// Along the steps of the launch, gapless from step 0 to the last one seen.
  std::vector<DivergenceBucket> over_time() const;

 private:
  DivergenceBucket& bucket_of(std::uint64_t step);
  std::vector<LaneHistogram> by_pc_;
  std::vector<DivergenceBucket> buckets_;
  std::size_t most_buckets_;
  std::uint64_t width_ = 1;  ///< steps per bucket, a power of two
};

struct DivergenceReport {
  LaneHistogram total;
  std::map<int, LaneHistogram> lines;  ///< 0: instructions whose line is not known
};
/// Adds a launch to the report. `code` are the sites of that launch's kernel, by pc.
void add(DivergenceReport& report, const DivergenceCounter& counter, std::span<const trace::CodeSite> code);

}  // namespace lanescope::counters
