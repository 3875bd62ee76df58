// Sentences about how much of an array each thread, warp or block works on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/claims/comment_cases.h"

namespace lanescope::claims {
namespace {

using Work = CommentTest;

TEST_F(Work, TilesAndNumbersOfElements) {
  expect({patches,
          {"each thread computes a TM x TN tile of q",
           "each thread computes a TN x TM tile of q",  // the names say which are the rows
           "Each thread owns a TM by TN patch of q.", "each thread computes a tile of size TM x TN",
           "each thread computes TM*TN elements of q", "every thread handles 4x2 elements",
           "one thread computes TM * TN outputs", "Each thread in the block processes TM * TN output values.",
           "each warp computes a 16x16 tile of q", "each block computes a 32 x 16 tile",
           "each block computes a 16 x 32 tile", "Each thread is responsible for computing 8 elements of q",
           "each block is responsible for a 32x16 tile", "each thread handles eight elements",
           "each block processes 512 elements"},
          {"each thread computes a tile of size TM x TM", "each thread computes TM*TM elements of q",
           "every thread handles 4x4 elements", "every thread handles 8x1 elements",
           "one thread computes TN * TN outputs", "each warp computes a 16x8 tile of q",
           "each warp computes a 32x8 tile of q", "each block computes a 32 x 32 tile",
           "each block computes a 64 x 8 tile", "each thread handles 8 consecutive elements",
           "each thread computes one element of q", "each block processes 256 elements"},
          {"each thread handles XM * XN elements", "each thread handles eight rows"}});
}

TEST_F(Work, AnyTileIsFoundAmongAllOthers) {
  std::mt19937 random(7);
  int differ = 0, hold = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const int tm = 1 << random() % 3, tn = 1 << random() % 3;
    const std::string text =
        with(with(with(patches, "TM 4", fmt::format("TM {}", tm)), "TN 2", fmt::format("TN {}", tn)), "i:32 j:64",
             fmt::format("i:{} j:{}", 8 * tm, 32 * tn));
    const std::string kernel = with(text, "* 64 +", fmt::format("* {} +", 32 * tn));
    for (const int m : {1, 2, 4})
      for (const int n : {1, 2, 4}) {
        const std::string said =
            with(kernel, "#define TM", fmt::format("#define SAID_M {}\n#define SAID_N {}\n#define TM", m, n));
        const ClaimResult r = of_comment(said, "each thread computes a SAID_M x SAID_N tile of q");
        EXPECT_EQ(r.verdict, m == tm && n == tn ? Verdict::holds : Verdict::differs)
            << tm << " x " << tn << ", said " << m << " x " << n << ": " << answer(r);
        (m == tm && n == tn ? hold : differ) += 1;
      }
  }
  EXPECT_EQ(hold, 6);
  EXPECT_EQ(differ, 48);
}

// Where an array may be column-major, rows and columns may be exchanged.
TEST_F(Work, ASquareIsOneInBothOrders) {
  const std::string text =
      with(patches, "#define TM", "// q may be column-major\n#define SAID_M 2\n#define SAID_N 4\n#define TM");
  const std::string square = with(with(text, "TM 4", "TM 2"), "i:32 j:64", "i:16 j:64");
  EXPECT_EQ(of_comment(square, "each thread computes a TM x TN tile of q").verdict, Verdict::holds);
  EXPECT_EQ(of_comment(text, "each thread computes a TM x TN tile of q").verdict, Verdict::holds);
  EXPECT_EQ(of_comment(text, "each thread computes a SAID_M x SAID_N tile of q").verdict, Verdict::unchecked);
}

// A host function may have the name of a kernel; other kernels say nothing about that one.
TEST_F(Work, AKernelIsNotTheHostFunctionOfItsName) {
  const std::string text = R"(/*
[lanescope]
kernel = "RUN"
block = 32
[buffers]
p = "f32 i:256"
q = "f32 i:256 = zeros"
*/
void scale(int n) { (void)n; }
// COMMENT
__global__ void scale(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
__global__ void other(const float *p, float *q) {
  for (int i = 0; i < 8; ++i) q[8 * threadIdx.x + i] = p[8 * threadIdx.x + i];
}
)";
  const ClaimResult elsewhere = of_comment(with(text, "RUN", "other"), "each thread computes 8 elements");
  EXPECT_EQ(elsewhere.verdict, Verdict::unchecked) << answer(elsewhere);
  EXPECT_EQ(elsewhere.reason.code, source::Why::not_executed) << answer(elsewhere);
  EXPECT_EQ(of_comment(with(text, "RUN", "scale"), "each thread computes 8 elements").verdict, Verdict::differs);
  EXPECT_EQ(of_comment(with(text, "RUN", "scale"), "each thread computes 1 element").verdict, Verdict::holds);
}

TEST_F(Work, APieceOfATileMayBeElsewhere) {
  expect({R"(/*
[lanescope]
block = [8, 8]
[buffers]
p = "f32 i:16 j:16"
q = "f32 i:16 j:16 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      unsigned at = (threadIdx.y + 8 * r) * 16 + threadIdx.x + 8 * c;
      q[at] = p[at];
    }
}
)",
          {"each thread computes a 2x2 tile of q", "each thread handles 4 elements",
           "each block processes 16x16 elements"},
          {"each thread computes a 4x1 tile of q", "each thread handles 4 consecutive elements"},
          {}});
}

