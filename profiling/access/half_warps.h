#pragma once
// Global memory of compute capability 1.x: a request of a warp is two, one for each half, and each half becomes
// transactions of 32, 64 or 128 bytes. Nothing is cached. CUDA C Programming Guide, edition 4.2, F.3.2.1 and F.3.2.2.
//
//   32 lanes read 4 bytes each     1.0 and 1.1 (in order)      1.2 and 1.3 (segments)
//   4*l                            2 of 64 bytes               2 of 64 bytes
//   4*(31-l)                       32 of 32 bytes              2 of 64 bytes
//   4*l + 4                        32 of 32 bytes              128 bytes, then 64 and 32 (the half crosses a segment)
//   4                              32 of 32 bytes              2 of 32 bytes
//
// 1.0, 1.1: lane k of a half has to access word k of a segment that is aligned to the whole of it (64 bytes for words
// of 4, 128 for words of 8, 256 for words of 16, moved as 128 and 128), inactive lanes aside. A half that does not
// moves 32 bytes for each of its lanes; the guide says 16; here inactive lanes move nothing. 1.2, 1.3: the segment of
// the lowest active lane (32 bytes for words of 1, 64 for words of 2, else 128) serves every lane that lies in it; it
// is halved while only one half of it is used, down to 32 bytes. This is repeated for the lanes left.

#include <cstdint>
#include <vector>

#include "profiling/access/access.h"

namespace lanescope::access {

struct Transaction {
  std::uint64_t address = 0;  ///< a multiple of `bytes`
  std::uint32_t bytes = 0;    ///< 32, 64 or 128
  std::uint32_t lanes = 0;    ///< that it serves
};

/// In the order they are issued. Empty: no lane is active, or the rule is `none`. Addresses are multiples of the width.
std::vector<Transaction> half_warp_transactions(const Access& access, HalfWarps rule);

}  // namespace lanescope::access
