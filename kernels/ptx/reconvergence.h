#pragma once
// Where lanes of a warp that diverge come together again.
//
// ptxas opens a convergence barrier before a region in which lanes may part, and closes it where they come together (BSSY
// and BSYNC of the machine code). That is the first place to which two ways from the branch lead. Lanes that exit or jump
// past it are not waited for: the machine code takes them out of the barrier (BREAK). For example, all but those of C wait
// at the second line for each other, and all at the third:
//
//   if (a) { x; if (c) goto out; y; }
//   z;
//   out: w;
//
// In a loop that ends by what another thread writes (its condition depends on a volatile, relaxed or acquiring load, an
// atomic or a test of an mbarrier), ptxas places YIELD: lanes that wait at a barrier continue without those that yield.
// These rules were read from machine code of sm_90 and measured on an H100 (docs/divergence.md).

#include <vector>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// Ranks number the instructions of a function so that every way leads to a higher one, except from the end of a loop's
/// round to its header.
struct Reconvergence {
  static constexpr int nowhere = -1, returned = -2;  ///< `returned`: where the caller continues
  struct At {
    int rank = 0;
    int join = nowhere;   ///< of an instruction at which lanes may part: the instruction before which they wait
    int join_rank = 0;    ///< of the header of a loop: of the end of the round
    int round_ends = -1;  ///< of the header of a loop: the rank of the end of a round; -1: of others
    bool yields = false;  ///< lanes yield before it
  };
  std::vector<At> by_instruction;  ///< the last one stands for the end of the code
};

Reconvergence reconvergence(const Entry& entry);

}  // namespace lanescope::ptx
