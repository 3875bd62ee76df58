#pragma once
// Ways from one register assignment to another, with what each costs, and how few shuffles any way needs.

#include <optional>
#include <string>
#include <vector>

#include "kernels/convert/bounds.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/shared_plan.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// One way. Counts are per thread and for the whole register array, in 32-bit instructions; addresses and predicates of
/// the lane, which do not depend on the data, are not counted.
struct Plan {
  Counts counts;
  std::optional<WordProgram> program;  ///< inside a warp, by shuffles
  std::optional<SharedPlan> shared;    ///< through shared memory
  SharedPlan::Cost shared_cost;        ///< where `shared`
  int registers = 0;                   ///< the most that hold words at one time
  double cycles = 0;                   ///< see `cost_model`
  bool recommended = false;
};

struct Planned {
  layout::Assignment from, to;  ///< `to` with the rows that it left out
  int element_bits = 32;
  PlaceMap map;
  std::vector<Plan> plans;            ///< by shuffles, the fewest first; through shared memory last
  std::optional<ShuffleBound> bound;  ///< inside a warp
  /// Whether the first plan needs no more shuffles than the bound.
  bool proved_optimal() const;
};

/// Errors: those of `place_map`; elements that move between blocks.
Expected<Planned> plan(const layout::Assignment& from, const layout::Assignment& to, int element_bits);

/// Cycles of one SM for each warp, by the throughputs that the CUDA C++ Programming Guide states for compute capability
/// 9.0: shuffles and wavefronts of shared memory 1, selects, permutes, shifts and masks 1/2. Latencies are not in it.
inline constexpr double cycles_of_a_shuffle = 1, cycles_of_a_wavefront = 1, cycles_of_another = 0.5;

}  // namespace lanescope::convert
