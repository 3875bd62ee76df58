#pragma once
// Which elements a value depends on, folded: a sum over a column of a 1024-element array is one run, not 32 numbers.
//
//   a[0..3]                        first 0, step 1, count 4
//   a[0..992 step 32]              first 0, step 32, count 32
//   a[0..3], 8 times every 32      the same as the first, repeated

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

/// Elements first + i * step + j * stride, for i < count and j < times.
struct ElementRun {
  std::int32_t buffer = -1;
  std::uint64_t first = 0, step = 1, count = 1;
  std::uint64_t stride = 0, times = 1;
  std::uint64_t elements() const { return count * times; }
  bool operator==(const ElementRun&) const = default;
};

struct ElementSet {
  std::uint64_t count = 0;         ///< distinct elements
  std::vector<ElementRun> runs{};  ///< the first `most_runs` of them, ascending; they do not overlap
  bool whole = true;               ///< false: there are more runs
  bool known = true;               ///< false: more elements than the run could list
  static constexpr std::size_t most_runs = 16;
  bool operator==(const ElementSet&) const = default;
};

/// `sorted`: distinct (buffer, element), ascending.
ElementSet fold(std::span<const std::pair<int, std::uint64_t>> sorted);

/// The elements of all runs, ascending.
std::vector<std::pair<int, std::uint64_t>> unfold(const ElementSet& set);

/// "a[0..992 step 32]"; at most `most` runs, then "and 3 more runs". No count of elements.
std::string set_words(const Summary& summary, const ElementSet& set, std::size_t most = 3);
/// "32 elements: a[0..992 step 32]"; "1 element: a[5]".
std::string counted_set_words(const Summary& summary, const ElementSet& set, std::size_t most = 3);

}  // namespace lanescope::results
