#pragma once
// Which part of a block is recorded, and recording another one from the checkpoints of a run.

#include <cstdint>

#include "app/engine/prepare/execution.h"

namespace lanescope::engine {

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
