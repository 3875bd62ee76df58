// Guesses under a claim's verdict that no text states: the order of a buffer's elements, their width, the
// variable that is meant, the moment. A guess never refutes a claim; words are read before they are judged.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/base/read_file.h"
#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Guesses : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

std::vector<ClaimResult> results_of(const std::string& text) {
  const auto run = probe(text);
  return run ? run->collector->judge() : std::vector<ClaimResult>{};
}

constexpr const char* two_words =
    "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:2 j:32\"\nt = \"u32 k:32\"\n*/\n";

/// Two words of each lane in `x` and `y`, and a claim on both.
std::string two_registers(const std::string& sentence, const std::string& rows = "i0") {
  return std::string(two_words) +
         "__global__ void k(unsigned *p, const unsigned *t) {\n  unsigned lane = threadIdx.x, k = t[lane];\n"
         "  unsigned x = p[lane], y = p[32 + lane];\n  // " +
         sentence + "\n  //   register: " + rows + "\n  //   thread:   j4 j3 j2 j1 j0\n" +
         "  p[lane] = y + k;\n  p[32 + lane] = x;\n}\n";
}

TEST_F(Guesses, ABitAcrossTwoVariables) {
  for (const char* sentence :
       {"Each lane has two registers (x, y):", "Registers x, y have the assignment:",
        "x and y together have register assignment:", "The pair {x, y}:", "(x, y) has register assignment:",
        "x/y register assignment:", "The two registers `x` and `y` have register assignment",
        "r0 chooses between x and y. Register assignment:",
        "After both loads the lane keeps x, y; register assignment:"}) {
    const auto right = results_of(two_registers(sentence));
    ASSERT_EQ(right.size(), 1U) << sentence;
    EXPECT_EQ(verdict_words(right[0]), "holds") << sentence << right[0].reason.words() << right[0].difference;
    const auto wrong = results_of(two_registers(sentence, "~i0"));
    EXPECT_EQ(verdict_words(wrong.at(0)), "differs") << sentence << wrong[0].reason.words();
  }
  // The comment gives one of them the elements of both.
  EXPECT_EQ(verdict_words(results_of(two_registers("x has register assignment:")).at(0)), "differs");
}

// Rows below a list in brackets name the least significant bit first.
TEST_F(Guesses, VariablesInBrackets) {
  const auto kernel = [](const std::string& rows) {
    return "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 s:2 tout:16 u:2\"\n*/\n"
           "__global__ void k(float *p) {\n  int at = (threadIdx.x & 1) * 32 + (threadIdx.x >> 1) * 2;\n"
           "  float z = p[at], a0 = p[at + 1];\n" +
           rows + "  p[at] = a0;\n  p[at + 1] = z;\n}\n";
  };
  const std::string lane = "lane <-> s0 tout0 tout1 tout2 tout3";
  for (const std::string& right :
       {"  // [z,a0]: " + lane + "\n", "  // [z, a0]: " + lane + "\n  //          r <-> u\n",
        "  // [z,a0]: " + lane + ", register <-> u\n", std::string("  // [z,a0]: lane <-> s0 tout\n"),
        "  // [a0]: " + lane + "\n", std::string("  // [z,a0]: t4..t0 <-> tout3..tout0 s0\n")}) {
    const auto results = results_of(kernel(right));
    ASSERT_EQ(results.size(), 1U) << right;
    EXPECT_EQ(verdict_words(results[0]), "holds") << right << results[0].reason.words() << results[0].difference;
  }
  for (const std::string& wrong :
       {std::string("  // [z,a0]: lane <-> s0 tout1 tout0 tout2 tout3\n"), "  // [a0,z]: " + lane + ", r <-> u\n"}) {
    const auto results = results_of(kernel(wrong));
    ASSERT_EQ(results.size(), 1U) << wrong;
    EXPECT_EQ(verdict_words(results[0]), "differs") << wrong << results[0].reason.words();
  }
  // Prose after a bracket names no variables for the claim below it.
  const auto prose =
      results_of(kernel("  // [z]: the sum is in the first of them\n  // a0 has register assignment:\n"
                        "  //   thread: tout3 tout2 tout1 tout0 s0\n"));
  ASSERT_EQ(prose.size(), 1U);
  EXPECT_EQ(verdict_words(prose[0]), "holds") << prose[0].reason.words() << prose[0].difference;
}

