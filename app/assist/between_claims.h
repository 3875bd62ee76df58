#pragma once
// The way from one claim of a kernel to another: what the planner finds, and what the author's code executes between them.

#include <cstddef>
#include <optional>

#include "kernels/convert/planner.h"
#include "results/summary.h"

namespace lanescope::assist {

/// PTX instructions that a warp of the plain program executes on the lines between two claims, each time that it passes
/// there: the average of a run, relative to the first of them that ran.
struct AuthorCode {
  int first_line = 0, last_line = 0;  ///< of the file, both included
  convert::Counts counts;             ///< logic: shifts, masks and field extracts, those of addresses, too
  double shared_stores = 0, shared_loads = 0, wavefronts = 0;
  double block_barriers = 0, warp_barriers = 0;
  double others = 0;  ///< arithmetic, conversions, branches, global memory
  double cycles = 0;  ///< by the planner's cost model, without `others`
};

struct BetweenClaims {
  layout::Assignment from, to;
  int element_bits = 32;
  convert::Planned planned;
  std::optional<AuthorCode> author;  ///< nullopt: no run, or nothing ran between the claims
};

/// What a claim says is there: what it states, with the rows that it leaves out as they were found; what was found where it
/// differs.
layout::Assignment state_of(const results::ClaimInfo& claim);

/// Bits of an element: `32 >> simd bits` where the first claim has a simd row that is not empty; else those of the buffers,
/// if they are all of one width of 32 bits or more; else 32.
int element_bits_of(const results::ClaimInfo& claim, const results::Summary& summary);

/// `from` and `to` are indices of Summary::claims, of register claims, in this order in the text. `element_bits` 0: as above.
/// A row of warps or blocks that only `to` has, of bits that `from` does not name, is left out. Errors: those of the planner;
/// claims that are not of registers, or not in this order.
Expected<BetweenClaims> between_claims(const results::Summary& summary, std::size_t from, std::size_t to,
                                       int element_bits = 0);

}  // namespace lanescope::assist
