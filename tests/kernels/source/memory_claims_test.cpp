// Comments on the layout of shared and global memory.

#include <fmt/format.h>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

std::string in_words(const Claim& c) {
  const auto& layout = std::get<ArrayLayout>(c.about);
  std::string out = fmt::format("{} {}", enum_name(layout.space), c.variable);
  for (const Axis& a : layout.axes) out += fmt::format(" {}:{}/{}", a.name, a.extent, a.stride_elements);
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
    ASSERT_EQ(s.claims.size(), 1U) << comment;
    EXPECT_EQ(in_words(s.claims[0]), read) << comment;
    // Of a buffer without axes nothing says how long a row is.
    const bool open = std::get<ArrayLayout>(s.claims[0].about).space == ArrayLayout::Space::global;
    EXPECT_EQ(s.claims[0].unchecked_reason.empty(), !open) << comment << s.claims[0].unchecked_reason.words();
    EXPECT_EQ(s.claims[0].function, "k");
    EXPECT_EQ(s.claims[0].kind(), ClaimKind::memory);
    EXPECT_EQ(s.claims[0].first_line, 4);
  }
}

TEST(MemoryClaims, WhatTheDeclarationContradictsIsSaid) {
  const std::pair<const char*, const char*> cases[] = {
      {"shared: uint E[32][257], (time, ns)", "its last element is number 8223, but `E` has 8192"},
      {"shared: uint E[32][256], (time, ns, f)", "2 extents, but 3 axes"},
      {"E layout: [a][b][c]", "is declared with 2 extents"},
      {"E layout: (32,8):(1,2000)", "number 14031, but `E` has 8192"},
      {"shared: uint E[M][256], (time, ns)", "M"},
  };
  for (const auto& [comment, reason] : cases) {
    const Source s = with_layout(comment);
    ASSERT_EQ(s.claims.size(), 1U) << comment;
    EXPECT_NE(s.claims[0].unchecked_reason.words().find(reason), std::string::npos)
        << comment << ": " << s.claims[0].unchecked_reason.words();
  }
}

TEST(MemoryClaims, BesideTheDeclaration) {
  const auto beside = [](const std::string& declared, const std::string& comment) {
    const Source s = read_well("#define BK 8\n__global__ void k(float *p) {\n  __shared__ float " + declared + "; // " +
                               comment + "\n  p[1] = 0;\n}\n");
    return s.claims.empty() ? std::string() : in_words(s.claims[0]);
  };
  EXPECT_EQ(beside("A[BK][128]", "[k][m]"), "shared A k:8/128 m:128/1");
  EXPECT_EQ(beside("A[BK][128]", "(k, m)"), "shared A k:8/128 m:128/1");
  EXPECT_EQ(beside("A[2][BK][128]", "[k][m]"), "shared A *:2/1024 k:8/128 m:128/1");
  EXPECT_EQ(beside("A[BK][128]", "transposed"), "shared A col:8/128 row:128/1");
  EXPECT_EQ(beside("As[BK][128]", "here, transpose As after loading"), "shared As col:8/128 row:128/1");
  EXPECT_EQ(beside("tile[BK][128]", "transpose tile"), "");
  EXPECT_EQ(beside("A[BK][128]", "transposed: A[k][m]"), "shared A col:8/128 row:128/1");
  EXPECT_EQ(beside("A[BK][128]", "\u8f6c\u7f6e"), "shared A col:8/128 row:128/1");
  EXPECT_EQ(beside("A[2][BK * 128]", "transposed"), "shared A *:2/1024 col:8/128 row:128/1");
  EXPECT_EQ(beside("A[BK][128]", "Transposed layout for A"), "shared A col:8/128 row:128/1");
  EXPECT_EQ(beside("A[128][BK]", "row-major"), "shared A row:128/8 col:8/1");
  EXPECT_EQ(beside("A[BK][128]", "now in column major order"), "shared A col:8/128 row:128/1");
  for (const char* comment : {"[BK][128]", "8x128", "not transposed", "avoids bank conflicts when transposed later",
                              "+1", "(see below)", "A[0][1] is the first", "row-major or column-major"})
    EXPECT_EQ(beside("A[BK][128]", comment), "") << comment;
  EXPECT_EQ(beside("A[BK][128], B[BK][128]", "transposed"), "");
}

TEST(MemoryClaims, EachLineSpeaksOfItsOwnArray) {
  const Source s = read_well(
      "__global__ void k(float *p) {\n  __shared__ float A[8][32]; // [k][m]\n  __shared__ float B[8][16]; // [k][n]\n"
      "  // (u, v)\n  __shared__ float C[4][2];\n  p[1] = 0;\n}\n");
  ASSERT_EQ(s.claims.size(), 3U);
  EXPECT_EQ(in_words(s.claims[0]), "shared A k:8/32 m:32/1");
  EXPECT_EQ(in_words(s.claims[1]), "shared B k:8/16 n:16/1");
  EXPECT_EQ(in_words(s.claims[2]), "shared C u:4/2 v:2/1");
}

TEST(MemoryClaims, PiecesOfSharedMemory) {
  const auto reason = [](const std::string& pointer) {
    const Source s = read_well("__global__ void k(float *p, int n) {\n  extern __shared__ char smem[];\n  " + pointer +
                               "\n  // A layout: (r:4, c:8)\n  A[0] = p[0];\n}\n");
    if (s.claims.empty()) return std::string("none");
    const auto& layout = std::get<ArrayLayout>(s.claims[0].about);
    return s.claims[0].unchecked_reason.empty()
               ? fmt::format("{} {} {}", layout.array, layout.offset_bytes, layout.element_bytes)
               : s.claims[0].unchecked_reason.words();
  };
  EXPECT_EQ(reason("float *A = (float *)smem;"), "smem 0 4");
  EXPECT_EQ(reason("float *A = reinterpret_cast<float *>(smem + 64) + 2;"), "smem 72 4");
  EXPECT_EQ(reason("double *A = (double *)&smem[128];"), "smem 128 8");
  EXPECT_EQ(reason("float *B = (float *)smem; float *A = B + 4 * 4;"), "smem 64 4");
  EXPECT_EQ(reason("float *A = (float *)smem; A = A + 1;"), "`A` is set in several places");
  EXPECT_EQ(reason("float *A = (float *)smem + m;"), "none");
  EXPECT_EQ(reason("float *A = p;"), "none");
}

TEST(MemoryClaims, ProseIsNone) {
  for (const char* comment :
       {"smem layout is described below", "shared: see above", "__shared__ float tile[32][33];",
        "shared: E[0] is the sum", "TMA layout: (a, b)", "layout", "layout: ", "E layout: (32, 8)",
        "shared memory: 48 KiB (opt in)", "the layout of E is good", "layouts: (a, b)",
        "shared: E[threadIdx.x][0] = p[0]; (slow)", "layout of E: [", "smem layout: ("})
    EXPECT_TRUE(with_layout(comment).claims.empty()) << comment;
}

}  // namespace
}  // namespace lanescope::source
