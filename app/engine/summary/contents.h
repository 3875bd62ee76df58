#pragma once
// Contents of a buffer before the launches and after them, on the emulator and on a GPU, as a range of elements in words.

#include "app/engine/requests/requests.h"
#include "kernels/trace/launch.h"
#include "results/contents.h"

namespace lanescope::engine {

/// The same buffers at three times; a time that did not come has none.
struct BufferTimes {
  const std::vector<trace::Buffer>&before, &emulated, &gpu;
  /// Not empty: not all blocks ran, in words. Then an element that was not changed has no value after the launches: the
  /// blocks that did not run might have.
  std::string partial{};
};
/// Elements in which two buffers of the same size differ, bit for bit, so that two NaNs may be equal and 0 and -0 are not.
struct Differences {
  std::uint64_t count = 0;
  std::int64_t first = -1;  ///< -1: none
};
Differences differences(int element_bits, const trace::Bytes& a, const trace::Bytes& b);

/// A range beyond the end is moved back; a buffer that is not there has index -1 and no
/// elements.
results::Contents contents_of(const BufferTimes& times, const ContentsRequest& request);

}  // namespace lanescope::engine
