#pragma once
// Shrinking a contradiction between observations to one that a person can check by eye. Used by `infer` only.

#include "kernels/layout/observation.h"

namespace lanescope::layout {

/// `witness`: an even number of observations whose places XOR to 0 and whose elements do not; the last one is the one
/// that was found to disagree. What comes back is guaranteed to be
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
