#pragma once
// From observed (place, element) pairs to the assignment that is really there, or the smallest proof that none exists.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/layout/observation.h"

namespace lanescope::layout {

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
  /// true; these are what the rows leave unsaid. `map` has them.
  std::vector<std::string> unsaid;
};

/// Exact: where any affine map agrees with all observations, one is found (the free columns 0); otherwise a
/// counterexample, of two observations where one place was seen with two elements, else of four where a parallelogram
/// exists and at most 2,048 distinct places were seen, or all places of the cube that the witness spans, and else one
/// from which nothing can be left out. One pass; an observation that only confirms costs one look-up per 8 place bits.
///
/// The rows of `assignment` never state anything false, and `to_map(assignment)`, where defined, agrees with `map` on
/// every logical bit that the rows name. How the rows come about is reported at `from_map`.
std::variant<Inference, Counterexample> infer(const Question& question);

}  // namespace lanescope::layout
