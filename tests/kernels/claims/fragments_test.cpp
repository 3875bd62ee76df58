// Comments that name an operand of mma.sync, beside loads that put its elements into registers.

#include <fmt/format.h>

#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Shape {
  const char *words, *element, *k;  ///< k in elements
};

/// 16 x K elements of a, 8 x K of b; a row is 8 words.
std::string fragment_kernel(const Shape& s, const char* x_of, const char* y_of,
                            const char* x_index = "8 * (i + 8 * (r % 2)) + 4 * (r / 2) + pair") {
  return fmt::format(R"(/*
[lanescope]
block = 32
[buffers]
a = "{0} i:16 k:{1}"
b = "{0} j:8 k:{1}"
c = "f32 i:16 j:8 = zeros"
*/
__global__ void k(const unsigned *a, const unsigned *b, float *c) {{
  const unsigned lane = threadIdx.x, i = lane / 4, pair = lane % 4;
  unsigned x[4], y[2];
  for (int r = 0; r < 4; r++) x[r] = a[{4}];
  // x: {2} fragment of mma.{5}
  for (int r = 0; r < 2; r++) y[r] = b[8 * i + 4 * r + pair];
  // y: {3} fragment of mma.{5}
  c[lane] = x[0] + x[1] + x[2] + x[3] + y[0] + y[1];
}}
)",
                     s.element, s.k, x_of, y_of, x_index, s.words);
}

std::vector<std::string> verdicts_of(const std::string& text) {
  const auto run = probe(text);
  if (!run) return {};
  std::vector<std::string> out;
  for (const ClaimResult& r : run->collector->judge()) out.push_back(verdict_words(r));
  return out;
}

using Verdicts = std::vector<std::string>;

TEST(Fragments, AreThoseOfTheInstruction) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << compile::toolchain().problem;
  for (const Shape& s :
       {Shape{"m16n8k16", "f16", "16"}, Shape{"m16n8k8 (tf32)", "u32", "8"}, Shape{"m16n8k32", "u8", "32"}}) {
    EXPECT_EQ(verdicts_of(fragment_kernel(s, "A", "B")), (Verdicts{"holds", "holds"})) << s.words;
    // The upper half of k before the lower rows.
    const char* turned = "8 * (i + 8 * (r / 2)) + 4 * (r % 2) + pair";
    EXPECT_EQ(verdicts_of(fragment_kernel(s, "A", "B", turned)).front(), "differs") << s.words;
  }
  // Which operand is not said, or it is another one.
  const Shape half{"m16n8k16", "f16", "16"};
  EXPECT_EQ(verdicts_of(fragment_kernel(half, "the", "B")).front(), "unchecked");
  EXPECT_NE(verdicts_of(fragment_kernel(half, "B", "B")).front(), "holds");
}

TEST(Fragments, AccumulatorsAreSums) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << compile::toolchain().problem;
  const auto text = [](const char* rows) {
    return fmt::format(R"(/*
[lanescope]
block = 32
[buffers]
a = "f16 i:16 k:16"
b = "f16 j:8 k:16"
c = "f32 i:16 j:8 = zeros"
*/
__global__ void k(const unsigned *a, const unsigned *b, float *c) {{
  const unsigned lane = threadIdx.x, i = lane / 4, pair = lane % 4;
  unsigned x[4], y[2];
  for (int r = 0; r < 4; r++) x[r] = a[8 * (i + 8 * (r % 2)) + 4 * (r / 2) + pair];
  for (int r = 0; r < 2; r++) y[r] = b[8 * i + 4 * r + pair];
  float d[4] = {{0, 0, 0, 0}};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  {}
  for (int r = 0; r < 4; r++) c[8 * (i + 8 * (r / 2)) + 2 * pair + r % 2] = d[r];
}}
)",
                       rows);
  };
  EXPECT_EQ(verdicts_of(text("// d holds the C fragment of mma.m16n8k16")), Verdicts{"holds up to sums"});
  EXPECT_EQ(verdicts_of(text("float t = d[1]; d[1] = d[2]; d[2] = t;\n  // d holds the C fragment of mma.m16n8k16")),
            Verdicts{"differs"});
}

}  // namespace
}  // namespace lanescope::claims
