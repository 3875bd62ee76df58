#include "app/assist/better_plan.h"

#include <gtest/gtest.h>

namespace lanescope::assist {
namespace {

layout::Assignment rows(std::string_view text) { return *layout::parse(text); }

constexpr const char* kernel = R"(/*
[lanescope]
grid = 1
block = 32
*/
// Copies.
__global__ void copy(const unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x;
    unsigned x0 = p[lane];
    unsigned x1 = p[lane + 32];

    // x has the following register assignment:
    //   register:  r0              <->  i5
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0

    // Exchanges r0 and t0.
    unsigned send = lane & 1 ? x0 : x1;
    send = __shfl_xor_sync(~0u, send, 1);
    unsigned y0 = lane & 1 ? send : x0;
    unsigned y1 = lane & 1 ? x1 : send;

    // y has the following register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i5

    q[lane] = y0;
    q[lane + 32] = y1;
}
)";

results::Summary summary_of() {
  results::Summary s;
  s.families = {{"x", "copy", {"x0", "x1"}, 10}, {"y", "copy", {"y0", "y1"}, 20}};
  const auto claim = [](const char* name, int first, const char* text) {
    results::ClaimInfo c;
    c.claim.variable = name, c.claim.first_line = first, c.claim.last_line = first + 1;
    c.claim.row_lines = {first, first + 1};
    c.claim.stated = rows(text);
    c.result.verdict = claims::Verdict::holds;
    return c;
  };
  s.claims = {claim("x", 14, "register: i5; thread: i4 i3 i2 i1 i0"),
              claim("y", 24, "register: i0; thread: i4 i3 i2 i1 i5")};
  return s;
}

BetterPlan plan_of(const std::string& text) {
  auto out = better_plan("copy.cu", text, {0, 1}, summary_of());
  EXPECT_TRUE(out) << (out ? "" : to_string(out.error().front()));
  return out ? std::move(*out) : BetterPlan{};
}

std::string with(std::string_view old, std::string_view now) {
  std::string text = kernel;
  text.replace(text.find(old), old.size(), now);
  return text;
}

TEST(BetterPlan, ALineMeansTwoClaims) {
  const results::Summary s = summary_of();
  EXPECT_FALSE(pair_at(s, 9));
  for (const int line : {13, 14, 18, 23, 24, 25}) {
    ASSERT_TRUE(pair_at(s, line)) << line;
    EXPECT_EQ(*pair_at(s, line), (ClaimPair{0, 1})) << line;
  }
  EXPECT_FALSE(pair_at(s, 27)) << "no claim follows";
}

TEST(BetterPlan, LinesGiveWayToACallThatMakesTheSameRegisters) {
  const BetterPlan p = plan_of(kernel);
  EXPECT_EQ(p.code.first, 18);
  EXPECT_EQ(p.code.last, 21);
  EXPECT_EQ(p.replaced.refusal, "");
  const std::string& text = p.replaced.text;
  EXPECT_EQ(text.find("unsigned send"), std::string::npos) << text;
  EXPECT_EQ(text.find("// Exchanges r0 and t0."), std::string::npos) << text;
  EXPECT_NE(text.find("i2 i1 i0\n\n    unsigned y0;\n    unsigned y1;\n    plan_y(x0, x1, y0, y1);\n\n    // y has"),
            std::string::npos)
      << text;
  EXPECT_LT(text.find("void plan_y("), text.find("// Copies.")) << "the comment stays with its kernel";
  EXPECT_NE(text.find("__shfl_xor_sync"), std::string::npos);
  EXPECT_TRUE(p.cost.starts_with("1 shuffle")) << p.cost;
  const auto call = split_lines(text)[static_cast<std::size_t>(p.replaced.lines.last) - 1];
  EXPECT_EQ(call, "    plan_y(x0, x1, y0, y1);");
  EXPECT_EQ(p.replaced.lines.count(), 3);
}

TEST(BetterPlan, BesideTheCodeTheRegistersGoIntoAnArray) {
  const BetterPlan p = plan_of(kernel);
  EXPECT_NE(p.inserted.text.find("    unsigned y_planned[2];\n    plan_y(x0, x1, y_planned[0], y_planned[1]);\n\n"
                                 "    // y_planned has the following register assignment:\n"),
            std::string::npos)
      << p.inserted.text;
  EXPECT_NE(p.inserted.text.find("unsigned send"), std::string::npos);
}

TEST(BetterPlan, LinesThatDoMoreStay) {
  const auto refusal = [](std::string_view old, std::string_view now) {
    return plan_of(with(old, now)).replaced.refusal;
  };
  EXPECT_NE(refusal("    q[lane] = y0;", "    q[lane] = y0 + send;").find("`send` gets a value"), std::string::npos);
  EXPECT_NE(refusal("    unsigned y1 =", "    q[lane] = 3; unsigned y1 =").find("writes to memory"), std::string::npos);
  EXPECT_NE(refusal("send = __shfl", "q[3] = send = __shfl").find("writes to memory through `q`"), std::string::npos);
  EXPECT_NE(refusal("send = __shfl", "*q = send; send = __shfl").find("no variable"), std::string::npos);
  EXPECT_NE(refusal("send = __shfl", "atomicAdd(q, 1u); send = __shfl").find("`atomicAdd`"), std::string::npos);
  EXPECT_NE(refusal("send = __shfl", "store(q + lane, x0); send = __shfl").find("`store`"), std::string::npos);
  EXPECT_NE(refusal("send = __shfl", "turn(&lane); send = __shfl").find("`lane` gets a value"), std::string::npos);
  EXPECT_EQ(refusal("send = __shfl", "send = same(send, lane); send = __shfl"), "");
  EXPECT_NE(refusal("send = __shfl", "if (lane == 40) return; send = __shfl").find("`return`"), std::string::npos);
  EXPECT_NE(refusal("    unsigned y0 =", "    lane += 0; unsigned y0 =").find("`lane` gets a value"),
            std::string::npos);
  EXPECT_NE(
      refusal("    unsigned y1 = lane & 1 ? x1 : send;\n", "#pragma nounroll\n    unsigned y1 = lane & 1 ? x1 : send;")
          .find("preprocessor"),
      std::string::npos);
  EXPECT_NE(refusal("unsigned y0 = lane", "auto y0 = lane").find("auto"), std::string::npos);
}

TEST(BetterPlan, WhatIsWrittenHereAndReadLaterStays) {
  std::string text = with("send = __shfl_xor_sync(~0u, send, 1);", "send = __shfl_xor_sync(~0u, send, lane += 0);");
  EXPECT_NE(plan_of(text).replaced.refusal.find("`lane` gets a value in these lines and is used in line 27"),
            std::string::npos)
      << plan_of(text).replaced.refusal;
}

TEST(BetterPlan, CountsAreOfOneWarp) {
  results::Summary s;
  s.launches = {{"k", {2, 1, 1}, {64, 1, 1}, 0}};
  const auto site = [&](int line, const char* text, std::uint64_t times) {
    trace::CodeSite c;
    c.line = line, c.text = text;
    s.plain_code.push_back(c);
    results::LineCounters counters;
    counters.instructions = times, counters.shared_wavefronts = line == 4 ? 8 : 0;
    s.pc_counters.push_back(counters);
  };
  site(3, "shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", 4);
  site(3, "selp.b32 %r1, %r2, %r3, %p1;", 8);
  site(4, "@%p1 prmt.b32 %r1, %r2, %r3, 0x5410;", 4);
  site(9, "st.global.u32 [%rd1], %r1;", 4);
  const CodeCounts c = counts_of(s, LineRange{3, 4});
  EXPECT_TRUE(c.executed);
  EXPECT_EQ(c.shuffles, 1);
  EXPECT_EQ(c.selects, 2);
  EXPECT_EQ(c.permutes, 1);
  EXPECT_EQ(c.all, 4);
  EXPECT_EQ(c.wavefronts, 2);
  EXPECT_EQ(counts_of(s, std::nullopt).all, 5);
}

}  // namespace
}  // namespace lanescope::assist