TEST_F(Guesses, ALetterBeforeACommaIsAName) {
  const auto kernel = [](const std::string& thread) {
    return "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 j:32\"\n*/\n__global__ void k(unsigned *p) {\n"
           "  unsigned a = p[threadIdx.x];\n  // a, as the next step takes it:\n  //   thread: " +
           thread + "\n  p[threadIdx.x] = a + 1;\n}\n";
  };
  const auto right = results_of(kernel("j4 j3 j2 j1 j0"));
  ASSERT_EQ(right.size(), 1U);
  EXPECT_EQ(verdict_words(right[0]), "holds") << right[0].reason.words() << right[0].difference;
  EXPECT_EQ(verdict_words(results_of(kernel("j4 j3 j2 j0 j1")).at(0)), "differs");
}

TEST_F(Guesses, ArraysOfTwoAreTwoRegisters) {
  const char* text = R"(__global__ void k(int *p) {
  int v0[2] = {p[threadIdx.x], p[32 + threadIdx.x]}, v1[2] = {p[64 + threadIdx.x], p[96 + threadIdx.x]};
  // v has register assignment:
  //   register: h0 i0
  //   thread:   j4 j3 j2 j1 j0
  int2 u0 = {v0[0], v0[1]}, u1 = {v1[0], v1[1]};
  // u has register assignment:
  //   register: h0 i0
  //   thread:   j4 j3 j2 j1 j0
  int a[2] = {v0[0], v0[1]}, b[2] = {v1[0], v1[1]};
  // (a, b) have register assignment:
  //   register: h0 i0
  //   thread:   j4 j3 j2 j1 j0
  // (a, b) have register assignment:
  //   register: i0 h0
  //   thread:   j4 j3 j2 j1 j0
  p[threadIdx.x] = u0.x + u1.y + v0[0] + v1[1] + a[0] + b[1];
}
)";
  const auto all =
      results_of("/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 h:2 i:2 j:32\"\n*/\n" + std::string(text));
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c)
    EXPECT_EQ(verdict_words(all[c]), c == 3 ? "differs" : "holds") << c << all[c].reason.words() << all[c].difference;
  // A register row for two of four: "x" is all four.
  const char* part = R"(__global__ void k(int *p) {
  int x0 = p[threadIdx.x], x1 = p[32 + threadIdx.x], x2 = p[64 + threadIdx.x], x3 = p[96 + threadIdx.x];
  // x has register assignment:
  //   register: i0
  //   thread:   j4 j3 j2 j1 j0
  // x0, x1 have register assignment:
  //   register: i0
  //   thread:   j4 j3 j2 j1 j0
  // x0 and x2 have register assignment:
  //   register: h0
  //   thread:   j4 j3 j2 j1 j0
  p[threadIdx.x] = x0 + x1 + x2 + x3;
}
)";
  const auto parts =
      results_of("/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 h:2 i:2 j:32\"\n*/\n" + std::string(part));
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(verdict_words(parts[0]), "unchecked") << parts[0].difference;
  EXPECT_NE(parts[0].reason.words().find("if `x` is meant, it differs"), std::string::npos) << parts[0].reason.words();
  EXPECT_EQ(verdict_words(parts[1]), "holds") << parts[1].reason.words() << parts[1].difference;
  EXPECT_EQ(verdict_words(parts[2]), "holds") << parts[2].reason.words() << parts[2].difference;
}

