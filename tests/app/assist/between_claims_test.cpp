// From one claim of a kernel to another: the planner's ways, and what the author's code executes.

#include "app/assist/fixes.h"

#include <gtest/gtest.h>

namespace lanescope::assist {
namespace {

results::ClaimInfo claim(const std::string& stated, int line, const std::string& actual = {}) {
  results::ClaimInfo out;
  out.claim.stated = *layout::parse(stated);
  out.claim.first_line = line, out.claim.last_line = line + 2;
  out.result.verdict = actual.empty() ? claims::Verdict::holds : claims::Verdict::differs;
  out.result.actual = out.claim.stated;
  if (!actual.empty()) out.result.actual = *layout::parse(actual);
  return out;
}

/// Two warps that pass twice: two shuffles and a select in between, and code before and after.
results::Summary summary() {
  results::Summary s;
  s.claims = {claim("simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1", 10),
              claim("simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1", 20)};
  const auto code = [&](int line, std::string text, std::uint64_t times) {
    trace::CodeSite site;
    site.line = line, site.text = std::move(text);
    s.plain_code.push_back(site);
    results::LineCounters c;
    c.line = line, c.instructions = times;
    s.pc_counters.push_back(c);
  };
  code(9, "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", 4);
  code(13, "and.b32 %r3, %r2, 4;", 4);
  code(14, "shfl.sync.bfly.b32 %r1, %r2, 4, 31, -1;", 4);
  code(14, "@%p1 shfl.sync.bfly.b32 %r4, %r5, 4, 31, -1;", 4);
  code(15, "selp.b32 %r6, %r1, %r2, %p1;", 4);
  code(16, "selp.b32 %r6, %r1, %r2, %p1;", 0);
  code(17, "add.s32 %r6, %r6, 1;", 8);
  code(23, "prmt.b32 %r6, %r6, %r6, 1;", 4);
  return s;
}

TEST(BetweenClaims, TheStepOfTheNotesIsPlannedAndComparedWithTheCode) {
  const Expected<BetweenClaims> b = between_claims(summary(), 0, 1);
  ASSERT_TRUE(b.has_value()) << b.error().front().message;
  EXPECT_EQ(b->element_bits, 16);
  EXPECT_EQ(b->planned.plans.front().counts.shuffles, 2);
  ASSERT_TRUE(b->author.has_value());
  EXPECT_EQ(b->author->counts, (convert::Counts{2, 1, 0, 1}));
  EXPECT_EQ(b->author->others, 2);
  EXPECT_EQ(b->author->first_line, 13);
  EXPECT_EQ(b->author->last_line, 19);
  EXPECT_DOUBLE_EQ(b->author->cycles, convert::cycles_of({2, 1, 0, 1}, 0, 0, 0));
}

TEST(BetweenClaims, AClaimThatDiffersCountsAsWhatIsThere) {
  results::Summary s = summary();
  s.claims[1] = claim("simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1", 20,
                      "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1");
  EXPECT_EQ(between_claims(s, 0, 1)->planned.plans.front().counts.shuffles, 2);
}

TEST(BetweenClaims, ARowOfBlocksThatOnlyTheSecondHasIsLeftOut) {
  results::Summary s = summary();
  s.claims[1] = claim("simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i1 i0; block: n3 n2", 20);
  const Expected<BetweenClaims> b = between_claims(s, 0, 1);
  ASSERT_TRUE(b.has_value()) << b.error().front().message;
  EXPECT_FALSE(b->to.row(layout::Place::block).has_value());
}

TEST(BetweenClaims, MistakesAreSaid) {
  EXPECT_FALSE(between_claims(summary(), 1, 0).has_value());
  EXPECT_FALSE(between_claims(summary(), 0, 7).has_value());
  EXPECT_FALSE(between_claims(summary(), 0, 1, 7).has_value());
  results::Summary nothing = summary();
  nothing.plain_code.clear(), nothing.pc_counters.clear();
  EXPECT_FALSE(between_claims(nothing, 0, 1)->author.has_value());
}

}  // namespace
}  // namespace lanescope::assist
