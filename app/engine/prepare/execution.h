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

#include "app/engine/prepare/program.h"
#include "app/engine/requests/requests.h"
#include "kernels/claims/claims.h"
#include "kernels/emulator/emulator.h"
#include "kernels/emulator/history/history.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/source/source.h"
#include "kernels/trace/device_launch.h"
#include "kernels/trace/trace.h"
#include "profiling/counters/counters.h"
#include "profiling/races/grid_races.h"
#include "profiling/review/observe/buffer_uses.h"
#include "profiling/review/observe/collector.h"
#include "profiling/review/observe/second_look.h"
#include "profiling/review/review.h"
#include "results/notice.h"

namespace lanescope::engine {

// Watches plain runs of launches that lead to each other, for races between grids: which of them are one tree, and
// which call of its parent launched each.

/// A launch of the host with the launches after it that it leads to.
struct WatchedTree {
  std::size_t first = 0;  ///< launch
  std::unique_ptr<races::GridRaces> races;
};

class GridWatch {
 public:
  GridWatch(const Program& program, std::vector<races::Area> areas) : program_(program), areas_(std::move(areas)) {}
  /// The observer of this launch, the next one; nullptr: it belongs to no tree.
  trace::Observer* before(std::size_t launch);
  void after(std::size_t launch, const std::vector<trace::DeviceLaunch>& launched);
  std::vector<WatchedTree> take();

 private:
  struct Launched {
    std::vector<trace::DeviceLaunch> grids;
    std::size_t next = 0;
  };
  const Program& program_;
  std::vector<races::Area> areas_;
  std::vector<WatchedTree> trees_;
  std::vector<Launched> by_depth_;  ///< of the last launch of each depth
};

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

/// For identities of elements: an eighth of the memory that this process may use, from 256 MiB to 1 GiB.
std::size_t identity_budget_bytes();

struct ExecutionOptions {
  std::uint64_t seed = 1, max_steps = 200'000'000;
  std::uint32_t record_block = 0;
  /// Probed runs: budget of a launch's identities (trace::TagPool::keep_at_most). Later blocks run without.
  std::size_t identity_bytes = identity_budget_bytes();
  /// Probed runs: blocks of a launch with identities at most (emulator::Options).
  std::uint64_t identified_blocks = ~std::uint64_t{0};
  const std::atomic<bool>* cancel = nullptr;
  RunMeter* meter = nullptr;               ///< counts steps and blocks; optional
  const source::Source* review = nullptr;  ///< plain runs: collect the data for the review of this source
  /// Plain runs: compare the uses of buffers by launches whose order streams leave open; nullptr: streams order all of
  /// them.
  const source::Header* streams = nullptr;
  /// With it: the initial buffers of run_plain(), for a second run; nullptr: none.
  const std::vector<trace::Buffer>* initial = nullptr;
  RunTimes times{};
  std::uint64_t record_step = 0;   ///< probed runs: of the block to record; see record_part()
  std::size_t shown_launch = 0;    ///< probed runs: the launch with the recorded block
  std::size_t history_bytes = 0;   ///< probed runs: budget of checkpoints of that launch; 0: none
  std::uint32_t cores = 1;         ///< plain runs: that blocks of a launch may use (emulator::Options::cores)
  std::uint32_t probed_cores = 1;  ///< the same of probed runs, and of second runs for the review
  bool last_is_enough = false;     ///< probed runs: the buffers after the last launch are not needed
  bool repeats_blocks =
      false;  ///< probed runs: verdicts are all that is needed, so that blocks that repeat others need not run
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
/// Of the calls of printf with a conversion that only the host has, the first of each instruction.
std::vector<review::LaunchReview::HostPrint> host_prints_of(const std::vector<emulator::Printed>& printed);

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

// The second run of a launch of which the review's first one left a question: whether values from memory that was never
// written are used, and which barriers order nothing. Both cost more than one needs to pay for launches that have no
// such reads and whose barriers all order something, which are most.

/// The unwritten bytes of the buffers, in an eighth of the memory: each launch with a second run keeps them.
class PackedUnwritten {
 public:
  PackedUnwritten() = default;
  explicit PackedUnwritten(const uninitialised::UnwrittenBytes& bytes);
  uninitialised::UnwrittenBytes bytes() const;

