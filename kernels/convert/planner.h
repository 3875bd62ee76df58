#pragma once
// Plans from one register assignment to another, with their costs, and a lower bound of shuffles.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/convert/cost_model.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/shared_plan.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

// How few shuffles a conversion inside a warp can do with.
//
// A program of k shuffles moves elements: in each shuffle every lane shows one register and reads the one that another
// lane shows. Three arguments, for a lane that needs N elements, w of each lane that has some of them, where a register
// holds c:
//
//   room      a shuffle brings a lane c elements.                                               N <= c k
//   hearing   a lane offers in shuffle n data of at most 2^(n-1) lanes, of which the reader needs w elements each:
//                                                                              N <= sum over n of min(c, w 2^(n-1))
//   detours   a lane reads k lanes, so the elements of others arrive by way of a lane that does not need them itself, and
//             take room there, too. Ways of h reads end in a lane in at most C(k, h) manners, one for each choice of the
//             shuffles in which they are read. With the shortest ways for all elements, what they take in all lanes together
//             is no more than the room:
//                        sum over lanes and elements of h  <=  32 c k        w C(k, h) elements of a lane by h reads at most
//
// 16 x 16 bytes across 16 lanes: N = 15, w = 1, c = 4. Room and hearing give k = 4 and k = 5. With k = 5 a lane's
// elements take 5 * 1 + 10 * 2 = 25 places, and there are 4 * 5; with k = 6 they take 6 * 1 + 9 * 2 = 24, and there are
// 24.
//
// Room and hearing hold for all that a program computes from its registers, detours for programs that move elements, or
// parts of them, and do not add them up.

/// No program that moves registers by shuffles needs fewer.
struct ShuffleBound {
  int shuffles = 0;
  std::string argument;  ///< in words, with its numbers
};

/// The largest of the three bounds. That of detours is left out if two lanes need one element or hold copies of one:
/// they share the elements in transit. `map` is within warps.
ShuffleBound shuffle_bound(const PlaceMap& map);

/// One plan. Counts are per thread and for the whole register array, in 32-bit instructions; addresses and predicates
/// of the lane, which do not depend on the data, are not counted.
struct Plan {
  Counts counts;
  std::optional<WordProgram> program;  ///< inside a warp, by shuffles
  std::optional<SharedPlan> shared;    ///< through shared memory
  SharedPlan::Cost shared_cost;        ///< where `shared`
  int registers = 0;                   ///< the most that hold words at one time
  double cycles = 0;                   ///< see `cost_model`
  bool recommended = false;
};

/// Freedom of the destination: the planner chooses, and `Planned::to` has its choice.
struct Freedom {
  /// Thread bits of `to` may be in any order: for a next step that folds it into an address.
  bool lane_order = false;
  /// Simd and register bits of `to` may change places with one another: for a next step that can name any of them.
  bool register_order = false;
  bool any() const { return lane_order || register_order; }
};

struct Planned {
  layout::Assignment from, to;  ///< `to` with the rows that it left out, in the order that was chosen
  int element_bits = 32;
  PlaceMap map;
  /// By shuffles, the fewest first; one by movmatrix, where that is fewer instructions; through shared memory by
  /// ldmatrix or stmatrix, then as whole registers after exchanges by shuffles, where that is fewer cycles; by plain
  /// accesses last.
  std::vector<Plan> plans;
  std::optional<ShuffleBound> bound;  ///< inside a warp
  /// Inside a warp: every combination of moves that the planner has was tried; else its effort (`Effort` in
  /// warp_moves.h) was used up, and the plans are the best found so far.
  bool complete = true;
  /// Whether the first plan needs no more shuffles than the bound.
  bool proved_optimal() const;
  /// Shuffles of the first plan beyond the bound: it is unknown whether they are needed. nullopt between warps.
  std::optional<int> gap() const;
};

/// Errors: those of `place_map`; elements that move between blocks; between warps, more shared memory than a block has.
Expected<Planned> plan(const layout::Assignment& from, const layout::Assignment& to, int element_bits);

/// The best order of the bits that `free` leaves open, among those that keep every possible term in place (at most
/// `most_orders` of them) and the order as written. Errors: as above.
Expected<Planned> plan(const layout::Assignment& from, const layout::Assignment& to, int element_bits,
                       const Freedom& free);
inline constexpr int most_orders = 24;

/// Several assignments, one after the other.
struct Chain {
  std::vector<Planned> steps;  ///< one fewer than the assignments
  Planned direct;              ///< from the first to the last at once
  /// Of the first plans of all steps: those by shuffles where there are any.
  Counts step_counts() const;
};

/// Rows that a state leaves out stay as in the one before it. `free` is of the last one. Errors: fewer than two states,
/// and those of any step, with its number.
Expected<Chain> plan_chain(std::span<const layout::Assignment> states, int element_bits, const Freedom& free = {});

// Orders of what a destination leaves open.

/// Destinations that `free` allows: first `to` as it is, then those that keep each term where `from` has it, if it can
/// stay.
std::vector<layout::Assignment> orders(const layout::Assignment& from, const layout::Assignment& to,
                                       const Freedom& free);

}  // namespace lanescope::convert
