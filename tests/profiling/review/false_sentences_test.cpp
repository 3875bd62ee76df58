// Sentences of the review that accused what is right, or said what is not so: each as the kernel that drew it.

#include <algorithm>
#include <string>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

class Sentences : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
  /// `head` is of the launch header, from its first line on.
  static Reviewed kernel(const std::string& head, const std::string& code) {
    const Reviewed r = reviewed("/*\n[lanescope]\n" + head + "*/\n" + code);
    EXPECT_EQ(r.problem, "");
    return r;
  }
  static std::string said(const Reviewed& r, std::string_view rule) {
    const auto found = of_rule(r, rule);
    return found.size() == 1 ? found.front().message : "not one finding: " + words(r);
  }
  static int line_of(const Reviewed& r, std::string_view rule) {
    const auto found = of_rule(r, rule);
    return found.empty() ? 0 : found.front().line;
  }
};
#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_SAYS_NOT(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

// --- undefined data that a store carries on --------------------------------------------------------------------------

TEST_F(Sentences, UndefinedDataAreThoseOfTheLoadThatBroughtThem) {
  const Reviewed r = kernel("block = 64\n[buffers]\np = \"u8 n:64 = uninitialised\"\nq = \"u32 n:1 = zeros\"\n",
                            "__global__ void __launch_bounds__(64) k(const unsigned char* p, unsigned* q) {\n"
                            "  __shared__ unsigned s[64];\n  s[threadIdx.x] = p[threadIdx.x];\n  __syncthreads();\n"
                            "  unsigned m = 0;\n  for (int i = 0; i < 64; ++i) m = max(m, s[i]);\n"
                            "  if (m > 4) q[0] = m;\n}\n");
  const std::string words = said(r, "uninitialised-read");
  EXPECT_SAYS(words, "of `p`, which no store has written");
  EXPECT_SAYS_NOT(words, "shared memory");
  EXPECT_SAYS_NOT(words, "not this one");
  EXPECT_EQ(line_of(r, "uninitialised-read"), 10);
}

TEST_F(Sentences, UndefinedDataArePassedOnTwice) {
  const Reviewed r = kernel("block = 32\n[buffers]\np = \"u32 n:32 = uninitialised\"\nq = \"u32 n:32 = zeros\"\n",
                            "__global__ void __launch_bounds__(32) k(const unsigned* p, unsigned* q) {\n"
                            "  __shared__ unsigned s[32], t[32];\n  const unsigned l = threadIdx.x;\n"
                            "  s[l] = p[l] | 1u;\n  __syncthreads();\n  t[l] = s[31 - l];\n  __syncthreads();\n"
                            "  q[l] = t[l ^ 1] > 7 ? 1 : 2;\n}\n");
  const std::string words = said(r, "uninitialised-read");
  EXPECT_SAYS(words, "of `p`");
  EXPECT_EQ(line_of(r, "uninitialised-read"), 11);
}

// The store that uses the value writes the very byte that was read.
TEST_F(Sentences, AByteThatIsWrittenIsNotCalledUnwritten) {
  for (const char* elements : {"1", "2", "64"}) {
    const Reviewed r = kernel(std::string("block = 1\n[buffers]\nc = \"u32 n:") + elements + " = uninitialised\"\n",
                              "__global__ void __launch_bounds__(32) k(unsigned* c) {\n  c[0] = c[0] + 1;\n}\n");
    const std::string words = said(r, "uninitialised-read");
    EXPECT_SAYS(words, "line 8 writes it only later");
    EXPECT_SAYS_NOT(words, "not this one");
  }
}

TEST_F(Sentences, AByteBetweenOthersIsStillNamed) {
  const Reviewed r = kernel("block = 32\n[buffers]\nq = \"u32 n:32 = zeros\"\n",
                            "__global__ void __launch_bounds__(32) k(unsigned* q) {\n  __shared__ unsigned s[32];\n"
                            "  if (threadIdx.x != 5) s[threadIdx.x] = threadIdx.x;\n  __syncwarp();\n"
                            "  q[threadIdx.x] = s[31 - threadIdx.x];\n}\n");
  EXPECT_SAYS(said(r, "uninitialised-read"), "reads byte 20 of shared memory, which no store has written");
  EXPECT_SAYS(said(r, "uninitialised-read"), "line 9 writes others between bytes 0 and 127, and not this one");
}

// --- divergence ------------------------------------------------------------------------------------------------------

