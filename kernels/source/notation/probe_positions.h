#pragma once
// Where each claim is checked: the first point after its comment at which every variable it names is declared and
// assigned. A claim on variables that already have their values is checked right at the comment.

#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/claim.h"
#include "kernels/source/notation/comment_claims.h"

namespace lanescope::source {

/// A probe and the token it follows. After the only statement of a loop it is in braces with that statement, so that it
/// records each iteration.
struct PlacedProbe {
  ProbePoint point;
  int token = 0;
  int brace_before = -1;           ///< braces begin before this token and end after the probe; -1: the probe needs none
  std::vector<std::string> names;  ///< of the variables, in the order of `point.variables`
};

struct Bound {
  std::vector<Claim> claims;
  std::vector<Variable> variables;
  std::vector<PlacedProbe> probes;  ///< claim probes first
};

/// `host`: for each function of the outline whether it was cut away as host code.
Bound bind_claims(const Lexed& lexed, const Outline& outline, const std::vector<TextClaim>& claims,
                  const std::vector<bool>& host, bool watch_probes);

}  // namespace lanescope::source
