#pragma once
// Kernels whose warps execute `.sync` operations and barriers in divergent code, one kernel a case. Their outcomes on an
// H100 are in tests/data/sync/joins.tsv. The same kernels run on a GPU (tests/gpu/joins) and in the emulator.

#include <string>
#include <vector>

namespace lanescope::emulator::test {

/// One kernel `k(u64 out, u64 in)`. `in` holds zeros: the kernel adds them to what decides its branches, so that the
/// compiler cannot see through. Thread t stores its result at word t of `out` and a second one at word 128 + t; words
/// that are not stored keep `unwritten`.
struct JoinCase {
  std::string name;       ///< what the sides execute, in PTX; unique
  unsigned threads = 32;  ///< of the one block
  bool alone = false;     ///< it may fault, so it needs a process of its own
  std::string ptx;        ///< a whole module
};

inline constexpr unsigned join_words = 256;       ///< of `out`, before the scratch words that the kernels also write
inline constexpr unsigned join_out_words = 8192;  ///< of `out` in all; `in` has as many
inline constexpr unsigned unwritten = 0xdeadbeefu;

std::vector<JoinCase> join_cases();

/// The outcome in one line: "HANG" or "FAULT" first where the kernel did not end; then the results of all threads, runs
/// of equal words as WORD*COUNT in base 16, `-` for an unwritten word; the second results after `;` if there are any.
std::string outcome_words(const unsigned* out, unsigned threads, bool hang, bool fault);

}  // namespace lanescope::emulator::test
