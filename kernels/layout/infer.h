#pragma once
// From observed (place, element) pairs to the assignment that is really there, or the smallest proof that none exists.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
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

struct Inference {
  Assignment assignment;              ///< with constants; bits that change nothing come out as [unused]
  std::vector<std::string> constant_bits;  ///< logical bits that no physical bit changes, with their value in `constant`
  std::uint64_t constant = 0;         ///< element at place 0, packed
  AffineMap map;                      ///< packed place -> packed element
  bool complete = true;               ///< false: the observed places do not fix every column; free ones are 0
};

std::variant<Inference, Counterexample> infer(const Question& question);

}  // namespace lanescope::layout
