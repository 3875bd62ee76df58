#include "app/assist/fixes.h"

#include <gtest/gtest.h>

namespace lanescope::assist {
namespace {

constexpr const char* text = R"(__global__ void copy(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x;
    unsigned x0 = p[lane];
    unsigned x1 = p[lane +
                    32];
    unsigned z0 = 0, z1 = 0;

    if (lane < 3)
        q[lane] = x0;
    q[lane + 32] = x1;
}
)";

convert::Planned exchange() {
  return std::move(*convert::plan(*layout::parse("register: i5; thread: i4 i3 i2 i1 i0"),
                                  *layout::parse("register: i0; thread: i4 i3 i2 i1 i5"), 32));
}

results::Summary summary_of_kernel() {
  results::Summary s;
  s.families = {{"x", "copy", {"x0", "x1"}, 4}, {"z", "copy", {"z0", "z1"}, 7}};
  return s;
}

ConversionAt at(int line, const results::Summary* s, const std::string& preferred = "x") {
  const convert::Planned planned = exchange();
  auto out = conversion_at(text, line, "turn", {planned, planned.plans.front()}, s, preferred);
  EXPECT_TRUE(out) << (out ? "" : to_string(out.error().front()));
  return out ? *out : ConversionAt{};
}

TEST(ConversionAt, TheCallStandsWhereOneWritesWithItsClaim) {
  const results::Summary s = summary_of_kernel();
  const ConversionAt c = at(8, &s);
  EXPECT_EQ(c.variable, "x");
  EXPECT_NE(c.text.find("z1 = 0;\n\n    turn(x0, x1);\n\n    // x has the following register assignment:\n"
                        "    //   register: "),
            std::string::npos)
      << c.text;
  EXPECT_LT(c.text.find("void turn("), c.text.find("__global__"));
  EXPECT_EQ(split_lines(c.text)[static_cast<std::size_t>(c.line) - 1], "    turn(x0, x1);");
}

TEST(ConversionAt, NeverInsideAStatement) {
  const results::Summary s = summary_of_kernel();
  EXPECT_NE(at(6, &s).text.find("32];\n\n    turn(x0, x1);"), std::string::npos) << at(6, &s).text;
  EXPECT_NE(at(10, &s).text.find("q[lane] = x0;\n\n    turn(x0, x1);"), std::string::npos)
      << "not as the branch of the if: " << at(10, &s).text;
}

TEST(ConversionAt, RegistersWithTheClaimOfTheSourceGoBeforeOthers) {
  results::Summary s = summary_of_kernel();
  EXPECT_EQ(at(8, &s, "z").variable, "z");
  results::ClaimInfo claim;
  claim.claim.variable = "x", claim.claim.last_line = 5;
  claim.claim.stated = exchange().from;
  s.claims = {claim};
  EXPECT_EQ(at(8, &s, "z").variable, "x");
}

TEST(ConversionAt, WithoutRegistersThatFitTheCallIsDescribed) {
  const ConversionAt c = at(8, nullptr);
  EXPECT_EQ(c.variable, "");
  EXPECT_NE(c.text.find("    // turn(from, to) moves the words of from[2] to to[2]."), std::string::npos) << c.text;
}

TEST(ConversionAt, OnlyWholeNamesAreTaken) {
  EXPECT_EQ(free_name("half2_turns(turn2, my_turn)", "turn"), "turn");
  EXPECT_EQ(free_name("void turn(int)", "turn"), "turn_2");
  EXPECT_EQ(free_name("turn turn_2", "turn"), "turn_3");
}

TEST(ConversionAt, OutsideOfAKernelIsRefused) {
  const convert::Planned planned = exchange();
  EXPECT_FALSE(conversion_at("int a;\n", 1, "turn", {planned, planned.plans.front()}, nullptr, ""));
  EXPECT_FALSE(conversion_at("", 1, "turn", {planned, planned.plans.front()}, nullptr, ""));
}

}  // namespace
}  // namespace lanescope::assist