TEST_F(Work, RowsAndColumns) {
  expect({R"(/*
[lanescope]
block = [32, 4]
grid = [8]
[buffers]
p = "f32 i:32 j:64"
q = "f32 i:32 j:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  unsigned row = blockIdx.x * 4 + threadIdx.y;
  for (unsigned c = threadIdx.x; c < 64; c += 32) q[row * 64 + c] = p[row * 64 + c] * 2;
}
)",
          {"one warp per row", "each warp handles one row", "Each warp processes a single row of p.",
           "each block processes 4 rows", "each block handles four rows of q", "each thread handles 2 elements"},
          {"each warp processes one column", "each warp handles two rows", "each block processes one row",
           "one warp per column", "each block handles four columns of q", "each thread handles 2 consecutive elements"},
          {}});
  expect(
      {R"(/*
[lanescope]
block = [64]
[buffers]
p = "f32 i:32 j:64"
q = "f32 j:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  float sum = 0;
  for (int r = 0; r < 32; ++r) sum += p[r * 64 + threadIdx.x];
  q[threadIdx.x] = sum;
}
)",
       {"each thread handles one column", "each thread processes one column of p", "each thread computes one output"},
       {"each thread handles one row", "each thread processes two columns of p", "each thread computes two outputs"},
       {}});
}

/// In each pass a thread loads two elements, 32 apart.
const char* const passes = R"(/*
[lanescope]
block = [32]
grid = [2]
[buffers]
p = "f32 n:512"
q = "f32 n:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float tile[64];
  float sum = 0;
  for (int pass = 0; pass < 4; ++pass) {
    // COMMENT
    tile[threadIdx.x] = p[(blockIdx.x * 4 + pass) * 64 + threadIdx.x];
    tile[threadIdx.x + 32] = p[(blockIdx.x * 4 + pass) * 64 + threadIdx.x + 32];
    __syncthreads();
    sum += tile[threadIdx.x ^ 1] + tile[threadIdx.x + 32];
    __syncthreads();
  }
  q[blockIdx.x * 32 + threadIdx.x] = sum;
}
)";

TEST_F(Work, LoadsCountFromBarrierToBarrier) {
  expect({passes,
          {"each thread loads 2 elements of p", "each thread loads two elements from global to shared memory",
           "each warp loads 64 consecutive elements", "each block loads 64 elements of p"},
          {"each thread loads 1 element of p", "each thread loads four elements from global to shared memory",
           "each thread loads 2 consecutive elements", "each warp loads 32 elements",
           "each block loads 256 elements of p"},
          {}});
  // Without barriers one time is not distinguished from the next.
  const std::string plain = with(passes, "    __syncthreads();\n", "");
  expect({plain.c_str(), {}, {}, {"each thread loads 2 elements of p", "each thread loads 1 element of p"}});
}

TEST_F(Work, ABlockThatWasLeftMidwayDoesNotCount) {
  const auto judged = [&](const std::string& text, const std::string& comment) {
    const auto run = probe(with(text, "COMMENT", comment));
    EXPECT_TRUE(run && run->source.claims.size() == 1);
    run->collector->stopped_before({}, "line 9");
    return run->collector->judge().back();
  };
  const ClaimResult several = judged(passes, "each thread loads 2 elements of p");
  EXPECT_EQ(several.verdict, Verdict::holds) << answer(several);
  EXPECT_NE(several.reason.words().find("in what ended before line 9"), std::string::npos) << several.reason.words();
  EXPECT_EQ(several.instances, 32U);  // of the first block
  const ClaimResult one = judged(with(passes, "grid = [2]", "grid = [1]"), "each thread loads 2 elements of p");
  EXPECT_EQ(one.verdict, Verdict::unchecked) << answer(one);
  EXPECT_EQ(judged(passes, "each thread loads 4 elements of p").verdict, Verdict::differs);
}

