#pragma once
// Comments put into a kernel in place of the word COMMENT, and what has to be said about each.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {

inline std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

inline std::string answer(const ClaimResult& r) {
  std::string out = verdict_words(r);
  for (const std::string& s : {r.reason.words(), r.difference, r.actual_words})
    if (!s.empty()) out += " | " + s;
  return out;
}

inline ClaimResult of_comment(const std::string& text, const std::string& comment) {
  const auto run = probe(with(text, "COMMENT", comment));
  EXPECT_TRUE(run && run->source.claims.size() == 1) << comment;
  if (!run || run->source.claims.empty()) return {};
  return run->collector->judge().back();
}

struct CommentTest : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

/// A thread has 4 rows of 2 elements, a warp 16 x 16, a block 32 x 16.
inline const char* const patches = R"(/*
[lanescope]
block = [8, 8]
grid = [4, 1]
[buffers]
p = "f32 i:32 j:64"
q = "f32 i:32 j:64 = zeros"
*/
#define TM 4
#define TN 2
__global__ void k(const float *p, float *q) {
  // COMMENT
  unsigned row = threadIdx.y * TM, col = (blockIdx.x * 8 + threadIdx.x) * TN;
  for (int r = 0; r < TM; ++r)
    for (int c = 0; c < TN; ++c) q[(row + r) * 64 + col + c] = p[(row + r) * 64 + col + c] + 1;
}
)";

struct Cases {
  std::string kernel;
  std::vector<std::string> right, wrong, open;
};

inline void expect(const Cases& c) {
  for (const std::string& comment : c.right) {
    const ClaimResult r = of_comment(c.kernel, comment);
    EXPECT_EQ(r.verdict, Verdict::holds) << comment << ": " << answer(r);
  }
  for (const std::string& comment : c.wrong) {
    const ClaimResult r = of_comment(c.kernel, comment);
    EXPECT_EQ(r.verdict, Verdict::differs) << comment << ": " << answer(r);
    EXPECT_FALSE(r.difference.empty()) << comment;
  }
  for (const std::string& comment : c.open) {
    const ClaimResult r = of_comment(c.kernel, comment);
    EXPECT_EQ(r.verdict, Verdict::unchecked) << comment << ": " << answer(r);
    EXPECT_FALSE(r.reason.empty()) << comment;
  }
}

}  // namespace lanescope::claims