Severity severity_of(const Reviewed& r) {
  Severity worst = Severity::note;
  for (const Finding& f : of_rule(r, "divergence")) worst = std::min(worst, f.severity);
  return worst;
}

TEST_F(Sentences, AReductionDividesOneWarpAtATime) {
  for (const char* threads : {"64", "128", "256"})
    for (const char* condition : {"t < d", "t % (2 * d) == 0"}) {
      const bool by_border = std::string(condition) == "t < d";
      const Reviewed r = kernel(
          std::string("block = ") + threads + "\n[buffers]\np = \"f32 n:" + threads + "\"\nq = \"f32 n:1 = zeros\"\n",
          std::string("__global__ void __launch_bounds__(256) k(const float* p, float* q) {\n"
                      "  __shared__ float s[256];\n  const unsigned t = threadIdx.x, n = blockDim.x;\n  s[t] = p[t];\n"
                      "  __syncthreads();\n  for (unsigned d = ") +
              (by_border ? "n / 2; d > 0; d /= 2" : "1; d < n; d *= 2") + ") {\n    if (" + condition +
              ") s[t] += s[t + d];\n    __syncthreads();\n  }\n  if (t == 0) q[0] = s[0];\n}\n");
      ASSERT_FALSE(by_border ? false : of_rule(r, "divergence").empty()) << words(r);
      EXPECT_EQ(severity_of(r), by_border ? Severity::note : Severity::warning) << condition << words(r);
    }
}

TEST_F(Sentences, BranchesInsideOfALibraryAreNotTheUsers) {
  const Reviewed r = kernel("block = 64\n[buffers]\np = \"f32 n:64\"\nq = \"f32 n:64 = zeros\"\n",
                            "__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
                            "  q[threadIdx.x] = powf(p[threadIdx.x], 1.7f);\n}\n");
  EXPECT_EQ(severity_of(r), Severity::note) << words(r);
  const Reviewed own = kernel("block = 64\n[buffers]\np = \"f32 n:64\"\nq = \"f32 n:64 = zeros\"\n",
                              "__device__ float own(float x, unsigned t) {\n  if (t % 2 == 0)\n    #pragma unroll 1\n"
                              "    for (int i = 0; i < 40; ++i) x = x * x + 0.5f;\n  return x;\n}\n"
                              "__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
                              "  q[threadIdx.x] = own(p[threadIdx.x], threadIdx.x);\n}\n");
  EXPECT_EQ(severity_of(own), Severity::warning) << words(own);
}

TEST_F(Sentences, AFewLanesAtAnEdgeAreANote) {
  const auto edge = [](const std::string& inner) {
    return kernel("block = [32, 8]\n[buffers]\np = \"f32 n:256\"\nq = \"f32 n:256 = zeros\"\n",
                  "__global__ void __launch_bounds__(256) k(const float* p, float* q) {\n"
                  "  const unsigned x = threadIdx.x, at = 32 * threadIdx.y + x;\n  float v = p[at];\n  if (" +
                      inner +
                      ")\n    #pragma unroll 1\n    for (int i = 0; i < 9; ++i) v = v * v + 0.5f;\n"
                      "  q[at] = v;\n}\n");
  };
  EXPECT_EQ(severity_of(edge("x > 0 && x < 31")), Severity::note);
  EXPECT_EQ(severity_of(edge("x > 7 && x < 24")), Severity::warning);
}

// --- called functions ------------------------------------------------------------------------------------------------

TEST_F(Sentences, AFindingInACalledFunctionHasBothLines) {
  const std::string head = "block = 32\n[buffers]\np = \"f32 n:2048\"\nq = \"f32 n:64 = zeros\"\n";
  const std::string device = "__device__ float column(const float* p, unsigned t) {\n  return p[32 * t];\n}\n";
  const Reviewed r = kernel(head, device +
                                      "__global__ void __launch_bounds__(32) k(const float* p, float* q) {\n"
                                      "  q[threadIdx.x] = column(p, threadIdx.x);\n"
                                      "  q[threadIdx.x + 32] = column(p + 1, threadIdx.x);\n}\n");
  const auto found = of_rule(r, "partial-lines");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found[0].line, 9);
  EXPECT_EQ(found[0].called_at, (std::vector<int>{12, 13}));
  EXPECT_SAYS(found[0].message, "; called from lines 12, 13");
  // A comment at either place is about it.
  EXPECT_TRUE(of_rule(kernel(head,
                             "__device__ float column(const float* p, unsigned t) {\n"
                             "  return p[32 * t];  // lanescope: allow partial-lines\n}\n"
                             "__global__ void __launch_bounds__(32) k(const float* p, float* q) {\n"
                             "  q[threadIdx.x] = column(p, threadIdx.x);\n}\n"),
                      "partial-lines")
                  .empty());
  EXPECT_TRUE(
      of_rule(
          kernel(head, device + "__global__ void __launch_bounds__(32) k(const float* p, float* q) {\n"
                                "  q[threadIdx.x] = column(p, threadIdx.x);  // lanescope: allow partial-lines\n}\n"),
          "partial-lines")
          .empty());
}

