#pragma once
// One compiled variant run over all its launches, with the observers that its results need.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "app/engine/prepare/grid_watch.h"
#include "app/engine/prepare/program.h"
#include "app/engine/requests/requests.h"
#include "kernels/claims/claims.h"
#include "kernels/emulator/emulator.h"
#include "kernels/emulator/history/history.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/source/source.h"
#include "kernels/trace/trace.h"
#include "profiling/counters/counters.h"
#include "profiling/counters/divergence.h"
#include "profiling/review/observe/buffer_uses.h"
#include "profiling/review/observe/collector.h"
#include "profiling/review/observe/second_look.h"
#include "profiling/review/review.h"
#include "results/notice.h"

namespace lanescope::engine {

// Time limits of the launches of a run. A run that exceeds its time is not lost: each launch is cut between blocks
// (kernels/trace/coverage.h) early enough that the blocks that ran can still be judged and shown.

struct RunTimes {
  using Clock = emulator::Limits::Clock;
  Clock::time_point cut = Clock::time_point::max();    ///< no more blocks begin
  Clock::time_point leave = Clock::time_point::max();  ///< running blocks are left
  Clock::time_point end = Clock::time_point::max();    ///< of the whole request
  bool limited() const { return cut != Clock::time_point::max(); }
  /// Nothing can be run any more.
  bool over(Clock::time_point now) const { return limited() && now >= leave; }
};

/// From `now` on: `end` is the deadline of the whole request (max(): none), `run_seconds` the limit of running (0:
/// until `end`).
RunTimes run_times(RunTimes::Clock::time_point now, RunTimes::Clock::time_point end, double run_seconds);

/// Of the next launch, which begins now, and after which `more` others follow: these get a part of the time, too. Its
/// first blocks have a second, however late it is: making the arrays may have taken all the time that there was.
emulator::Limits launch_limits(const RunTimes& times, RunTimes::Clock::time_point now, std::size_t more);

/// Sums the steps and blocks of runs on several threads, and reports the sum at most ten times a second.
class RunMeter {
 public:
  enum class Run : std::uint8_t { plain, probed };
  explicit RunMeter(std::function<void(const RanSoFar&)> report) : report_(std::move(report)) {}
  /// `blocks`: of all launches of the run.
  void expect(Run run, std::uint64_t blocks) { all_[static_cast<std::size_t>(run)] = blocks; }
  void add(Run run, std::uint64_t steps, std::uint64_t blocks);

 private:
  using Clock = std::chrono::steady_clock;
  RanSoFar sum() const;

