#pragma once
// Stalls of warps: samples of the program counter, taken by each multiprocessor in turn from its warps while the
// kernels run at full speed. A sample has the next instruction of a warp and the reason why it does not issue.
//
// The launches run again and again from the initial buffers until there are enough samples or the time is up; counts of
// samples are shares of time, never exact. Measured on an H200 with CUDA 13.0: in a process that had already collected
// activity records and ranges every sample came back as another process's, so a process samples and nothing else.

#include "profiling/cupti/cupti.h"

namespace lanescope::cupti {

struct StallRow {
  int line = 0;              ///< of the source; 0: not known
  std::uint32_t offset = 0;  ///< bytes from the start of the function
  std::string file{}, function{};
  std::string reason{};  ///< the hardware's name: "smsp__pcsamp_warps_issue_stalled_long_scoreboard"
  std::uint64_t samples = 0;
  std::uint64_t idle = 0;  ///< of these, the ones in cycles in which the scheduler issued nothing: they cost time. The
                           ///< hardware's own name of this number is the reason's with "_not_issued"
  bool operator==(const StallRow&) const = default;
};

struct StallReport {
  std::string device{}, chip{};
  std::vector<StallRow> rows{};  ///< by function, offset, reason
  std::uint64_t samples = 0;     ///< those of the rows, and those below
  std::uint64_t dropped = 0;     ///< lost by the hardware
  std::uint64_t elsewhere = 0;   ///< in kernels that are not ours
  std::size_t runs = 0;          ///< of the whole list of launches
  int period_log2 = 0;           ///< a multiprocessor takes a sample every 2^this cycles
  double milliseconds = 0;       ///< of all runs together
};

/// "long_scoreboard" of the hardware's name.
std::string_view stall_name(std::string_view reason);
/// A stall reason in words; empty for an unknown reason. Source: Nsight Compute documentation, "Warp Stall Reasons".
std::string_view stall_words(std::string_view reason);

/// Errors: no library, no GPU, no permission, a launch that failed. Once per process (child.h).
Expected<StallReport> sample_stalls(const Request& request);

}  // namespace lanescope::cupti
