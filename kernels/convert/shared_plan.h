#pragma once
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

#include <optional>
#include <string>
#include <vector>

#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"
#include "profiling/access/access.h"

namespace lanescope::convert {

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

}  // namespace lanescope::convert
