#pragma once
// Plans from one register assignment to another, with their costs, and a lower bound of shuffles.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/convert/cost_model.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"
#include "profiling/access/access.h"

namespace lanescope::convert {

// Conversions through shared memory: every thread stores words, waits, and loads words. Any conversion inside a block
// can be done so, between warps, too.
//
// The address of a word is one linear map over F2 of (word, thread). Lanes that are served together must access
// different banks, when they store and when they load. With A the words that lanes store together and B those that they
// load together, both subspaces: write every word in a basis of A and B (i: in both, a: in A only, b: in B only) and of
// the rest (g). Then
//
//     bank = (i, a + b)      row = (b, g)
//
// is one to one, and neither A nor B has two words in one bank: a swizzle without conflicts on both sides.

struct SharedPlan {
  WordProgram store;    ///< registers of a thread -> the words that it stores; may have shuffles
  WordProgram load;     ///< the words that it loads -> registers of the destination
  int unit_bytes = 4;   ///< of a word in shared memory: 1, 2 or 4
  int vector_bits = 0;  ///< an access moves 2^vector_bits words
  int unit_bits = 0;    ///< shared memory has 2^unit_bits words
  /// Addresses, counted in words: the sum of the columns that the bits of the word's number and the thread's choose.
  std::vector<std::uint64_t> store_words, store_threads, load_words, load_threads;
  std::uint64_t load_constant = 0;
  /// Word directions that one access moves together, lowest address first: bits of the words' numbers.
  std::vector<int> store_vector, load_vector;
  /// stmatrix, ldmatrix: each of up to four 8x8 matrices of 16-bit elements at once, their rows of 16 bytes side by
  /// side. The addresses above are those of the words that a lane gives or gets; lane l names the row l % 8 of matrix l
  /// / 8.
  bool matrix_stores = false, matrix_loads = false;
  bool transposed = false;         ///< .trans: each matrix is transposed on its way, as a movmatrix would
  std::uint64_t idle_threads = 0;  ///< thread bits that are 0 in the threads that store: the others have copies
  bool between_warps = false;      ///< needs a barrier of the block, else of the warp

  std::uint64_t shared_bytes() const { return static_cast<std::uint64_t>(unit_bytes) << unit_bits; }
  /// Of a warp: stores, then loads; four matrices are one access.
  std::vector<access::Access> accesses(std::uint64_t warp) const;
  /// Accesses of warp 0, with their prices on an H200.
  struct Cost {
    int stores = 0, loads = 0;
    int store_wavefronts = 0, load_wavefronts = 0;
    int conflicts = 0;  ///< wavefronts beyond those of lanes side by side
  };
  Cost cost() const;
};

/// nullopt where elements move between blocks.
std::optional<SharedPlan> shared_plan(const PlaceMap& map);

/// Plans whose threads first exchange slot bits with lane bits by shuffles (`slot_exchanges`), so that whole registers
/// instead of single elements pass through shared memory. `plain` is the plan of `map` by plain accesses.
std::vector<SharedPlan> exchanged_shared_plans(const SharedPlan& plain, const PlaceMap& map);

/// The plan with ldmatrix for its loads or stmatrix for its stores, where rows of 8 elements that lie in the registers
/// of a thread on one side are dealt to four lanes on the other: that side then needs a quarter of the accesses, and
/// the other one has vectors of 16 bytes. Transposed ones where the other side of the matrices would fit so. `plain` is
/// the plan of `map` by plain accesses.
std::vector<SharedPlan> matrix_shared_plans(const SharedPlan& plain, const PlaceMap& map);

/// Exact, as for word programs: all warps store, then all load. Empty when every place is right.
std::string disprove(const SharedPlan& plan, const PlaceMap& map);

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
