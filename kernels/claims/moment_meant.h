#pragma once
// Which moment a comment means. It speaks of the place where it stands; but comments are written above the statements that
// bring about what they say, too. Such a comment is false where it stands and true after those statements.
//
// A wrong comment can be true by accident after the next exchange, so that it has to be clear that the later moment is
// meant. It is where the words look forward or speak of the step itself, and where no assignment of any kind describes what is there at the comment
// (nothing, or half of a transpose), which cannot be meant. In every other case the comment is judged where it
// stands, and what is said of the later moment is a remark.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/claims/claims.h"

namespace lanescope::claims {

struct AtMoment {
  ClaimResult result;
  int line = 0;  ///< of the statement whose effect is seen
};

/// One claim at the comment, then after each of the writes that follow, in text order. A moment is judged when it is first
/// requested: where the comment is true, those after it are not needed.
class MomentsOfClaim {
 public:
  MomentsOfClaim(std::size_t count, std::function<AtMoment(std::size_t)> judge)
      : judge_(std::move(judge)), at_(count) {}

  std::size_t size() const { return at_.size(); }
  AtMoment& operator[](std::size_t moment) {
    if (!at_[moment]) at_[moment] = judge_(moment);
    return *at_[moment];
  }

 private:
  std::function<AtMoment(std::size_t)> judge_;
  std::vector<std::optional<AtMoment>> at_;
};

/// `at`: at least one moment. `forward`: the words that look forward; empty when there are none. `of_step`: the words speak of a
/// step and leave open which side of it they mean, so that the comment is true if it is true on one of them.
ClaimResult at_the_moment_meant(MomentsOfClaim at, const std::string& forward, bool of_step = false);

}  // namespace lanescope::claims
