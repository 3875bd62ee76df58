#pragma once
// Random programs of one warp that mix branches, loops, breaks, calls, exits and `.sync` operations, with their results by
// the rule that tests/data/sync/joins.tsv shows: an operation acts when every lane of its mask that has not exited stands
// at the same operation with the same mask, wherever it stands in the code.

#include <array>
#include <cstdint>
#include <string>

namespace lanescope::emulator::test {

struct RandomJoins {
  std::string entry;          ///< the kernel `kN(u64 out, u64 in)` and its functions, without the head of a module
  bool mismatch = false;      ///< lanes wait for each other at different operations; there are no results then
  bool undefined = false;     ///< a shuffle reads a lane that has exited
  bool reads_others = false;  ///< a shuffle reads a lane that its mask does not name: undefined, and no `results` then
  std::array<std::uint32_t, 32> results{};  ///< word of each thread of `out`
};

/// Program `n` of the series. Each thread stores one word; `in` holds zeros.
RandomJoins random_joins(unsigned n);

inline constexpr const char* random_joins_head = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// Of 32 words, to record them in one.
std::uint32_t results_hash(const std::uint32_t* words);

}  // namespace lanescope::emulator::test
