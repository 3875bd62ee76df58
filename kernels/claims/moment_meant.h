#pragma once
// Which moment a comment means. It speaks of the place where it stands; but comments are written above the statements that
// bring about what they say, too. Such a comment is false where it stands and true behind those statements.
//
// A wrong comment can be true by accident after the next exchange, so that it has to be clear that the later moment is
// meant. It is where the words look forward, and where no assignment of any kind describes what is there at the comment
// (nothing, or half of a transpose): nobody can have meant that. In every other case the comment is judged where it
// stands, and what is said of the later moment is a remark.

#include <string>
#include <vector>

#include "kernels/claims/claims.h"

namespace lanescope::claims {

struct AtMoment {
  ClaimResult result;
  int line = 0;  ///< of the statement whose effect is seen
};

/// `at`: one claim at the comment, then behind each of the writes that follow, in text order. `forward`: the words that look
/// forward; empty when there are none.
ClaimResult at_the_moment_meant(std::vector<AtMoment> at, const std::string& forward);

}  // namespace lanescope::claims
