#pragma once
// Sizes that nobody states, from what the kernel does: it is run once in arrays that are larger than it is likely to need,
// and the largest place that it accesses says how large the array has to be. Only for buffers and dynamic shared memory
// whose sizes were assumed (BufferSpec::size_assumed, LaunchSpec::shared_assumed); what a header, the host code or a comment
// says is never changed. What was taken is a sentence among the assumptions, in place of the one that it corrects.

#include <atomic>
#include <string>

#include "app/engine/prepare/program.h"
#include "kernels/source/source.h"

namespace lanescope::engine {

inline constexpr double fit_seconds = 0.5;                       ///< that the trial may take
inline constexpr std::uint64_t most_fitted_bytes = 64ULL << 20;  ///< of all such buffers together, in the trial

/// The same where a number among the arguments may be a count of elements that needs more.
inline constexpr std::uint64_t most_counted_bytes = 512ULL << 20;

/// True: sizes of `source` were changed, so that buffers and launches have to be made anew. `directory` as for make_buffers.
bool fit_assumed_sizes(source::Source& source, const Program& plain, const std::string& directory,
                       const std::atomic<bool>* cancel);

/// Whole numbers that nobody states may be indices, and 0, 1, 2, ... need not be good ones: where these lead a kernel out of its
/// arrays in a short trial and zeros do not, zeros are taken, which is a sentence among the assumptions. True: the
/// contents of `source` were changed.
bool calm_assumed_contents(source::Source& source, const Program& plain, const std::string& directory,
                           const std::atomic<bool>* cancel);

}  // namespace lanescope::engine