TEST_F(Work, VectorsAreNotElements) {
  expect({R"(/*
[lanescope]
block = [32]
grid = [2]
[buffers]
p = "f32 n:256"
q = "f32 n:256 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  float4 v = reinterpret_cast<const float4 *>(p)[blockIdx.x * 32 + threadIdx.x];

  reinterpret_cast<float4 *>(q)[blockIdx.x * 32 + threadIdx.x] = v;
}
)",
          {"each thread loads one float4", "each thread handles 4 consecutive elements", "each thread loads 16 bytes"},
          {"each thread loads two float4", "each thread handles 8 elements", "each thread loads 8 bytes"},
          {"each thread loads one element"}});
}

TEST_F(Work, WhatIsAssumedProvesNothingButMoreInOneStatement) {
  const std::string text = R"(// COMMENT
__global__ void k(const float *p, float *q, int n) {
  unsigned i = threadIdx.x;
  if (i < n) q[i] = p[2 * i] + p[2 * i + 1];
}
)";
  const auto verdict = [&](const std::string& comment) {
    const auto read = source::read("k.cu", with(text, "COMMENT", comment));
    EXPECT_TRUE(read) << comment;
    return read && read->claims.size() == 1 ? std::get<source::WorkShare>(read->claims[0].about).sizes_assumed : "none";
  };
  EXPECT_NE(verdict("each thread computes one element of q"), "");
}

// --- registers with names of their own, names of outputs -------------------------------------------------------------

/// Lane l has elements (l/4, 2*(l%4)), the one after it, and both eight rows further on.
const char* const fragment = R"(/*
[lanescope]
block = [32]
[buffers]
p = "f32 row:16 col:8"
q = "f32 row:16 col:8 = zeros"
*/
__global__ void k(const float *p, float *q) {
  unsigned lane = threadIdx.x, row = lane / 4, col = lane % 4 * 2;
  float c0 = p[row * 8 + col], c1 = p[row * 8 + col + 1], c2 = p[(row + 8) * 8 + col], c3 = p[(row + 8) * 8 + col + 1];
  // COMMENT
  q[row * 8 + col] = c0;
  q[row * 8 + col + 1] = c1;
  q[(row + 8) * 8 + col] = c2;
  q[(row + 8) * 8 + col + 1] = c3;
}
)";

