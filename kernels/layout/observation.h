#pragma once
// What was seen of an array, and what is queried about it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/layout/affine_map.h"

namespace lanescope::layout {

/// One place that was looked at. `element` is the packed logical index; bit n of it is `names[n]` of the question.
struct Observation {
  std::uint64_t place = 0;
  std::uint64_t element = 0;
};

struct Question {
  PhysicalShape shape;
  std::vector<std::string> names;             ///< logical bits, at most 64
  std::span<const Observation> observations;  ///< places that were not looked at (inactive lanes) are don't-care
};

/// Observations that no affine map fits: the XOR of the places is 0 and the XOR of the elements is not (three places
/// where two predict the third, at best four, or two elements seen at one place).
struct Counterexample {
  std::vector<Observation> observations;
  std::string words;  ///< "r0 t1 holds (3,1), where r0, t1 and the constant predict (3,5)"
};

}  // namespace lanescope::layout