  std::function<void(const RanSoFar&)> report_;
  std::atomic<std::uint64_t> steps_{0};
  std::array<std::atomic<std::uint64_t>, 2> ended_{}, all_{};  ///< blocks, by Run
  std::mutex reporting_;
  Clock::time_point reported_ = Clock::now();
};

struct ExecutionOptions {
  std::uint64_t seed = 1, max_steps = 200'000'000;
  std::uint32_t record_block = 0;
  /// Probed runs: budget of a launch's identities (trace::TagPool::keep_at_most). Later blocks run without.
  std::size_t identity_bytes = std::size_t{256} << 20;
  /// Probed runs: blocks of a launch with identities at most (emulator::Options).
  std::uint64_t identified_blocks = ~std::uint64_t{0};
  const std::atomic<bool>* cancel = nullptr;
  RunMeter* meter = nullptr;               ///< counts steps and blocks; optional
  const source::Source* review = nullptr;  ///< plain runs: collect the data for the review of this source
  /// Plain runs: compare the uses of buffers by launches whose order streams leave open; nullptr: streams order all of
  /// them.
  const source::Header* streams = nullptr;
  /// With it: the initial buffers of run_plain(), for a second run (second_run.h); nullptr: none.
  const std::vector<trace::Buffer>* initial = nullptr;
  RunTimes times{};
  std::uint64_t record_step = 0;  ///< probed runs: of the block to record; see recorded_part.h
  std::size_t shown_launch = 0;   ///< probed runs: the launch with the recorded block
  std::size_t history_bytes = 0;  ///< probed runs: budget of checkpoints of that launch; 0: none
  std::uint32_t cores = 1;        ///< plain runs: that blocks of a launch may use (emulator::Options::cores)
  bool last_is_enough = false;    ///< probed runs: the buffers after the last launch are not needed
};

/// Memory of the launches, passed from one to the next.
struct Memory {
  std::vector<trace::Buffer> buffers;
  std::shared_ptr<const emulator::HeapState> heap;
};

/// Memory before one launch, passed from the plain run to a probed run of that launch alone.
struct Handover {
  std::size_t launch = 0;
  std::promise<std::optional<Memory>> memory;  ///< nullopt: the plain run ends before that launch
};

/// Data of the review about one launch. Not to be moved: the collector refers to the launch.
struct ReviewedLaunch {
  review::LaunchReview launch;
  std::unique_ptr<review::AccessCollector> seen;
  std::unique_ptr<review::SecondLook> again{};  ///< where the run left a question
};

/// Costs of one plain launch, instruction by instruction.
struct PlainLaunch {
  std::vector<counters::Counts> by_pc;     ///< shorter than the code when its end was never reached
  std::uint32_t shared_bytes = 0;          ///< static and dynamic, of one block
  std::vector<counters::Counts> blocks{};  ///< by block / blocks_each; of counters/blocks.h
  std::uint32_t blocks_each = 1;
  std::vector<emulator::Printed> printed{};
  std::uint64_t printed_calls = 0;  ///< those that `printed` leaves out, too
  trace::Coverage coverage{};
  double seconds = 0;  ///< that it took
};

struct PlainRun {
  std::vector<trace::Buffer> buffers;               ///< contents after the last launch that ran
  std::shared_ptr<const emulator::HeapState> heap;  ///< the device heap then
  counters::Report counters;
  counters::DivergenceReport divergence;
  std::vector<PlainLaunch> launches;       ///< those that ran
  std::vector<review::LaunchUses> uses{};  ///< of those, with ExecutionOptions::streams
  std::vector<emulator::Fault> faults;
  Diagnostics refused;                                    ///< refused by the emulator before the run
  std::vector<std::unique_ptr<ReviewedLaunch>> reviewed;  ///< where a review was requested
  std::vector<WatchedTree> trees{};                       ///< where a review was requested and kernels launch kernels
  std::vector<review::LeftUnwritten> left{};  ///< where a review was requested and every launch ran to its end
  std::vector<trace::Coverage> not_begun;     ///< launches that follow those that ran: there was no time for them
  bool fault_of_partial_data = false;         ///< the launch that faulted reads results of a launch that was cut
  /// Every block of every launch ran.
  bool whole() const;
};
/// The allocations of a heap as the review has them.
std::vector<review::LaunchReview::Allocation> allocations_of(const emulator::HeapState& heap);

/// `handover`: Receives the buffers before its launch; may be nullptr.
PlainRun run_plain(const Program& program, std::vector<trace::Buffer> buffers, const ExecutionOptions& options,
                   Handover* handover = nullptr);

/// A probed launch: the trace of its recorded block, and the results of its probes over all blocks.
struct ProbedLaunch {
  trace::Trace trace;
  std::unique_ptr<claims::Collector> collector;
  std::vector<int> value_bytes;  ///< by variable id, from the probe marks; 0 where no probe reads it
  results::Notice notice{};      ///< which blocks were watched, where not all of them were
  trace::Coverage coverage{};
  double seconds = 0;  ///< that it took
  /// Of a recorded part that the collector did not see, or saw as a part of a longer block: its probes alone.
  std::unique_ptr<claims::Collector> part{};
  std::unique_ptr<emulator::History>
      history{};  ///< where checkpoints were kept; it refers to the trace's buffers and tags
};
struct ProbedRun {
  std::vector<std::unique_ptr<ProbedLaunch>> launches;  ///< those that ran; collectors refer to their trace's tags
  std::vector<emulator::Fault> faults;
  Diagnostics refused;
  std::vector<trace::Coverage> not_begun;  ///< as in PlainRun
  bool fault_of_partial_data = false;
};
/// Runs only what the recorded block of one launch needs: without claims, the plain run covers the other blocks.
/// Earlier launches are present, but empty.
ProbedRun run_probed_block(const Program& program, const source::Source& source, Handover& handover,
                           const ExecutionOptions& options);
ProbedRun run_probed(const Program& program, const source::Source& source, std::vector<trace::Buffer> buffers,
                     const ExecutionOptions& options);

}  // namespace lanescope::engine
