// Where both accesses of a race are in one line there is no "between" for a barrier: the remedy takes the line apart.

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

std::string remedy(const std::string& rule, const std::string& body, int threads) {
  const Reviewed r = reviewed("/*\n[lanescope]\nblock = " + std::to_string(threads) +
                              "\n[buffers]\np = \"s32 i:128\"\nq = \"s32 i:128 = zeros\"\n*/\n__global__ void "
                              "__launch_bounds__(128) k(const int *p, int "
                              "*q)\n{\n    __shared__ int s[128];\n    const unsigned t = threadIdx.x;\n    s[t] = "
                              "p[t];\n    __syncthreads();\n" +
                              body + "    __syncthreads();\n    q[t] = s[t];\n}\n");
  const auto found = of_rule(r, rule);
  EXPECT_FALSE(found.empty()) << words(r);
  return found.empty() ? "" : found.front().remedy;
}

TEST(OneLineRace, IsTakenApart) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string block = remedy("barrier-missing", "    s[t] += s[(t + 64) % 128];\n", 128);
  EXPECT_NE(block.find("keep what is read in a variable, and add __syncthreads()"), std::string::npos) << block;
  EXPECT_EQ(block.find("between the two accesses"), std::string::npos) << block;
  const std::string warp = remedy("warp-sync-missing", "    s[t] += s[(t + 1) % 32];\n", 32);
  EXPECT_NE(warp.find("keep what is read in a variable, and add __syncwarp()"), std::string::npos) << warp;
}

constexpr const char* taken_apart = "keep what is read in a variable";

// Both members of a union in one statement, as in a course: one place, read as doubles and written as integers.
TEST(OneLineRace, OfAUnionIsTakenApart) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string both = remedy("barrier-missing",
                                  "    __shared__ union { int x[128]; double y[128]; } b;\n    b.y[t] = p[t];\n"
                                  "    __syncthreads();\n    b.x[t] = (int)b.y[t];\n    s[t] = b.x[t];\n",
                                  128);
  EXPECT_NE(both.find(taken_apart), std::string::npos) << both;
  EXPECT_EQ(both.find("between the two accesses"), std::string::npos) << both;
}

// Near misses: two lines have room between them.
TEST(OneLineRace, TwoLinesGetTheBarrierBetween) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  for (const char* body :
       {"    const int x = s[(t + 64) % 128];\n    s[t] = x + 1;\n", "    s[t] = 2;\n    q[t] = s[(t + 64) % 128];\n",
        "    __shared__ union { int x[128]; double y[128]; } b;\n    b.y[t] = p[t];\n"
        "    q[t] = b.x[t];\n",
        "    if (t < 64) s[t] = 1;\n    if (t >= 64) s[t - 64] = 2;\n"}) {
    const std::string block = remedy("barrier-missing", body, 128);
    EXPECT_EQ(block, "add __syncthreads() between the two accesses") << body;
  }
}

// Near misses: one line, and nothing races.
TEST(OneLineRace, ALineThatDoesNotRaceIsNotReported) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  for (const char* body :
       {"    s[t] += 1;\n", "    s[t] = s[t] * s[t];\n", "    atomicAdd(&s[t / 2], 1);\n",
        "    q[t] = s[(t + 64) % 128] + s[t];\n", "    __shared__ int other[128];\n    other[t] = s[(t + 64) % 128];\n",
        "    if (t < 64) s[t] = s[t + 64];\n"}) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 128\n[buffers]\np = \"s32 i:128\"\nq = \"s32 i:128 = "
        "zeros\"\n*/\n__global__ void __launch_bounds__(128) k(const int *p, int *q)\n{\n"
        "    __shared__ int s[128];\n    const unsigned t = threadIdx.x;\n    s[t] = p[t];\n"
        "    __syncthreads();\n" +
        std::string(body) + "    __syncthreads();\n    q[t] += s[t];\n}\n");
    EXPECT_EQ(r.problem, "");
    EXPECT_TRUE(of_rule(r, "barrier-missing").empty()) << body << words(r);
    EXPECT_TRUE(of_rule(r, "warp-sync-missing").empty()) << body << words(r);
  }
}

}  // namespace
}  // namespace lanescope::review