TEST_F(Sentences, CallsThatReadOtherMemoryAreNotNamed) {
  const Reviewed r = kernel("block = 32\n[buffers]\np = \"f32 n:1024\"\nq = \"f32 n:64 = zeros\"\n",
                            "__device__ float column(const float* p, unsigned t) {\n  return p[32 * t];\n}\n"
                            "__global__ void __launch_bounds__(32) k(const float* p, float* q) {\n"
                            "  __shared__ float s[1024];\n  for (int i = 0; i < 32; ++i) s[32 * i + threadIdx.x] = 1;\n"
                            "  __syncthreads();\n  q[threadIdx.x] = column(p, threadIdx.x);\n"
                            "  q[threadIdx.x + 32] = column(s, threadIdx.x);\n}\n");
  const auto lines = of_rule(r, "partial-lines"), banks = of_rule(r, "bank-conflict");
  ASSERT_EQ(lines.size(), 1u) << words(r);
  ASSERT_EQ(banks.size(), 1u) << words(r);
  EXPECT_EQ(lines[0].line, 9);
  EXPECT_EQ(lines[0].called_at, std::vector<int>{15});
  EXPECT_EQ(banks[0].line, 9);
  EXPECT_EQ(banks[0].called_at, std::vector<int>{16});
}

TEST_F(Sentences, ABarrierStandsWhereItCanBeTakenAway) {
  const auto unneeded = [](const std::string& body) {
    const Reviewed r = kernel("block = 64\n[buffers]\np = \"f32 n:64\"\nq = \"f32 n:64 = zeros\"\n",
                              "__device__ void meet() {\n  __syncthreads();\n}\n"
                              "__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
                              "  __shared__ float s[64];\n  s[threadIdx.x] = p[threadIdx.x];\n" +
                                  body + "}\n");
    std::vector<std::pair<int, std::vector<int>>> out;
    for (const Finding& f : of_rule(r, "barrier-unneeded")) out.emplace_back(f.line, f.called_at);
    return out;
  };
  using Places = std::vector<std::pair<int, std::vector<int>>>;
  // One call of two is needed: the other may go, the function's barrier not.
  EXPECT_EQ(unneeded("  meet();\n  q[threadIdx.x] = s[63 - threadIdx.x];\n  meet();\n"), (Places{{16, {}}}));
  EXPECT_EQ(unneeded("  q[threadIdx.x] = s[threadIdx.x];\n  meet();\n"), (Places{{9, {15}}}));
}

TEST_F(Sentences, OfABarrierOnlyTheCallThatPartIgnoresIsNamed) {
  const Reviewed r = kernel("block = 64\n[buffers]\np = \"f32 n:64\"\nq = \"f32 n:64 = zeros\"\n",
                            "__device__ void meet() {\n  __syncthreads();\n}\n"
                            "__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
                            "  __shared__ float s[64];\n  s[threadIdx.x] = p[threadIdx.x];\n  meet();\n"
                            "  q[threadIdx.x] = s[63 - threadIdx.x];\n  if (threadIdx.x < 32) meet();\n}\n");
  const auto found = of_rule(r, "barrier-divergent");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found[0].line, 9);
  EXPECT_EQ(found[0].called_at, std::vector<int>{16});
}

// --- misspelt rows ---------------------------------------------------------------------------------------------------

TEST_F(Sentences, AMisspeltRowIsToldOnce) {
  const Reviewed r = reviewed(
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\nq = \"f32 i:32 = zeros\"\n*/\n"
      "__global__ void __launch_bounds__(32) k(const float* p, float* q) {\n  float x = p[threadIdx.x];\n"
      "  // x has the following register assignment:\n  //   therad:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0\n"
      "  q[threadIdx.x] = x;\n}\n");
  EXPECT_EQ(of_rule(r, "claim-typo").size(), 1u) << words(r);
}

// --- parts of threads ------------------------------------------------------------------------------------------------

