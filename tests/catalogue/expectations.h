#pragma once
// Outputs of the kernels of the catalogue, one entry a kernel.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/catalogue/cpu_results.h"

namespace lanescope::catalogue {

using Index = std::uint64_t;
/// The element of the input that the output holds at position n.
using Origin = std::function<Index(Index n)>;
using Result = std::function<Bytes(const Inputs&)>;

struct Expectation {
  std::string input, output;
  int bits = 32;
  Origin origin = {};  ///< empty: the kernel computes
  Result result = {};
  bool in_place = false;                      ///< the kernel works in its input
  std::map<std::string, Result> others = {};  ///< further outputs
};

/// Shuffles, warps, groups, reductions, tensor cores and asynchronous copies.
const std::map<std::string, Expectation>& warp_expectations();
/// The claims of the same kernels, derived by hand from their indexing, claim by claim.
const std::map<std::string, std::vector<std::string>>& warp_claims();

}  // namespace lanescope::catalogue
