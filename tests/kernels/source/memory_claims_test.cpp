// Comments on the layout of shared and global memory.

#include <fmt/format.h>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

std::string in_words(const MemoryClaim& c) {
  std::string out = fmt::format("{} {}", c.space == MemoryClaim::Space::shared ? "shared" : "global", c.variable);
  for (const Axis& a : c.axes) out += fmt::format(" {}:{}/{}", a.name, a.extent, a.stride_elements);
  return out;
}

Source with_layout(const std::string& comment) {
  return read_well("#define W 32\n__global__ void k(float *p) {\n  __shared__ unsigned E[W][256];\n  // " + comment +
                   "\n  E[threadIdx.x][0] = p[0];\n  p[1] = E[0][threadIdx.x];\n}\n");
}

TEST(MemoryClaims, AreReadInTheFormsOfPractitioners) {
  const std::pair<const char*, const char*> cases[] = {
      {"shared: uint E[32][256], (time, ns)", "shared E time:32/256 ns:256/1"},
      {"shared memory: uint E[W][8*W] (time, ns)", "shared E time:32/256 ns:256/1"},
      {"smem: E[32][256]: [t][n]", "shared E t:32/256 n:256/1"},
      {"smem layout: [j][i]", "shared E j:32/256 i:256/1"},
      {"shared memory layout is (j, i)", "shared E j:32/256 i:256/1"},
      {"E layout: [time][ns]", "shared E time:32/256 ns:256/1"},
      {"layout of E: (32,8):(1,32)", "shared E :32/1 :8/32"},
      {"p layout = (i, j)", "global p i:0/1 j:0/1"},
  };
  for (const auto& [comment, read] : cases) {
    const Source s = with_layout(comment);
    ASSERT_EQ(s.memory_claims.size(), 1U) << comment;
    EXPECT_EQ(in_words(s.memory_claims[0]), read) << comment;
    EXPECT_EQ(s.memory_claims[0].unchecked_reason, "") << comment;
    EXPECT_EQ(s.memory_claims[0].function, "k");
    EXPECT_EQ(s.memory_claims[0].place.line, 4);
    ASSERT_FALSE(s.notes.empty());
    EXPECT_EQ(s.notes.front().severity, Severity::note);
    EXPECT_EQ(s.notes.front().line, 4);
  }
}

TEST(MemoryClaims, WhatTheDeclarationContradictsIsSaid) {
  const std::pair<const char*, const char*> cases[] = {
      {"shared: uint E[32][257], (time, ns)", "is declared with 2 extents [32][256]"},
      {"shared: uint E[32][256], (time, ns, f)", "2 extents, but 3 axes"},
      {"E layout: [a][b][c]", "is declared with 2 extents"},
      {"E layout: (32,8):(1,2000)", "number 14031, but `E` has 8192"},
      {"shared: uint E[M][256], (time, ns)", "M"},
  };
  for (const auto& [comment, reason] : cases) {
    const Source s = with_layout(comment);
    ASSERT_EQ(s.memory_claims.size(), 1U) << comment;
    EXPECT_NE(s.memory_claims[0].unchecked_reason.find(reason), std::string::npos)
        << comment << ": " << s.memory_claims[0].unchecked_reason;
  }
}

TEST(MemoryClaims, ProseIsNone) {
  for (const char* comment :
       {"smem layout is described below", "shared: see above", "__shared__ float tile[32][33];",
        "shared: E[0] is the sum", "TMA layout: (a, b)", "layout", "layout: ", "E layout: (32, 8)",
        "shared memory: 48 KiB (opt in)", "the layout of E is good", "layouts: (a, b)",
        "shared: E[threadIdx.x][0] = p[0]; (slow)", "layout of E: [", "smem layout: ("})
    EXPECT_TRUE(with_layout(comment).memory_claims.empty()) << comment;
}

}  // namespace
}  // namespace lanescope::source
