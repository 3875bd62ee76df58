#pragma once
// Sizes that a kernel's own text suggests if they are not stated: a guard `i < n` suggests n for the threads of the
// launch, and the largest index of `p[...]` the number of elements of p. Intervals of integers are propagated through
// the body in one pass; unknown ones suggest nothing.

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "kernels/source/cxx/outline.h"

namespace lanescope::source {

struct SuggestedSizes {
  std::map<std::string, std::int64_t> scalars;    ///< parameters by name: from guards and the bounds of loops
  std::map<std::string, std::uint64_t> elements;  ///< pointer parameters by name: the largest index, plus one
  /// Parameters by name that an index multiplies: the least of them with which rows do not overlap. `p[y * pitch + x]`
  /// and x up to 31: pitch 32.
  std::map<std::string, std::int64_t> strides;
};

/// `known`: scalar parameters that have values.
SuggestedSizes suggested_sizes(const Lexed& lexed, const FunctionRange& kernel,
                               const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                               const std::map<std::string, std::int64_t>& known);

}  // namespace lanescope::source