std::string parts(const std::string& offset, const std::string& values, const std::string& elements) {
  return "/*\n[lanescope]\nblock = 64\n[buffers]\np = \"f32 n:256 = random\"\nq = \"f32 n:" + elements +
         " = zeros\"\n*/\n__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
         "  const unsigned t = threadIdx.x;\n  const float* mine = p + " +
         offset + ";\n  float* out = q + " + offset + ";\n  for (int i = 0; i < 4; ++i) out[i] = " + values + ";\n}\n";
}

TEST_F(Sentences, PartsOfThreadsThatOverlapAreAnError) {
  for (const char* elements : {"256", "300", "4096"})
    for (const char* values : {"2 * mine[i]", "mine[i] + t"}) {
      const Reviewed r = reviewed(parts("t", values, elements));
      const auto found = of_rule(r, "write-overlap");
      ASSERT_EQ(found.size(), 1u) << words(r);
      EXPECT_EQ(found[0].severity, Severity::error);
      EXPECT_SAYS(found[0].message, "each thread writes 4 elements of `q` in a row");
      EXPECT_SAYS(found[0].message, "begin 1 element further");
      EXPECT_EQ(found[0].remedy, "offset each thread by the 4 elements that it writes");
    }
  for (const char* right : {"4 * t", "5 * t % 240"}) {
    const Reviewed r = reviewed(parts(right, "2 * mine[i]", "256"));
    for (const Finding& f : of_rule(r, "write-overlap")) EXPECT_SAYS_NOT(f.message, "in a row");
  }
}

// Flags of one value, and a result that all threads of a block write, are no parts.
TEST_F(Sentences, WhatSeveralWriteAlikeIsNoPart) {
  for (const char* body : {"q[t] = 1; q[t + 1] = 1;", "for (int i = 0; i < 4; ++i) q[i] = p[i];",
                           "q[2 * t] = p[t]; q[2 * t + 1] = p[t];"}) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 64\n[buffers]\np = \"f32 n:256 = random\"\nq = \"f32 n:4096 = "
        "zeros\"\n*/\n__global__ void __launch_bounds__(64) k(const float* p, float* q) {\n"
        "  const unsigned t = threadIdx.x;\n  " +
        std::string(body) + "\n}\n");
    EXPECT_TRUE(of_rule(r, "write-overlap").empty()) << words(r);
  }
}

// --- double precision ------------------------------------------------------------------------------------------------

// Neither the literal nor the function that would be another one is in the text.
TEST_F(Sentences, DoublesOfATypeByAnotherNameAreANote) {
  const std::string head = "block = 32\n[buffers]\np = \"f64 n:32\"\n";
  const std::string codes[] = {
      "typedef double real;\n__global__ void __launch_bounds__(32) k(real* p) {\n"
      "  p[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x] + p[threadIdx.x];\n}\n",
      "typedef double real;\n__device__ real twice(real x) {\n  return 2.1 * x;\n}\n"
      "__global__ void __launch_bounds__(32) k(real* p) {\n  p[threadIdx.x] = twice(p[threadIdx.x]);\n}\n"};
  for (const std::string& code : codes) {
    const auto found = of_rule(kernel(head, code), "double-precision");
    ASSERT_EQ(found.size(), 1u) << code;
    EXPECT_EQ(found[0].severity, Severity::note) << found[0].message;
    EXPECT_SAYS(found[0].remedy, "declare as float");
  }
}

TEST_F(Sentences, ADoubleOfAnotherLineIsNotCalledALiteral) {
  const Reviewed r = kernel("block = 32\n[buffers]\np = \"f32 n:32\"\n",
                            "#define HALF 0.55\n__global__ void __launch_bounds__(32) k(float* p) {\n"
                            "  p[threadIdx.x] = p[threadIdx.x] * HALF;\n}\n");
  const auto found = of_rule(r, "double-precision");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_SAYS_NOT(found[0].remedy, "1.0f");
  EXPECT_SAYS_NOT(found[0].remedy, "sinf");
}

// --- numbers of races ------------------------------------------------------------------------------------------------

TEST_F(Sentences, ANumberOfPairsIsALowerBound) {
  const std::string change = "__global__ void __launch_bounds__(64) k(int* c) { *c = *c + 1; }\n";
  const auto with = [&](const char* threads) {
    return said(kernel(std::string("block = ") + threads + "\n[buffers]\nc = \"s32 n:1 = zeros\"\n", change),
                "warp-sync-missing");
  };
  EXPECT_SAYS(with("32"), "at least 496 such pairs of accesses");  // 32 * 31 / 2 pairs of writes
  EXPECT_SAYS(with("5"), "at least 10 such pairs of accesses");
  EXPECT_SAYS_NOT(with("2"), "such pair");
}

