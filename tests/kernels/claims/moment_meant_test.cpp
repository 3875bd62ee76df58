// Which moments are judged, and that the answer is the one of judging all of them.

#include "kernels/claims/collector.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace {

using namespace lanescope::claims;

/// By moment: 0 differs, 1 differs and no assignment describes it, 2 holds, 3 unchecked.
AtMoment moment(int kind, std::size_t at) {
  AtMoment m;
  m.line = 10 + static_cast<int>(at);
  m.result.instances = 1;
  m.result.verdict = kind < 2 ? Verdict::differs : kind == 2 ? Verdict::holds : Verdict::unchecked;
  m.result.formless = kind == 1;
  if (kind == 3) m.result.reason = lanescope::coded<Why::no_traced_element>("x");
  return m;
}

TEST(MomentMeant, BehindATrueCommentNothingIsJudged) {
  int judged = 0;
  const ClaimResult r = at_the_moment_meant({5,
                                             [&](std::size_t at) {
                                               ++judged;
                                               return moment(at == 0 ? 2 : 0, at);
                                             }},
                                            "");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.after_line, 0);
  EXPECT_EQ(judged, 1);
}

TEST(MomentMeant, EveryMomentIsJudgedOnceAtMostAndTheLastDecidesWhereTheFirstIsFalse) {
  for (int code = 0; code < 4 * 4 * 4; ++code) {
    for (const std::string forward : {"", "becomes"}) {
      const std::array<int, 3> kinds{code % 4, code / 4 % 4, code / 16};
      std::array<int, 3> judged{};
      const ClaimResult r = at_the_moment_meant({3,
                                                 [&](std::size_t at) {
                                                   ++judged[at];
                                                   return moment(kinds[at], at);
                                                 }},
                                                forward);
      SCOPED_TRACE(testing::Message() << kinds[0] << kinds[1] << kinds[2] << " \"" << forward << "\"");
      for (const int times : judged) EXPECT_LE(times, 1);
      const bool here = kinds[0] == 2, last = kinds[2] == 2;
      if (here && (last || forward.empty())) {
        EXPECT_EQ(r.verdict, Verdict::holds);
        EXPECT_EQ(r.after_line, 0);
      } else if (last && (!forward.empty() || kinds[0] == 1 || kinds[0] == 3)) {
        EXPECT_EQ(r.verdict, Verdict::holds);
        EXPECT_EQ(r.after_line, 12);
      } else {
        EXPECT_NE(r.verdict, Verdict::holds);
        EXPECT_EQ(r.after_line, last && forward.empty() ? 12 : 0);
      }
    }
  }
}

TEST(MomentMeant, AStepIsTrueIfItIsTrueOnOneOfItsSides) {
  for (int code = 0; code < 4 * 4; ++code) {
    const int here = code % 4, last = code / 4;
    const ClaimResult r =
        at_the_moment_meant({2, [&](std::size_t at) { return moment(at == 0 ? here : last, at); }}, "", true);
    SCOPED_TRACE(testing::Message() << here << last);
    EXPECT_EQ(r.verdict == Verdict::holds, here == 2 || last == 2);
    EXPECT_EQ(r.after_line, here != 2 && last == 2 ? 11 : 0);
  }
}

}  // namespace
