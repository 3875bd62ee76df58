#pragma once
// One compiled variant run over all its launches, with the observers that its results need.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/prepare/program.h"
#include "app/engine/prepare/stream_hazards.h"
#include "kernels/claims/claims.h"
#include "kernels/emulator/emulator.h"
#include "kernels/source/source.h"
#include "kernels/trace/trace.h"
#include "profiling/counters/counters.h"
#include "profiling/counters/divergence.h"
#include "profiling/review/collector.h"
#include "profiling/review/review.h"

namespace lanescope::engine {

/// Adds up the steps of runs on several threads and tells the sum, ten times a second at most.
class StepMeter {
 public:
  explicit StepMeter(std::function<void(std::uint64_t steps)> tell) : tell_(std::move(tell)) {}
  void add(std::uint64_t steps);
  std::uint64_t sum() const { return sum_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::function<void(std::uint64_t)> tell_;
  std::atomic<std::uint64_t> sum_{0};
  std::mutex telling_;
  Clock::time_point told_ = Clock::now();
};

struct ExecutionOptions {
  std::uint64_t seed = 1, max_steps = 200'000'000;
  std::uint32_t record_block = 0;
  /// Probed runs: budget of a launch's identities (trace::TagPool::keep_at_most). Later blocks run without.
  std::size_t identity_bytes = std::size_t{256} << 20;
  const std::atomic<bool>* cancel = nullptr;
  StepMeter* meter = nullptr;              ///< told of the steps; nullptr: nobody wants to know
  const source::Source* review = nullptr;  ///< plain runs: watch what the review of this source asks for
};

/// What the review saw of one launch. Not to be moved: the collector refers to the launch.
struct ReviewedLaunch {
  review::LaunchReview launch;
  std::unique_ptr<review::AccessCollector> seen;
};

/// What one plain launch cost, instruction by instruction.
struct PlainLaunch {
  std::vector<counters::Counts> by_pc;     ///< shorter than the code when its end was never reached
  std::uint32_t shared_bytes = 0;          ///< static and dynamic, of one block
  std::vector<counters::Counts> blocks{};  ///< by block / blocks_each; of counters/blocks.h
  std::uint32_t blocks_each = 1;
  std::vector<emulator::Printed> printed{};
  std::uint64_t printed_calls = 0;  ///< those that `printed` leaves out, too
};

struct PlainRun {
  std::vector<trace::Buffer> buffers;  ///< contents after the last launch that ran
  counters::Report counters;
  counters::DivergenceReport divergence;
  std::vector<PlainLaunch> launches;  ///< those that ran
  std::vector<BufferUses> uses{};     ///< of those, where launches are in several streams
  std::vector<emulator::Fault> faults;
  Diagnostics refused;                                    ///< what the emulator does not take, before it ran
  std::vector<std::unique_ptr<ReviewedLaunch>> reviewed;  ///< where a review was asked for
};
PlainRun run_plain(const Program& program, std::vector<trace::Buffer> buffers, const ExecutionOptions& options);

/// A probed launch: the trace of its recorded block, and what its probes showed over all blocks.
struct ProbedLaunch {
  trace::Trace trace;
  std::unique_ptr<claims::Collector> collector;
  std::vector<int> value_bytes;  ///< by variable id, from the probe marks; 0 where no probe reads it
  std::string notice{};          ///< which blocks were watched, where not all of them were
};
struct ProbedRun {
  std::vector<std::unique_ptr<ProbedLaunch>> launches;  ///< those that ran; collectors refer to their trace's tags
  std::vector<emulator::Fault> faults;
  Diagnostics refused;
};
ProbedRun run_probed(const Program& program, const source::Source& source, std::vector<trace::Buffer> buffers,
                     const ExecutionOptions& options);

}  // namespace lanescope::engine