TEST_F(Sentences, APairOfWideAccessesIsOne) {
  const Reviewed r = kernel("block = 64\n[buffers]\nq = \"f32 n:256 = zeros\"\n",
                            "__global__ void __launch_bounds__(64) k(float4* q) {\n  __shared__ float4 s[64];\n"
                            "  s[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);\n"
                            "  q[threadIdx.x] = s[threadIdx.x ^ 32];\n}\n");
  EXPECT_SAYS(said(r, "barrier-missing"), "at least 64 such pairs of accesses");
}

TEST_F(Sentences, ARaceOfSeveralLaunchesIsOneFinding) {
  const std::string launches =
      "[[launch]]\nblock = 64\nargs = [\"p\"]\n[[launch]]\nblock = 64\nargs = [\"p\"]\n"
      "[[launch]]\ngrid = 2\nblock = 64\nargs = [\"p\"]\n";
  const Reviewed r = kernel(launches + "[buffers]\np = \"f32 n:128\"\n",
                            "__global__ void __launch_bounds__(64) k(float* p) {\n  __shared__ float s[64];\n"
                            "  s[threadIdx.x] = p[threadIdx.x];\n"
                            "  p[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];\n}\n");
  const auto found = of_rule(r, "barrier-missing");
  ASSERT_EQ(found.size(), 1u) << words(r);
  EXPECT_EQ(found[0].evidence.launch, 0);
  EXPECT_SAYS(found[0].message, "; at least 256 such pairs of accesses in 3 launches");
}

// --- elements that one launch leaves ---------------------------------------------------------------------------------

TEST_F(Sentences, ElementsThatAnotherLaunchWritesAreNotNeverWritten) {
  const std::string one = "[[launch]]\nkernel = \"one\"\nblock = 64\nargs = [\"q\"]\n",
                    all = "[[launch]]\nkernel = \"all\"\nblock = 64\nargs = [\"q\"]\n",
                    buffers = "[buffers]\nq = \"s32 n:64 = zeros\"\n",
                    code =
                        "__global__ void __launch_bounds__(64) all(int* q) { q[threadIdx.x] = 1; }\n"
                        "__global__ void __launch_bounds__(64) one(int* q) { if (threadIdx.x % 32 == 0) q[0] = "
                        "threadIdx.x; }\n";
  EXPECT_SAYS(said(kernel(one + buffers, code), "write-overlap"), "63 of 64 are never written");
  const std::string after = said(kernel(all + one + buffers, code), "write-overlap");
  EXPECT_SAYS(after, "launch 2 leaves 63 of 64 unwritten");
  EXPECT_SAYS_NOT(after, "never written");
}

// The blocks of one launch leave the end of the array to another.
TEST_F(Sentences, TheEndOfAnArrayMayBeAnotherLaunchs) {
  const std::string first = "[[launch]]\nkernel = \"k\"\ngrid = 7\nblock = 128\nargs = [\"q\", 1000, 0]\n",
                    rest = "[[launch]]\nkernel = \"k\"\ngrid = 1\nblock = 128\nargs = [\"q\", 1000, 896]\n",
                    buffers = "[buffers]\nq = \"s32 n:1000 = zeros\"\n",
                    code =
                        "__global__ void __launch_bounds__(128) k(int* q, int n, int begin) {\n"
                        "  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) q[i] = i;\n}\n";
  EXPECT_SAYS(said(kernel(first + buffers, code), "never-written"), "elements 896 to 999 of `q` are written by no");
  const Reviewed both = kernel(first + rest + buffers, code);
  EXPECT_TRUE(of_rule(both, "never-written").empty()) << words(both);
}

// --- faults ----------------------------------------------------------------------------------------------------------

TEST_F(Sentences, ATrapNamesTheFunctionsFile) {
  const Reviewed r = reviewed(
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f16 n:32\"\n*/\n#include <cuda_pipeline_primitives.h>\n"
      "__global__ void __launch_bounds__(32) k(const unsigned short* p) {\n  __shared__ unsigned short s[32];\n"
      "  __pipeline_memcpy_async(&s[threadIdx.x], &p[threadIdx.x], sizeof(short));\n}\n");
  EXPECT_SAYS(r.problem, "the kernel executes trap, in line ");
  EXPECT_SAYS(r.problem, " of cuda_pipeline_primitives.h");
}

}  // namespace
}  // namespace lanescope::review
