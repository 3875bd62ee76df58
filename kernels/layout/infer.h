#pragma once
// From observed (place, element) pairs to the assignment that is really there, or the smallest proof that none exists.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernels/layout/affine_map.h"

namespace lanescope::layout {

// Observations of an array, and the question about them.

/// One observed place. `element` is the packed logical index; bit n of it is `names[n]` of the question.
struct Observation {
  std::uint64_t place = 0;
  std::uint64_t element = 0;
};

struct Question {
  PhysicalShape shape;
  std::vector<std::string> names;             ///< logical bits, at most 64
  std::span<const Observation> observations;  ///< places without an observation (inactive lanes) are don't-care
};

/// Observations that no affine map fits: the XOR of the places is 0 and the XOR of the elements is not (three places
/// where two predict the third, at best four, or two elements seen at one place).
struct Counterexample {
  std::vector<Observation> observations;
  std::string words;  ///< "r0 t1 holds (3,1), where r0, t1 and the constant predict (3,5)"
};

struct Inference {
  Assignment assignment;  ///< with constants; bits that change nothing come out as [unused]
  std::vector<std::string>
      constant_bits;           ///< logical bits that no physical bit changes, with their value in `constant`
  std::uint64_t constant = 0;  ///< element at place 0, packed
  AffineMap map;               ///< packed place -> packed element
  bool complete = true;        ///< false: the observed places do not fix every column; free ones are 0
  /// Where `complete` is false: the physical bits whose column is free. Their [unused] is a guess that nothing
  /// contradicts.
  std::vector<PhysicalBit> unobserved;
  /// Logical bits that vary and that no row names, because they follow others (along a diagonal, j0 = i0). Every row is
  /// true, but the rows do not state these. `map` has them.
  std::vector<std::string> unsaid;
};

/// Exact: where any affine map agrees with all observations, one is found (the free columns 0); otherwise a
/// counterexample, of two observations where one place was seen with two elements, else of four where a parallelogram
/// exists and at most 2,048 distinct places were seen, or all places of the cube that the witness spans, and else one
/// from which nothing can be left out. One pass; an observation that only confirms costs one look-up per 8 place bits.
///
/// The rows of `assignment` never state anything false, and `to_map(assignment)`, where defined, agrees with `map` on
/// every logical bit that the rows name. `from_map` describes the derivation of the rows.
std::variant<Inference, Counterexample> infer(const Question& question);

// Shrinking a contradiction between observations to one that a person can check by eye. Used by `infer` only.

/// `witness`: an even number of observations whose places XOR to 0 and whose elements do not; the last one is the one
/// that was found to disagree. The returned counterexample is guaranteed to be
///  - of 2 observations, whenever one place was seen with two elements;
///  - else of 4, whenever there are such 4 and no more than `exact_limit` distinct places were seen, or the places of
///    the subcube between the witness's places were all seen (then any number of places);
///  - else irreducible: no subset of it is a counterexample.
Counterexample smallest_counterexample(const Question& q, std::vector<Observation> witness);
inline constexpr std::size_t exact_limit = 2048;

/// "warp 0, lane 5, register 2"; bits of rows that the shape does not have are left out.
std::string place_in_words(const PhysicalShape& shape, std::uint64_t place);
/// "(i=3, j=1)", axes in the order of their first name.
std::string element_in_words(const std::vector<std::string>& names, std::uint64_t element);

}  // namespace lanescope::layout
