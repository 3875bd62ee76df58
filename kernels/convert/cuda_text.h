#pragma once
// A conversion as CUDA C++.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/convert/planner.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

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

/// One plan of a conversion, to be written as text.
struct Conversion {
  const Planned& planned;
  const Plan& plan;
};

struct CodeNames {
  std::string function = "convert";
  std::string name_space;  ///< "" or "a::b"
};

/// "3 shuffles, 16 selects"; "moves nothing" where there is nothing to execute.
std::string counts_in_words(const Counts& counts);

/// `template <class Word> __device__ __forceinline__ void NAME(const Word (&from)[A], Word (&to)[B])` with a comment on
/// what it does and the assignment after each step. `Word` has 4 bytes (8 or 16 for elements of 64 or 128 bits). Through
/// shared memory it takes a `void* shared`, too.
std::string device_function(const Conversion& conversion, const CodeNames& names);

/// `template <class Word> __device__ __forceinline__ void NAME(const Word (&from)[W], Word (&to)[W])`, `Word` of 4 bytes.
std::string struct_function(const StructPlan& plan, const CodeNames& names);

/// A header around device functions: it includes nothing and needs nothing.
std::string header_file(const std::string& functions, const std::string& name_space);

/// "8 shuffles, 32 selects"; for shared memory its accesses, wavefronts, bytes and barrier.
std::string cost_in_words(const Plan& plan);

// Linear maps over F2 as C expressions.

/// The sum of the columns that the bits of `name` choose, as shifts of masked bits.
std::string linear_text(std::string_view name, std::span<const std::uint64_t> columns);

/// An expression of `lane` with the table's values.
std::string table_text(const LaneTable& table);

// A conversion as a kernel file with its own launch.

/// A kernel file: one warp reads the array `p` into registers by `from`, converts them, and writes the array `q` by
/// `to`. It has claims, and `q` must equal `p` if every element is moved. "" for elements of 2 or 128 bits, which no
/// buffer has.
std::string kernel_file(const Conversion& conversion, const CodeNames& names);
/// Where the elements lie in its arrays, in elements: the sum of the columns that the bits of an element's number (by
/// `PlaceMap::names`) choose.
std::vector<std::uint64_t> kernel_file_offsets(const PlaceMap& map);
/// Elements of either array: of all bits of its axes up to the highest that is named.
std::uint64_t kernel_file_elements(const PlaceMap& map);

}  // namespace lanescope::convert
