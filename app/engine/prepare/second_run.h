#pragma once
// The second run of a launch of which the review's first one left a question: whether values from memory that was never
// written are used, and which barriers order nothing. Both cost more than one needs to pay for launches that have no
// such reads and whose barriers all order something, which are most.

#include <cstdint>
#include <vector>

#include "app/engine/prepare/execution.h"

namespace lanescope::engine {

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

}  // namespace lanescope::engine
