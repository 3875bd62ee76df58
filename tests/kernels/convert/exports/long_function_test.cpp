// Functions in which every value depends on many before it: compilers must get through them, too.

#include <gtest/gtest.h>

#include "kernels/convert/exports/verify.h"

namespace lanescope::convert {
namespace {

// A compiler's front end that looks for a constant through the initialisers of const variables takes time exponential in
// their depth: minutes for these.
TEST(LongFunction, BitsThatMoveThroughRegistersAndLanesCompile) {
  const Expected<Planned> p = plan(*layout::parse("simd: i5 j0 j2 j1 i0; register: j4 j3; thread: i4 j5 i1 i2 i3"),
                                   *layout::parse("simd: i2 j2 i1 j5 i3; register: j4 i4; thread: j1 j0 i5 j3 i0"), 1);
  ASSERT_TRUE(p.has_value());
  const Conversion c{*p, p->plans.front()};
  ASSERT_FALSE(c.plan.shared);
  EXPECT_GT(c.plan.counts.all(), 50);
  const Verified v = verify_function(c, std::vector<std::string>{"sm_90"});
  if (!v.compiler) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  EXPECT_EQ(v.problem, "");
  EXPECT_EQ(v.elements, 4096U);
}

}  // namespace
}  // namespace lanescope::convert