 private:
  struct Buffer {
    std::size_t bytes = 0;
    std::vector<std::uint8_t> bits;  ///< bit b % 8 of element b / 8
  };
  std::vector<Buffer> buffers_;
};

struct Question {
  std::size_t launch = 0;
  bool reads = false;                                ///< it loads bytes that were never written
  PackedUnwritten unwritten;                         ///< of the buffers, when it began
  std::vector<std::vector<std::uint32_t>> barriers;  ///< places of the source that may order nothing, each with its pcs
};

/// The bytes that nothing writes before the first launch: of the buffers, none of one that has contents, and of the
/// device heap unless `heap_bytes` is 0.
uninitialised::UnwrittenBytes unwritten_bytes(const source::Source& source, const std::vector<trace::Buffer>& buffers,
                                              std::uint64_t heap_bytes);
/// Of buffers that the header calls uninitialised, and of what the host code copies back: what no launch has written.
/// `unwritten`: after the last launch.
std::vector<review::LeftUnwritten> left_unwritten(const source::Source& source,
                                                  const uninitialised::UnwrittenBytes& unwritten);
/// Applies the host steps before a launch.
void take_steps(const std::vector<trace::HostStep>& steps, const std::vector<trace::Buffer>& buffers,
                uninitialised::UnwrittenBytes& unwritten);

/// No questions: no reads and no barriers.
Question question_of(const ReviewedLaunch& reviewed, std::size_t launch, PackedUnwritten before,
                     const emulator::Result& result);

/// Runs the launches again from `initial`, those of the questions with their observers, and gives the answers to `run`.
/// After a launch of which not all blocks ran, nothing is checked: which bytes were never written is unknown there.
void run_again(const Program& program, const std::vector<trace::Buffer>& initial, const ExecutionOptions& options,
               const std::vector<Question>& questions, PlainRun& run);

// Which part of a block is recorded, and recording another one from the checkpoints of a run.

/// Steps of a block that are recorded around a step after its first part, and how many of them are before it, so that
/// earlier accesses and writes are known. A timeline shows the same number.
inline constexpr std::uint64_t steps_of_part = 1'000'000, steps_of_lead = 50'000;

/// The first part of a block (up to 4 million steps), where `step` is in sight there; else the part around it. It is
/// the same part for steps that are near each other.
trace::RecordOptions part_of_block(std::uint32_t block, std::uint64_t step);

struct RecordedPart {
  bool recorded = false;              ///< false: a new run is needed; the trace is as it was
  std::uint64_t from = 0, until = 0;  ///< warp instructions of the launch that were run again
  double seconds = 0;
};
/// Records the part of the block around the step into the launch's trace.
RecordedPart record_part(const Program& program, const source::Source& source, ProbedLaunch& probed,
                         std::uint32_t block, std::uint64_t step, const ExecutionOptions& options);

/// For ProbedLaunch::part: a collector, and an observer that gives it the probes of the recorded part. It receives
/// events after the recorder that fills `recorded`.
std::unique_ptr<claims::Collector> part_collector(const Program& program, const source::Source& source,
                                                  const ProbedLaunch& probed);
class ProbesOfPart final : public trace::Observer {
 public:
  ProbesOfPart(const trace::Trace& recorded, std::uint32_t block, claims::Collector& collector)
      : recorded_(recorded), block_(block), collector_(collector) {}
  void on_probe(const trace::ProbeEvent& e) override {
    if (e.where.block == block_ && !recorded_.steps.empty() && !recorded_.truncated) collector_.on_probe(e);
  }

 private:
  const trace::Trace& recorded_;
  std::uint32_t block_;
  claims::Collector& collector_;
};

}  // namespace lanescope::engine