TEST_F(Guesses, TheVariableThatCanHaveTheRegisters) {
  const std::string two = std::string(two_words) +
                          "__global__ void k(unsigned *p, const unsigned *t) {\n"
                          "  unsigned from = t[threadIdx.x];\n";
  const struct {
    const char *body, *variable, *verdict;
  } cases[] = {
      // The index above is loaded, too; the words look forward to what is fetched below.
      {"  // Fetch both words of this lane, giving\n  //   register: i0\n  //   thread:   j4 j3 j2 j1 j0\n"
       "  unsigned w0 = p[threadIdx.x + 0 * from], w1 = p[32 + threadIdx.x];\n  p[threadIdx.x] = w0 + w1;\n",
       "w", "holds"},
      {"  unsigned at = 31 - threadIdx.x + 0 * from;\n  // Gather one word per lane:\n"
       "  //   thread: ~j4 ~j3 ~j2 ~j1 ~j0\n  unsigned g = p[at];\n  p[threadIdx.x] = g;\n",
       "g", "holds"},
      {"  unsigned at = 31 - threadIdx.x;\n  // Load one word a lane, obtaining\n"
       "  //   thread: ~j4 ~j3 ~j2 ~j1 ~j0\n  unsigned g = p[at];\n  p[threadIdx.x] = g + from;\n",
       "g", "holds"},
      // A scalar that is spoken of in passing cannot have two registers.
      {"  unsigned acc[2];\n  for (int r = 0; r < 2; r++) acc[r] = p[32 * r + threadIdx.x];\n"
       "  // With from read once, two values wait. Register assignment:\n  //   register: i0\n"
       "  //   thread:   j4 j3 j2 j1 j0\n  p[threadIdx.x] = acc[0] * from + acc[1];\n",
       "acc", "holds"},
      // Which one is meant is a guess: no verdict against it.
      {"  unsigned a0 = p[threadIdx.x], a1 = p[threadIdx.x + 32];\n  // Register assignment:\n  //   register: i0\n"
       "  //   thread:   j4 j3 j2 j0 j1\n  p[threadIdx.x] = a0 + a1 + from;\n",
       "a", "unchecked"},
  };
  for (const auto& c : cases) {
    const auto run = probe(two + c.body + "}\n");
    ASSERT_TRUE(run) << c.body;
    const ClaimResult r = run->collector->judge().at(0);
    EXPECT_EQ(run->source.claims[0].variable, c.variable) << c.body;
    EXPECT_EQ(verdict_words(r), c.verdict) << c.body << r.reason.words() << r.difference;
    EXPECT_FALSE(run->source.claims[0].assumed.empty()) << c.body;
    if (r.verdict == Verdict::unchecked) {
      EXPECT_NE(r.reason.words().find("if `a` is meant, it differs: t1 and t0 are swapped"), std::string::npos)
          << r.reason.words();
      EXPECT_NE(r.reason.words().find("name the variable"), std::string::npos) << r.reason.words();
    }
  }
}

std::string staged_text(const std::string& sentence, const std::string& rows) {
  return std::string(two_words) + R"(__global__ void k(unsigned *p, const unsigned *t) {
  __shared__ unsigned s[64];
  unsigned lane = threadIdx.x;
  unsigned x0 = p[lane], x1 = p[lane + 32];
  s[lane] = x0;
  s[lane + 32] = x1;
  __syncwarp();
  // )" + sentence +
         "\n" + rows + R"(  x0 = s[(lane & 1) * 32 + (lane & 30)];
  x1 = s[(lane & 1) * 32 + (lane & 30) + 1];
  p[lane] = x0 + t[lane];
  p[lane + 32] = x1;
}
)";
}