TEST_F(Work, RegistersWithNamesOfTheirOwn) {
  const std::string where = "\n  //   where row0 = (lane_id/4)%8, row1 = row0+8, col0 = (lane_id%4)*2, col1 = col0+1";
  const std::vector<std::string> elements = {"row0,col0", "row0,col1", "row1,col0", "row1,col1"};
  std::vector<int> order = {0, 1, 2, 3};
  int hold = 0, differ = 0;
  do {
    std::string list;
    for (std::size_t n = 0; n < 4; ++n)
      list += fmt::format("{}c{}=C[{}]", n == 0 ? "" : ", ", n, elements[static_cast<std::size_t>(order[n])]);
    const ClaimResult r = of_comment(fragment, list + where);
    const bool right = std::ranges::is_sorted(order);
    // Orders that are no sums of bits have no rows.
    const bool sums = (order[0] ^ order[1] ^ order[2] ^ order[3]) == 0;
    EXPECT_EQ(r.verdict, right ? Verdict::holds : sums ? Verdict::differs : Verdict::unchecked) << list << answer(r);
    (r.verdict == Verdict::holds ? hold : differ) += 1;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(hold, 1);
  EXPECT_EQ(differ, 23);
  expect({fragment,
          {"c0,c1: row = groupID, col = 2*tig + {0,1}; c2,c3: row = groupID + 8, col = 2*tig + {0,1}",
           "c0 -> (lane/4, 2*(lane%4)), c1 -> (lane/4, 2*(lane%4)+1), c2 -> (lane/4+8, 2*(lane%4)), c3 -> (lane/4+8, "
           "2*(lane%4)+1)"},
          {"c0,c1: row = groupID + 8, col = 2*tig + {0,1}; c2,c3: row = groupID, col = 2*tig + {0,1}",
           "c0,c1: row = groupID, col = 2*tig + {1,0}; c2,c3: row = groupID + 8, col = 2*tig + {1,0}",
           "c0,c1: row = tig, col = 2*groupID + {0,1}; c2,c3: row = tig + 8, col = 2*groupID + {0,1}"},
          {}});
}

TEST_F(Work, OutputsHaveTheNameThatACommentGives) {
  const std::string text = R"(/*
[lanescope]
block = [32]
[buffers]
w = "f32 f:32 t:4"
q = "f32 f:32 = zeros"
*/
__global__ void k(const float *w, float *q) {
  unsigned lane = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < 4; ++t) acc += w[lane * 4 + t];
  // NAMING
  //
  // y has register assignment
  //   thread: BITS
  q[lane] = acc;
}
)";
  const auto verdict = [&](const std::string& naming, const std::string& bits) {
    const auto run = probe(with(with(text, "NAMING", naming), "BITS", bits));
    if (!run || run->source.claims.size() != 1) return std::string("not read");
    return verdict_words(run->collector->judge().back());
  };
  for (const char* naming :
       {"From here call it y[f].", "Call acc y[f] from here.", "call the result y", "y[f] = sum over t of w[f,t]"}) {
    EXPECT_EQ(verdict(naming, "f4 f3 f2 f1 f0"), "holds up to sums") << naming;
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < a; ++b) {
        std::vector<std::string> bits = {"f4", "f3", "f2", "f1", "f0"};
        std::swap(bits[static_cast<std::size_t>(a)], bits[static_cast<std::size_t>(b)]);
        EXPECT_EQ(verdict(naming, fmt::format("{} {} {} {} {}", bits[0], bits[1], bits[2], bits[3], bits[4])),
                  "differs")
            << naming;
      }
  }
  // Another variable is not meant.
  EXPECT_EQ(verdict("Call lane y[f] from here.", "f4 f3 f2 f1 f0"), "unchecked");
}

TEST(WorkWords, SentencesThatSaySomethingElseAreNotRead) {
  for (const char* comment : {"if each thread handles 4 elements",
                              "each thread could handle 4 elements",
                              "each thread handles up to 4 elements per pass",
                              "each thread handles at most 4 elements",
                              "for each thread 4 elements",
                              "only one thread writes one element",
                              "each thread handles 4 elements at a time",
                              "each thread handles several elements",
                              "previously each thread handled 4 elements",
                              "each thread no longer handles 4 elements",
                              "each thread handles 4 elements in each step",
                              "does each thread handle 4 elements?",
                              "each thread writes one element to shared memory",
                              "each thread holds 4 elements in registers",
                              "each thread handles one element of work per loop",
                              "each thread works on its own data",
                              "each warp leader writes one value",
                              "each thread handles one output dimension",
                              "thread 0 writes one element",
                              "each block processes multiple tiles",
                              "each thread reads different elements",
                              "each thread handles 4 elements instead of 8"}) {
    const auto read = source::read(
        "k.cu", fmt::format("__global__ void k(float *p) {{\n  // {}\n  p[threadIdx.x] = 1;\n}}\n", comment));
    ASSERT_TRUE(read) << comment;
    EXPECT_TRUE(read->claims.empty()) << comment;
  }
}

TEST(WorkWords, AStatedShapeSaysMore) {
  const auto read = source::read("k.cu",
                                 "// p[i,j], shape (4,64); each block processes a shape-(4,32) subarray.\n"
                                 "// Each thread processes one element.\n"
                                 "__global__ void k(float *p) {\n  p[threadIdx.x] = 1;\n}\n");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->claims.size(), 2U);
  for (const source::Claim& c : read->claims)
    EXPECT_TRUE(std::holds_alternative<source::ArrayPart>(c.about)) << c.sentence;
}

TEST(WorkWords, ManyWordsAreReadInBoundedTime) {
  std::string text = "__global__ void k(float *p) {\n";
  for (int n = 0; n < 20000; ++n)
    text += "  // each each thread thread ((((( of of one one per per x8x8x8 * * TMxTNxTM\n";
  text += "  p[threadIdx.x] = 1;\n}\n";
  const auto read = source::read("k.cu", text);
  ASSERT_TRUE(read);
}

}  // namespace
}  // namespace lanescope::claims
