// Comments written from a run of the program itself: they are read again, they hold, and they stand where their
// variable is.

#include <gtest/gtest.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/outline.h"
#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Annotated : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

/// "x: register: r0; thread: ..." for each comment that was written, in text order.
std::vector<std::string> written(const std::string& text) {
  const auto run = probe(text);
  if (!run) return {};
  const Annotation annotation = annotate(run->source, *run->collector);
  const auto again = probe(annotation.text);
  if (!again) return {};
  EXPECT_EQ(again->source.claims.size(), static_cast<std::size_t>(annotation.claims_written)) << annotation.text;
  const source::Lexed lexed = source::lexed(again->source);
  const source::Outline outline = source::outline(lexed);
  std::vector<std::string> out;
  for (const ClaimResult& r : again->collector->judge()) {
    const source::Claim& claim = again->source.claims[static_cast<std::size_t>(r.claim)];
    EXPECT_EQ(verdict_words(r), "holds") << annotation.text << r.reason.words() << r.difference;
    EXPECT_EQ(claim.assumed, "") << annotation.text;
    const auto next =
        std::ranges::partition_point(lexed.tokens, [&](const source::Token& t) { return t.line < claim.first_line; });
    EXPECT_GE(outline.function_at(static_cast<int>(next - lexed.tokens.begin()) - 1), 0) << annotation.text;
    out.push_back(claim.variable + ": " + layout::print_line(claim.stated));
  }
  return out;
}

const std::string one_block =
    "/*\n[lanescope]\nkernel = \"k\"\nblock = 32\n[buffers]\np = \"u32 r:4 i:32\"\nq = \"u32 r:4 i:32 = zeros\"\n*/\n";
using Words = std::vector<std::string>;

TEST_F(Annotated, OnlyInsideOfFunctionsAndWhereTheVariableIs) {
  const Words all = written(one_block + R"(struct S {
  unsigned v;
  __device__ void load(const unsigned *p) { v = p[threadIdx.x]; }
  __device__ unsigned get() const {
    unsigned u = v;
    return u;
  }
};
__device__ unsigned twice(unsigned w) { w = 2 * w; return w; }
__global__ void k(const unsigned *p, unsigned *q) {
  S s;
  s.load(p);
  unsigned x = s.get();
  if (x < 100) { unsigned t = x; q[threadIdx.x] = t; }
  if (x < 100) {
    unsigned y = x;
    q[threadIdx.x] = twice(y);
  }
  for (int n = 0; n < 2; n++) { unsigned z = p[threadIdx.x + 32 * n]; q[threadIdx.x] = z; }
}
)");
  EXPECT_EQ(all, (Words{"u: thread: i4 i3 i2 i1 i0", "x: thread: i4 i3 i2 i1 i0", "y: thread: i4 i3 i2 i1 i0"}));
}

TEST_F(Annotated, EveryStateOfAVariableThatChangesInPlace) {
  const Words all = written(one_block + R"(__global__ void k(const unsigned *p, unsigned *q) {
  unsigned lane = threadIdx.x;
  unsigned x = p[lane];
  x = __shfl_xor_sync(~0u, x, 3);
  x = __shfl_sync(~0u, x, 31 - lane);
  unsigned r0 = p[lane], r1 = p[32 + lane];
  unsigned t = lane & 1 ? r0 : r1;
  t = __shfl_xor_sync(~0u, t, 1);
  if (lane & 1) r0 = t; else r1 = t;
  t = r0; r0 = r1; r1 = t;
  q[lane] = x + r0;
  q[32 + lane] = r1;
}
)");
  EXPECT_EQ(all, (Words{"x: thread: i4 i3 i2 i1 i0", "x: thread: i4 i3 i2 i1+1 i0+1", "x: thread: i4+1 i3+1 i2+1 i1 i0",
                        "r: register: r0; thread: i4 i3 i2 i1 i0", "r: register: i0; thread: i4 i3 i2 i1 r0",
                        "r: register: i0+1; thread: i4 i3 i2 i1 r0"}));
}

TEST_F(Annotated, WhatALoopLeaves) {
  const Words all = written(one_block + R"(__global__ void k(const unsigned *p, unsigned *q) {
  unsigned lane = threadIdx.x;
  unsigned x0 = p[lane], x1 = p[lane + 32], x2 = p[lane + 64], x3 = p[lane + 96];
  for (int m = 1; m < 4; m *= 2) {
    unsigned t = lane & m ? x0 : x1;
    t = __shfl_xor_sync(~0u, t, m);
    if (lane & m) x0 = t; else x1 = t;
    t = lane & m ? x2 : x3;
    t = __shfl_xor_sync(~0u, t, m);
    if (lane & m) x2 = t; else x3 = t;
  }
  unsigned v = p[lane];
  for (int n = 0; n < 3; n++) {
    v = __shfl_xor_sync(~0u, v, 1 << n);
  }
  for (int n = 0; n < 2; n++) v = __shfl_xor_sync(~0u, v, 8 << n);
  for (unsigned n = 0; n < lane; n++) { v = v + 0 * n; }
  q[lane] = x0 + v;
  q[lane + 32] = x1;
  q[lane + 64] = x2;
  q[lane + 96] = x3;
}
)");
  EXPECT_EQ(all, (Words{"x: register: r1 r0; thread: i4 i3 i2 i1 i0", "x: register: r1 i1; thread: i4 i3 i2 i0 r0",
                        "v: thread: i4 i3 i2 i1 i0", "v: thread: i4 i3 i2+1 i1+1 i0+1",
                        "v: thread: i4+1 i3+1 i2+1 i1+1 i0+1"}));
}

TEST_F(Annotated, BlocksAreARow) {
  const auto blocks = [](int count, const std::string& body) {
    return written("/*\n[lanescope]\ngrid = " + std::to_string(count) + "\nblock = 32\n[buffers]\np = \"u32 r:2 b:" +
                   std::to_string(count) + " i:32\"\nq = \"u32 b:" + std::to_string(count) +
                   " i:32 = zeros\"\n*/\n__global__ void k(const unsigned *p, unsigned *q) {\n"
                   "  unsigned at = 32 * blockIdx.x + threadIdx.x;\n" +
                   body + "}\n");
  };
  EXPECT_EQ(blocks(4, "  unsigned x = p[at];\n  q[at] = x;\n"), (Words{"x: thread: i4 i3 i2 i1 i0; block: b1 b0"}));
  EXPECT_EQ(blocks(3, "  unsigned x = p[at];\n  q[at] = x;\n"), (Words{"x: thread: i4 i3 i2 i1 i0; block: b1 b0"}));
  // Each pass of a loop has elements of its own; the comment is true for every pass.
  EXPECT_EQ(blocks(4,
                   "  unsigned s = 0;\n  for (int n = 0; n < 2; n++) {\n    unsigned x = p[at + 128 * n];\n"
                   "    s += x;\n  }\n  q[at] = s;\n"),
            (Words{"x: thread: i4 i3 i2 i1 i0"}));
}

}  // namespace
}  // namespace lanescope::claims