TEST_F(Guesses, WordsThatLookForwardAreReadFirst) {
  const char *later = "  //   register: j0\n  //   thread:   j4 j3 j2 j1 i0\n",
             *now = "  //   register: i0\n  //   thread:   j4 j3 j2 j1 j0\n",
             *never = "  //   register: i0\n  //   thread:   j4 j3 j2 j0 j1\n";
  for (const char* sentence :
       {"Gather from shared memory, obtaining x with register assignment",
        "Gather the tile back, obtaining for x the assignment",
        "Exchange register bit 0 with lane bit 0, so that x has", "Swap r0 and t0, yielding for x", "Transpose x to",
        "Shuffle the pairs: this puts x into", "Next, bring x into the layout", "Now we permute x, arriving at",
        "Read x back, giving", "Rearrange the tile. Then x will have"}) {
    const auto of = [&](const char* rows) { return results_of(staged_text(sentence, rows)).at(0); };
    const ClaimResult right = of(later), wrong = of(never);
    EXPECT_EQ(verdict_words(right), "holds after line 19") << sentence << right.reason.words() << right.difference;
    EXPECT_EQ(verdict_words(wrong), "differs") << sentence << wrong.reason.words();
    EXPECT_NE(verdict_words(of(now)), "differs") << sentence << ": it is true at the comment";
  }
  // Sentences that say how it is do not look forward.
  for (const char* sentence : {"The loads are done; x has register assignment:", "x has register assignment:",
                               "After the transpose above x is distributed as follows (register assignment):"}) {
    EXPECT_EQ(verdict_words(results_of(staged_text(sentence, now)).at(0)), "holds") << sentence;
    EXPECT_EQ(verdict_words(results_of(staged_text(sentence, later)).at(0)), "differs") << sentence;
  }
}

TEST_F(Guesses, TheSideOfAStepIsNeverTheReasonOfARefutation) {
  const char *after = "  //   register: j0\n  //   thread:   j4 j3 j2 j1 i0\n",
             *before = "  //   register: i0\n  //   thread:   j4 j3 j2 j1 j0\n",
             *never = "  //   register: i0\n  //   thread:   j4 j3 j2 j0 j1\n";
  for (const char* sentence : {"This exchanges i0 and j0; the result in x is", "The result in x is",
                               "It transposes the tile; x has register assignment"}) {
    const auto of = [&](const char* rows) { return verdict_words(results_of(staged_text(sentence, rows)).at(0)); };
    EXPECT_EQ(of(after), "holds after line 19") << sentence;
    EXPECT_EQ(of(before), "holds") << sentence;
    EXPECT_EQ(of(never), "differs") << sentence;
  }
}

/// Bits 0 and 1 of the element's number in the registers, and exchanged.
std::string ordered(const std::string& header, const char* first, const char* second) {
  return header + R"(__global__ void __launch_bounds__(32) k(unsigned *p) {
  unsigned lane = threadIdx.x;
  unsigned x0 = p[4 * lane], x1 = p[4 * lane + 1], x2 = p[4 * lane + 2], x3 = p[4 * lane + 3];
  // x has register assignment:
)" + first +
         R"(  unsigned t = x1;
  x1 = x2;
  x2 = t;
  // x now has register assignment:
)" + second +
         R"(  p[lane] = x0;
  p[lane + 32] = x1;
  p[lane + 64] = x2;
  p[lane + 96] = x3;
}
)";
}

TEST_F(Guesses, AnOrderThatNothingStatesIsDefinedAndRefutesNothing) {
  const std::string headers[] = {"/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 e:128\"\n*/\n", ""};
  const char *first = "  //   register: c0 r0\n  //   thread:   r2 c2 r1 c1 d0\n",
             *second = "  //   register: r0 c0\n  //   thread:   r2 c2 r1 c1 d0\n",
             *wrong = "  //   register: c0 r0\n  //   thread:   r2 c2 r1 c1 d0\n",
             *elsewhere = "  //   register: r0 c0\n  //   thread:   r2 c1 r1 c2 d0\n",
             *twice = "  //   register: c0 c0\n  //   thread:   r2 c2 r1 c1 d0\n";
  for (const std::string& header : headers) {
    const auto right = results_of(ordered(header, first, second));
    ASSERT_EQ(right.size(), 2U) << header;
    EXPECT_EQ(verdict_words(right[0]), "defines the order") << header << right[0].difference;
    EXPECT_NE(right[0].reason.words().find("r0 is bit 0 of the element's number, c0 bit 1"), std::string::npos)
        << right[0].reason.words();
    EXPECT_EQ(verdict_words(right[1]), "holds") << header << right[1].reason.words() << right[1].difference;
    EXPECT_EQ(
        right[1].reason.words(),
        fmt::format("if the claim at line {} does, which defines the order of the elements", header.empty() ? 5 : 11));
    for (const char* other : {wrong, elsewhere}) {
      const auto mutant = results_of(ordered(header, first, other));
      EXPECT_EQ(verdict_words(mutant.at(1)), "differs") << header << other << mutant[1].reason.words();
      EXPECT_NE(mutant[1].difference.find("in the order that the claim at line"), std::string::npos)
          << mutant[1].difference;
    }
    // No order makes two registers hold the same.
    EXPECT_NE(verdict_words(results_of(ordered(header, twice, second)).at(0)), "holds") << header;
  }
}

