#pragma once
// The second run of a launch of which the review's first one left a question: whether values from memory that nobody has
// written are used, and which barriers order nothing. Both cost more than one wants to pay for launches that have no such
// reads and whose barriers all order something, which are most.

#include <cstdint>
#include <vector>

#include "app/engine/prepare/execution.h"

namespace lanescope::engine {

/// What a launch's second run is asked.
struct Question {
  std::size_t launch = 0;
  bool reads = false;                                ///< it loads bytes that nobody has written
  uninitialised::UnwrittenBytes unwritten;           ///< of the buffers, when it began
  std::vector<std::vector<std::uint32_t>> barriers;  ///< places of the source that may order nothing, each with its pcs
};

/// The bytes of the buffers that nobody writes before the first launch; no bytes for a buffer that has contents.
uninitialised::UnwrittenBytes unwritten_bytes(const source::Source& source, const std::vector<trace::Buffer>& buffers);
/// What the host does before a launch.
void take_steps(const std::vector<trace::HostStep>& steps, const std::vector<trace::Buffer>& buffers,
                uninitialised::UnwrittenBytes& unwritten);

/// Nothing to ask: no reads and no barriers.
Question question_of(const ReviewedLaunch& reviewed, std::size_t launch, const uninitialised::UnwrittenBytes& before,
                     const emulator::Result& result);

/// Runs the launches again from `initial`, those of the questions with their observers, and gives the answers to `run`.
void run_again(const Program& program, const std::vector<trace::Buffer>& initial, const ExecutionOptions& options,
               const std::vector<Question>& questions, PlainRun& run);

}  // namespace lanescope::engine
