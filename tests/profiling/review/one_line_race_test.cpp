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

// Near miss: two lines have room between them.
TEST(OneLineRace, TwoLinesGetTheBarrierBetween) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string block = remedy("barrier-missing", "    const int x = s[(t + 64) % 128];\n    s[t] = x + 1;\n", 128);
  EXPECT_EQ(block, "add __syncthreads() between the two accesses");
}

}  // namespace
}  // namespace lanescope::review