TEST_F(Guesses, OneOrderForAFile) {
  const auto run = probe(read_file(LANESCOPE_TEST_DATA_DIR "/strangers/unstated_order.cu").value_or(""));
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(verdict_words(results[0]), "defines the order");
  EXPECT_NE(results[0].reason.words().find("k0 is bit 0 of the element's number, i2 bit 1, k1 bit 2"),
            std::string::npos)
      << results[0].reason.words();
  EXPECT_EQ(verdict_words(results[1]), "holds") << results[1].difference << results[1].reason.words();
  EXPECT_EQ(results[1].reason.words(), "if the claim at line 10 does, which defines the order of the elements");
}

// Every exchange of two bits of the second claim contradicts the first.
TEST_F(Guesses, ExchangesOfALaterClaimAreFound) {
  std::vector<catalogue::Swap> swaps;
  const auto run =
      probe(read_file(LANESCOPE_TEST_DATA_DIR "/strangers/unstated_order.cu").value_or(""), [&](source::Source& s) {
        const source::Claim claim = s.claims.at(1);
        swaps = catalogue::swaps(claim.stated);
        for (const catalogue::Swap& swap : swaps) s.claims.push_back(claim), s.claims.back().stated = swap.stated;
      });
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), swaps.size() + 2);
  for (std::size_t n = 0; n < swaps.size(); ++n)
    EXPECT_EQ(results[n + 2].verdict, Verdict::differs) << layout::print_line(swaps[n].stated);
}

TEST_F(Guesses, HowWideElementsAreIsNotTakenFromAPointer) {
  const struct {
    const char *name, *text;
  } cases[] = {
      {"one 64-bit word", R"(__global__ __launch_bounds__(32) void k(const unsigned long long *p, unsigned *q) {
  unsigned long long m = p[threadIdx.x];
  // m has register assignment:
  //   simd:   f5 f4 f3 f2 f1 f0
  //   thread: t4 t3 t2 t1 t0
  q[threadIdx.x] = (unsigned)(m >> 7);
})"},
      {"two 32-bit words", R"(__global__ __launch_bounds__(32) void k(const unsigned long long *p, unsigned *q) {
  uint2 m = *(const uint2 *)(p + threadIdx.x);
  // m has register assignment:
  //   simd:     f4 f3 f2 f1 f0
  //   register: f5
  //   thread:   t4 t3 t2 t1 t0
  q[threadIdx.x] = m.x ^ m.y;
})"},
      {"no simd row", R"(__global__ __launch_bounds__(32) void k(const long long *p, int *q) {
  int v[2];
  long long t = p[threadIdx.x];
  v[0] = (int)t;
  v[1] = (int)(t >> 32);
  // v has register assignment:
  //   register: i0
  //   thread:   j4 j3 j2 j1 j0
  q[threadIdx.x] = v[0] + v[1];
})"},
  };
  for (const auto& c : cases) {
    const ClaimResult r = results_of(c.text).at(0);
    EXPECT_EQ(verdict_words(r), "unchecked") << c.name << r.difference;
    EXPECT_NE(r.reason.words().find("the launch header"), std::string::npos) << c.name << r.reason.words();
  }
  // With the type stated there is nothing to guess.
  const std::string stated =
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"b1 t:32 f:64\"\nq = \"u32 t:32 = zeros\"\n*/\n";
  for (std::size_t n = 0; n < 2; ++n)
    EXPECT_EQ(verdict_words(results_of(stated + cases[n].text).at(0)), "holds") << cases[n].name;
}

}  // namespace
}  // namespace lanescope::claims
