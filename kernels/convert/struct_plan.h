#pragma once
// Structures of any number of words, transposed in registers across a warp. The number need not be a power of two, so
// no map over F2 describes it; the arithmetic is that of remainders.
//
//   dealt     register r of lane l is word 32 r + l of 32 structures: what W coalesced loads of words give
//   own       register f of lane t is word f of structure t
//
// Word f of structure t is number n = W t + f: lane n mod 32, register n div 32. In round r lane t takes its word f =
// (r + h) mod W, where h are the upper bits of t, as many as W has factors of two (at most 5). Then no two lanes read
// one lane in one round, and W shuffles do. Which register a lane must give in round r is a rotation of one fixed order
// by an amount of the lane: log2 W selects for each word. Where h is not 0, the words that arrive are rotated by h.

#include "kernels/convert/word_program.h"

namespace lanescope::convert {

inline constexpr int most_struct_words = 64;

struct StructPlan {
  enum class Direction : std::uint8_t { to_lanes, from_lanes };  ///< dealt -> own, own -> dealt
  int words = 0;                                                 ///< 1 to `most_struct_words`
  Direction direction = Direction::to_lanes;
  WordProgram program;
  int least_shuffles = 0;  ///< words that some lane must get from others
};

StructPlan struct_plan(int words, StructPlan::Direction direction);
/// Exact: the numbers of the words, moved. "" when right.
std::string disprove(const StructPlan& plan);

}  // namespace lanescope::convert
