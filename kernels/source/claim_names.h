#pragma once
// Which variables a claim is about, judged by the words that introduce it and the declarations around it.

#include <optional>
#include <string>
#include <vector>

#include "kernels/source/comment_claims.h"
#include "kernels/source/outline.h"

namespace lanescope::source {

struct ClaimNames {
  std::string display;               ///< "x"
  std::vector<std::string> members;  ///< {"x0", "x1"}; one name for an array, a vector or a scalar
  std::string problem;               ///< non-empty: why there are none
};

/// `anchor`: the last token before the claim; `function` the function it lies in.
ClaimNames names_of(const TextClaim& claim, const Outline& outline, int function, int anchor);

}  // namespace lanescope::source
