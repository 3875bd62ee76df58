// Comments that say where an element of a tile lies in a shared array whose columns are exchanged by XOR, and transpositions
// while storing.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kernels/claims/comment_cases.h"

namespace lanescope::claims {
namespace {

struct Swizzles : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

std::string swizzled(const std::string& column) {
  return with(R"(/*
[lanescope]
block = [32, 8]
[buffers]
p = "f32 row:32 col:32"
q = "f32 row:32 col:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float s[32][32];
  for (int row = threadIdx.y; row < 32; row += 8) {
    int col = threadIdx.x;
    // COMMENT
    s[row][COLUMN] = p[row * 32 + col];
  }
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8) q[row * 32 + threadIdx.x] = s[row][threadIdx.x];
}
)",
              "COLUMN", column);
}

TEST_F(Swizzles, XorIsFoundAmongAllOthers) {
  const std::vector<std::string> formulas = {"col ^ row", "col ^ (row & 7)", "col ^ (row & 3)",
                                             "col ^ ((row & 7) << 2)", "col ^ (row / 4)"};
  for (const std::string& code : formulas)
    for (const std::string& said : formulas)
      for (const char* form : {"swizzled col = {}", "physical col = {}", "(row, col) -> (row, {})",
                               "logical (row=row, col=col) is stored at physical (row=row, col={})"}) {
        const std::string comment = fmt::format(fmt::runtime(form), said);
        const ClaimResult r = of_comment(swizzled(code), comment);
        EXPECT_EQ(r.verdict, code == said ? Verdict::holds : Verdict::differs)
            << code << "; " << comment << ": " << answer(r);
      }
}

TEST_F(Swizzles, AxesThatNothingNames) {
  std::string text = swizzled("threadIdx.x ^ (row & 7)");
  text = with(text, "[buffers]\np = \"f32 row:32 col:32\"\nq = \"f32 row:32 col:32 = zeros\"\n", "");
  EXPECT_EQ(of_comment(text, "swizzled col = col ^ (row & 7)").verdict, Verdict::holds);
  for (const char* wrong :
       {"swizzled col = col ^ (row & 3)", "swizzled col = col ^ row", "(row, col) -> (row ^ col, col)"})
    EXPECT_NE(of_comment(text, wrong).verdict, Verdict::holds) << wrong;
}

TEST_F(Swizzles, TwoLinesInChinese) {
  const std::string right = "逻辑坐标(row=x,col=y)\n    // 其映射的物理存储位置(row=x,col=x^y)";
  EXPECT_EQ(of_comment(swizzled("col ^ row"), right).verdict, Verdict::holds);
  EXPECT_NE(of_comment(swizzled("col ^ (row & 7)"), right).verdict, Verdict::holds);
}

TEST_F(Swizzles, WhatIsNoPermutationOrOutsideIsUnchecked) {
  for (const char* comment : {"swizzled col = (col ^ row) & 15", "swizzled col = (col ^ row) + 1"}) {
    const ClaimResult r = of_comment(swizzled("col ^ row"), comment);
    EXPECT_EQ(r.verdict, Verdict::unchecked) << comment << ": " << answer(r);
  }
}

TEST(SwizzleWords, OtherSentencesAreNotRead) {
  for (const char* comment : {"col ^ row", "col = col ^ row", "swizzled col = col + row", "swizzled col = lane ^ row",
                              "no swizzled col = col ^ row", "(row, col) -> (row, col)", "(a, b) -> (c, a ^ b)",
                              "if swizzled col = col ^ row"}) {
    const auto read = source::read("k.cu", fmt::format("__global__ void k(float *p) {{\n  __shared__ float s[32][32];\n"
                                                       "  // {}\n  s[threadIdx.y][threadIdx.x] = p[threadIdx.x];\n}}\n",
                                                       comment));
    ASSERT_TRUE(read) << comment;
    EXPECT_TRUE(read->claims.empty()) << comment;
  }
}

/// A is 64 x 16, which nothing says, and As is filled from it.
std::string stored(const std::string& declaration, const std::string& place) {
  return fmt::format(R"(/*
[lanescope]
block = [256]
*/
#define BM 64
#define BK 4
__global__ void k(const float *A, float *q) {{
  __shared__ float As[{}];
  int m = threadIdx.x / BK, k = threadIdx.x % BK;
  // COMMENT
  {} = A[m * 16 + k];
  __syncthreads();
  q[threadIdx.x] = ((float *)As)[threadIdx.x];
}}
)",
                     declaration, place);
}

TEST_F(Swizzles, TransposedWhileLoading) {
  for (const char* comment : {"transpose A while loading it", "transpose As while storing it"}) {
    EXPECT_EQ(of_comment(stored("BK * BM", "As[k * BM + m]"), comment).verdict, Verdict::holds) << comment;
    EXPECT_EQ(of_comment(stored("BM * BK", "As[k * BM + m]"), comment).verdict, Verdict::holds) << comment;
    EXPECT_NE(of_comment(stored("BM * BK", "As[m * BK + k]"), comment).verdict, Verdict::holds) << comment;
  }
  const std::string rows = stored("BM][BK", "As[m][k]"), columns = stored("BK][BM", "As[k][m]");
  EXPECT_EQ(of_comment(columns, "store it in COL major As[BK][BM]").verdict, Verdict::holds);
  EXPECT_EQ(of_comment(rows, "store it in ROW major As[BM][BK]").verdict, Verdict::holds);
  EXPECT_NE(of_comment(columns, "store it in ROW major As[BK][BM]").verdict, Verdict::holds);
  EXPECT_NE(of_comment(rows, "store it in COL major As[BM][BK]").verdict, Verdict::holds);
  EXPECT_EQ(of_comment(columns, "coalesced read, TRANSPOSED write into shared mem:").verdict, Verdict::holds);
  EXPECT_NE(of_comment(rows, "coalesced read, TRANSPOSED write into shared mem:").verdict, Verdict::holds);
}

}  // namespace
}  // namespace lanescope::claims
