#pragma once
// Which variables form one register array, and which 32-bit words it has.

#include <vector>

#include "kernels/source/source.h"
#include "kernels/trace/trace.h"
#include "results/summary.h"

namespace lanescope::engine {

struct Family {
  results::RegisterArray info;
  std::vector<int> variables;              ///< ids in register order
  std::vector<trace::VariableWord> words;  ///< 32-bit words in register order
  bool wide = false;                       ///< values of 64 bits: two words make one register
};

/// Families of the claims first (as they name their registers), then of the other variables that probes read: x0, x1,
/// x2, ... of one function form one; every other variable is its own. `value_bytes` by variable id; 0: not read.
std::vector<Family> families_of(const source::Source& source, const std::vector<int>& value_bytes);

/// The family that holds a variable; -1 when none does.
int family_of(const std::vector<Family>& families, int variable);
/// The family of a claim: the one with exactly its registers.
int family_of(const std::vector<Family>& families, const source::Claim& claim);

}  // namespace lanescope::engine
