// Assignments in the notations of other tools, and index arithmetic: what they are read as, and what is not judged.

#include <fmt/format.h>

#include <random>

#include "kernels/source/notation/cute_layout.h"
#include "kernels/source/notation/index_formula.h"
#include "tests/kernels/source/source_files.h"
#include "tests/rounds.h"
#include "tests/work.h"

namespace lanescope::source {
namespace {

std::int64_t value_at_13(const std::string& text, int choice = 0) {
  const auto formula = IndexFormula::read(text);
  if (!formula) return -1;
  return formula->value({{"l", 13}, {"t", 5}, {"lane", 21}}, choice).value_or(-2);
}

TEST(IndexFormula, IsArithmeticAsInC) {
  const std::pair<const char*, std::int64_t> cases[] = {{"4t", 20},
                                                        {"2(l%4)", 2},
                                                        {"2 (l % 4)", 2},
                                                        {"lane>>2 & 3", 1},
                                                        {"(lane & 16) / 4", 4},
                                                        {"l/4 + 8*(l/8)", 11},
                                                        {"1 + 2 * 3", 7},
                                                        {"2*l^1", 27},
                                                        {"lane - l", 8},
                                                        {"l mod 4", 1},
                                                        {"t << 2 | 1", 21},
                                                        {"2\u00b7t", 10},
                                                        {"l - lane", -2},
                                                        {"l / (t-5)", -2},
                                                        {"x + 1", -2},
                                                        {"l +", -1},
                                                        {"rows of A", -1},
                                                        {"1.5*l", -1},
                                                        {"l && t", -1},
                                                        {"", -1},
                                                        {"((l)", -1},
                                                        {"l 4", -1},
                                                        {"99999999999999*l", -1}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(value_at_13(text), expected) << text;
  EXPECT_EQ(value_at_13("4t..4t+3", 2), 22);
  EXPECT_EQ(IndexFormula::read("4t..4t+3")->choices(), 4);
  EXPECT_EQ(value_at_13("2*(l%4)+{0,1}", 1), 3);
  EXPECT_EQ(value_at_13("{0, 8} + l/4", 1), 11);
  EXPECT_FALSE(IndexFormula::read("{0,1}+{2,3}"));
  EXPECT_FALSE(IndexFormula::read(std::string(100, '(') + "l" + std::string(100, ')')));
}

TEST(CuteLayouts, AreReadInBothForms) {
  for (const char* text : {"((2,4),(8,4)):((1,64),(8,2))", "x is ((_2,_4), (_8,_4)):((_1,_64),(_8,_2)) here",
                           "Layout<Shape<Shape<_2,_4>,Shape<_8,_4>>, Stride<Stride<_1,_64>,Stride<_8,_2>>>",
                           "((Int<2>{},Int<4>{}),(8,4)):((1,64),(8,2))"}) {
    const auto found = find_cute_layout(text);
    ASSERT_TRUE(found) << text;
    ASSERT_EQ(found->layout.modes.size(), 2U) << text;
    EXPECT_EQ(found->layout.modes[0].size(), 8) << text;
    EXPECT_EQ(found->layout.modes[0].at(3), 65) << text;
    EXPECT_EQ(found->layout.modes[1].at(9), 10) << text;
  }
  for (const char* text : {"f(1,2):(3)", "(a,b):(c,d)", "((1,2),3):(1,2)", "(1,2)", "(1,2):", "Layout<Shape<_8>>",
                           "(1,2):(3,4,5)", "((((((((1,2))))))))"})
    EXPECT_FALSE(find_cute_layout(text)) << text;
}

/// `declared` and the comment after it; block of 32 x 4.
Claim claim_of(const std::string& comment, const std::string& declared = "float x[4];", const char* buffers = "") {
  const Source s = read_well("/*\n[lanescope]\nblock = [32, 4]\n" + std::string(buffers) +
                             "*/\n__global__ void k(const float *p, float *q) {\n  " + declared +
                             "\n  for (int i = 0; i < 4; ++i) x[i] = p[i];\n  // " + comment + "\n  q[0] = x[0];\n}\n");
  EXPECT_LE(s.claims.size(), 1U) << comment;
  return s.claims.empty() ? Claim{} : s.claims.front();
}

TEST(OtherNotations, AreReadAsRows) {
  const std::pair<const char*, const char*> cases[] = {
      {"x[e]: row = lane/4 + 8*(e/2), col = 2*(lane%4) + e%2", "register: row3 col0; thread: row2 row1 row0 col2 col1"},
      {"x[e] -> (row = lane>>2 | (e&2)<<2, col = (lane&3)*2 + (e&1))",
       "register: row3 col0; thread: row2 row1 row0 col2 col1"},
      {"x[e]: i = warp, j = 4*lane + e;", "register: j1 j0; thread: j6 j5 j4 j3 j2; warp: i1 i0"},
      {"thread t holds elements 4t..4t+3 of x",
       "register: element1 element0; thread: element6 element5 element4 element3 element2; warp: element8 element7"},
      {"Each thread holds elements [4*tid, 4*tid+4) of x",
       "register: element1 element0; thread: element6 element5 element4 element3 element2; warp: element8 element7"},
      {"lane l owns columns l + 32*v of x", "register: col6 col5; thread: col4 col3 col2 col1 col0"},
      {"each lane owns elements lane, lane+32, ... of x",
       "register: element6 element5; thread: element4 element3 element2 element1 element0"},
      {"lane l owns row l/4 + {0,8,16,24}, column l%4 of x", "register: row4 row3; thread: row2 row1 row0 col1 col0"},
      {"x: #blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}",
       "register: col1 col0; thread: row1 row0 col4 col3 col2; warp: row3 row2"},
      {"x: TV layout ((4,8),(2,2)):((32,1),(16,8)), (T32,V4) -> (M16,N8)",
       "register: row3 col0; thread: row2 row1 row0 col2 col1"},
      {"x has TV layout Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>",
       "register: element3 element4; thread: element2 element1 element0 element6 element5"},
  };
  for (const auto& [comment, rows] : cases) {
    const Claim c = claim_of(comment);
    EXPECT_EQ(layout::print_line(c.stated), rows) << comment;
    EXPECT_EQ(c.unchecked_reason.words(), "") << comment;
    EXPECT_EQ(c.variable, "x") << comment;
    EXPECT_FALSE(c.read_as.empty());
  }
  const char* const axes = "[buffers]\np = \"f32 m:16 n:8\"\nq = \"f32 m:16 n:8\"\n";
  EXPECT_EQ(layout::print_line(claim_of(cases[9].first, "float x[4];", axes).stated),
            "register: m3 n0; thread: m2 m1 m0 n2 n1");
}

TEST(OtherNotations, TheVariableOfTheLineOrTheNextOne) {
  const Claim after = claim_of("nothing", "float x[4];  // lane owns columns lane+32*s\n  float y[4];");
  EXPECT_EQ(after.variable, "x");
  EXPECT_NE(after.assumed.find("which its line declares"), std::string::npos) << after.assumed;
  const Claim above = claim_of("nothing", "// lane owns columns lane+32*s\n  float x[4];");
  EXPECT_EQ(above.variable, "x");
  EXPECT_NE(above.assumed.find("declared after it"), std::string::npos) << above.assumed;
  EXPECT_NE(claim_of("nothing", "float x[4], y[4];  // lane owns columns lane+32*s\n")
                .unchecked_reason.words()
                .find("exactly one"),
            std::string::npos);
}

TEST(OtherNotations, WhatCannotBeJudgedSaysWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"(threadIdx.x, threadIdx.y) -> (col, row)", "names no variable"},
      {"#blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}",
       "names no variable"},
      {"x: #blocked = {sizePerThread = [1, 3], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}",
       "no powers of two"},
      {"x: #blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8]}", "not complete"},
      {"x has layout (8,4):(4,1)", "which of its modes"},
      {"x[e]: row = 3*lane, col = e", "no sums of bits"},
      {"x[e]: row = lane + base, col = e", "`base` has no known value"},
      {"x[e][f]: row = lane, col = e", "two indices"},
      {"x[e]: row = lane/4, col = lane%4 + 4*(e%2)", "several registers of `x` the same element"},
      {"x: #blocked = {sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}",
       "the number of registers of `x`"},
      {"thread t holds elements 3t..3t+2 of x", "no power of two"},
      {"thread t holds elements 4t..4t+3", "none is declared right after it"},
      {"thread t holds elements 4t..4t+3 of y", "there is no variable `y`"},
      {"x0[e]: row1 = lane, col = e", "ends in a digit"},
  };
  for (const auto& [comment, reason] : cases) {
    const Claim c = claim_of(comment);
    EXPECT_NE(c.unchecked_reason.words().find(reason), std::string::npos)
        << comment << ": " << c.unchecked_reason.words();
  }
}

/// Damaged comments of every notation: never a crash, never an error for the file, and no time to speak of.
TEST(OtherNotations, DamagedCommentsAreReadInBoundedTime) {
  const std::vector<std::string> seeds = {
      "x[e]: row = lane/4 + 8*(e/2), col = 2*(lane%4) + e%2",
      "lane l owns row l/4, columns 2*(l%4)+{0,1} of x",
      "Each thread holds elements [4*tid, 4*tid+4) of x",
      "each lane owns elements lane, lane+32, ... of x",
      "x: #blocked = {sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}",
      "x: TV layout ((4,8),(2,2)):((32,1),(16,8)), (T32,V4) -> (M16,N8)",
      "shared: float E[4][8], (i, j)",
      "E layout: Swizzle<3,0,5> o (8,32):(32,1)",
      "(threadIdx.x, threadIdx.y) -> (col, row)",
      "p[i,j], shape (8,4); each block processes a shape-(8,1) subarray"};
  const std::string alphabet = "xlte0123456789()[]{}<>:;,.=+-*/%&|^# _";
  std::mt19937 random(11);
  const int rounds = test_rounds(100);
  const Work work;
  for (int n = 0; n < rounds; ++n) {
    std::string lines;
    for (int k = 0; k < 25; ++k) {
      std::string comment = seeds[random() % seeds.size()];
      for (int m = 1 + static_cast<int>(random() % 5); m > 0 && !comment.empty(); --m) {
        const std::size_t at = random() % comment.size();
        const char c = alphabet[random() % alphabet.size()];
        switch (random() % 4) {
          case 0:
            comment.erase(at, 1 + random() % 6);
            break;
          case 1:
            comment.insert(at, 1, c);
            break;
          case 2:
            comment[at] = c;
            break;
          default:
            comment.insert(at, comment.substr(random() % (at + 1), 10));
        }
      }
      lines += "  // " + comment + "\n  n += 1;\n";
    }
    const Expected<Source> s =
        read("k.cu",
             "/*\n[lanescope]\nblock = [32, 32]\n*/\n__global__ void k(const float *p, float *q, int n) {\n"
             "  __shared__ float E[8][32];\n  float x[4] = {p[0], p[1], p[2], p[3]};\n" +
                 lines + "  q[n] = x[0] + E[0][0];\n}\n");
    EXPECT_TRUE(s.has_value());
  }
  EXPECT_LT(work.loops(), 37.5 * rounds);
}

TEST(OtherNotations, VeryManyAreReadInBoundedTime) {
  std::string lines;
  for (int n = 0; n < 2000; ++n)
    lines += fmt::format("  // x[e]: row = lane/4 + 8*(e/2) + {}*(e%3), col = 2*(lane%4) + e%2\n  n += 1;\n", n);
  const Work work;
  const Source s = read_well(
      "/*\n[lanescope]\nblock = [32, 32]\n*/\n__global__ void k(const float *p, float *q, int n) {\n"
      "  float x[4] = {p[0], p[1], p[2], p[3]};\n" +
      lines + "  q[n] = x[0];\n}\n");
  EXPECT_EQ(s.claims.size(), 2000U);
  EXPECT_NE(s.claims.back().unchecked_reason.words().find("too many comments"), std::string::npos);
  EXPECT_LT(work.loops(), 1000);
}

TEST(OtherNotations, ProseIsNone) {
  for (const char* comment :
       {"each thread holds elements of two rows", "lane 0 holds the sum", "thread t has finished", "x[i]: see above",
        "(a, b) -> (c, d)", "row = lane / 4", "each thread owns its row", "x[0]: row = lane, col = 0",
        "the layout is (8, 4)", "lane l owns row l of the tile in shared memory, as the figure shows",
        "a ? b : (1,2):(3,4)", "each lane holds rows r, r+1"}) {
    const Claim c = claim_of(comment);
    EXPECT_TRUE(c.first_line == 0 || !c.unchecked_reason.empty()) << comment << layout::print_line(c.stated);
  }
}

}  // namespace
}  // namespace lanescope::source
