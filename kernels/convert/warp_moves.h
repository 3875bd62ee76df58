#pragma once
// Conversions inside a warp as word programs.
//
// One move brings every element to its place with at most one shuffle on its way. Its words are made of elements that
// travel together (the same lanes for each element), so that no shuffle carries less than it could:
//
//   gather    words of elements that go to the same lane    permutes, or masks and shifts for elements below a byte
//   turn      word k of lane l becomes word k + H l         selects: one stage for each dimension of H
//   shuffle   lane l reads word k of lane M l + T k         one for each word that does not stay
//   turn      word k of lane l becomes word k + F l         selects: one stage for each dimension of F
//   gather    registers of the destination
//
// H, M and F come from the place map by linear algebra over F2; F is the smallest for which M lets every lane find its
// words. Where no F exists (lanes that read what one lane has in several registers) words are fetched twice and one is
// taken.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// The conversion `map` as a sequence of moves: `steps` are exchanges of one local bit with one lane bit each, done
/// group by group before the rest. Every combination gives the same result at another cost.
struct WarpPlan {
  std::vector<int> groups;  ///< sizes of the groups of exchanges that come first; empty: one move
  WordProgram program;
};

/// Limits of a search. The first plan is always made; then the search ends when either limit is reached.
struct Effort {
  std::size_t instructions = 13'000;  ///< written: the same on every machine
  double seconds = 0.5;
};

/// Plans of different cost, none worse than another in every count, the fewest shuffles first. `complete`: whether
/// every combination of groups was tried.
std::vector<WarpPlan> warp_plans(const PlaceMap& map, const Effort& effort = {}, bool* complete = nullptr);

/// Plans whose first or last step is a movmatrix of every register: elements of 16 bits whose slot and lane bits 1 0
/// change places with lane bits 4 3 2. The one of fewest cycles; nullopt where the conversion has no such elements.
std::optional<WarpPlan> matrix_plan(const PlaceMap& map);

/// The rest of `map` after a movmatrix of the source's registers; the map before a movmatrix of the destination's.
/// nullopt: not every element of the matrices moves.
std::optional<PlaceMap> after_matrix(const PlaceMap& map);
std::optional<PlaceMap> before_matrix(const PlaceMap& map);

/// Exchanges of a slot bit with a lane bit of the source, after which slots hold what the slots of the destination
/// hold: elements that would travel one by one then travel as whole registers. Empty: none are needed, or the
/// conversion is no permutation of bits.
std::vector<std::pair<int, int>> slot_exchanges(const PlaceMap& map);
/// The registers of the source after `exchanges`, one group of `groups[n]` of them after the other, and the remaining
/// map. nullopt: too many words would have to be fetched twice.
struct Exchanged {
  std::vector<Value> registers;
  PlaceMap left;
};
std::optional<Exchanged> exchange(WordBuilder& builder, const PlaceMap& map,
                                  std::span<const std::pair<int, int>> exchanges, std::span<const int> groups,
                                  std::vector<Value> registers);

/// Exact: runs the program with every bit of the source represented by its number, and compares every place of the
/// destination. Empty if it is right, else the error.
std::string disprove(const WordProgram& program, const PlaceMap& map);

}  // namespace lanescope::convert
