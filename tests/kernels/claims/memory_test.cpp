// Claims about memory: which element lies at which address of an array, and which part of an array each block works on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Memory : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

ClaimResult last_result(const std::string& text, int* line = nullptr) {
  const auto run = probe(text);
  if (!run || run->source.claims.empty()) return {};
  if (line != nullptr) *line = run->source.claims.back().first_line;
  return run->collector->judge().back();
}

std::string words_of(const ClaimResult& r) {
  std::string out = verdict_words(r);
  for (const std::string& s : {r.reason.words(), r.difference, r.actual_words})
    if (!s.empty()) out += " | " + s;
  return out;
}

/// A tile of 32 x 8 floats, `store` and `array` as given; @ is the comment.
const char* const tile = R"(/*
[lanescope]
block = [32, 8]
grid = [2, 4]
[buffers]
p = "f32 i:32 j:64"
q = "f32 i:32 j:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[DECLARED];
  // BEFORE
  unsigned x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * 64 + blockIdx.x * 32 + x;
  E[STORE] = p[at];
  __syncthreads();
  // AFTER
  q[at] = E[STORE];
}
)";

std::string tile_with(const std::string& declared, const std::string& store, const std::string& before,
                      const std::string& after) {
  return replaced(replaced(replaced(replaced(tile, "DECLARED", declared), "STORE", store), "BEFORE", before), "AFTER",
                  after);
}

TEST_F(Memory, EveryFormHoldsAndEveryOtherOrderOrStrideIsFound) {
  const struct {
    const char *declared, *store;
    std::vector<std::string> right, wrong;
  } cases[] = {
      {"8][32",
       "y][x",
       {"shared: float E[8][32], (i, j)", "smem layout: [i][j]", "E layout: (i:8, j:32)", "layout of E: (8,32):(32,1)"},
       {"shared: float E[32][8], (i, j)", "shared: float E[32][8], (j, i)", "smem layout: [j][i]",
        "layout of E: (8,32):(1,8)", "E layout: (i:8, j:31)"}},
      {"8][33",
       "y][x",
       {"shared: float E[8][33], (i, j)", "E layout: [i][j]", "layout of E: (8,32):(33,1)"},
       {"shared: float E[8][32], (i, j)", "layout of E: (8,32):(32,1)", "layout of E: (8,32):(1,8)",
        "E layout: [j][i]"}},
      {"32][9",
       "x][y",
       {"E[j][i] transposed", "shared: float E[32][9], (j, i)", "smem layout: [j][i]"},
       {"E[i][j] transposed", "shared: float E[32][8], (j, i)", "smem layout: [i][j]"}},
      {"256",
       "(y * 32 + x) ^ (y * 32 + x) >> 5 & 7",
       {"E layout: Swizzle<3,0,5> o (8,32):(32,1)"},
       {"E layout: Swizzle<2,0,5> o (8,32):(32,1)", "E layout: Swizzle<3,0,4> o (8,32):(32,1)",
        "E layout: Swizzle<3,1,5> o (8,32):(32,1)", "layout of E: (8,32):(32,1)",
        "E layout: Swizzle<3,0,5> o (8,32):(1,8)"}},
  };
  int differ = 0, hold = 0;
  for (const auto& c : cases) {
    for (const std::string& comment : c.right) {
      const ClaimResult here = last_result(tile_with(c.declared, c.store, "", comment));
      EXPECT_EQ(verdict_words(here), "holds") << comment << ": " << words_of(here);
      const ClaimResult before = last_result(tile_with(c.declared, c.store, comment, ""));
      EXPECT_EQ(verdict_words(before), "holds after line 13") << comment << ": " << words_of(before);
      EXPECT_EQ(here.instances, 8U) << comment;
      EXPECT_EQ(here.places, 2048U) << comment;
      hold += 2;
    }
    for (const std::string& comment : c.wrong) {
      const ClaimResult r = last_result(tile_with(c.declared, c.store, "", comment));
      EXPECT_EQ(r.verdict, Verdict::differs) << comment << ": " << words_of(r);
      EXPECT_FALSE(r.difference.empty()) << comment;
      ++differ;
    }
  }
  RecordProperty("hold", hold);
  RecordProperty("differ", differ);
}

TEST_F(Memory, TheTrueLayoutIsSaid) {
  const auto difference = [](const char* declared, const char* store, const char* comment) {
    const ClaimResult r = last_result(tile_with(declared, store, "", comment));
    return r.difference + " | " + r.actual_words;
  };
  EXPECT_EQ(difference("8][33", "y][x", "shared: float E[8][32], (i, j)"),
            "the stride of i is 33 elements, not 32 | (i, j), strides (33, 1)");
  EXPECT_EQ(difference("32][9", "x][y", "smem layout: [i][j]"),
            "the order of the axes is (j, i), slowest first | (j, i), strides (9, 1)");
  const std::string swizzled = difference("8][32", "y][x ^ y", "smem layout: [i][j]");
  EXPECT_NE(swizzled.find("no order of axes with constant strides"), std::string::npos) << swizzled;
  EXPECT_NE(swizzled.find("element 32 of `E` holds p(i, j) = (1, 1); by the comment (1, 0)"), std::string::npos)
      << swizzled;
}

// A comment speaks of the last writes before it; one above all writes of the first that make it true.
TEST_F(Memory, Moments) {
  const std::string text = R"(/*
[lanescope]
block = [32, 32]
[buffers]
p = "f32 i:32 j:32"
q = "f32 i:32 j:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[32][32];
  // 1
  unsigned x = threadIdx.x, y = threadIdx.y;
  E[y][x] = p[32 * y + x];
  __syncthreads();
  // 2
  float v = E[y][x];
  __syncthreads();
  E[x][y] = v;
  __syncthreads();
  // 3
  q[32 * y + x] = E[y][x];
}
)";
  const auto at = [&](const char* where, const char* comment) {
    return verdict_words(last_result(replaced(text, fmt::format("// {}", where), fmt::format("// {}", comment))));
  };
  EXPECT_EQ(at("1", "smem layout: [i][j]"), "holds after line 12");
  EXPECT_EQ(at("1", "smem layout: [j][i]"), "holds after line 17");
  EXPECT_EQ(at("2", "smem layout: [i][j]"), "holds");
  EXPECT_EQ(at("3", "smem layout: [i][j]"), "differs");
  EXPECT_EQ(at("3", "smem layout: [j][i]"), "holds");
  const ClaimResult later = last_result(replaced(text, "// 2", "// smem layout: [j][i]"));
  EXPECT_EQ(later.verdict, Verdict::differs);
  EXPECT_EQ(later.after_line, 17);
}

TEST_F(Memory, PiecesOfDynamicSharedMemoryStagesAndNarrowElements) {
  const std::string text = R"(/*
[lanescope]
kernel = "k"
block = 64
shared = 4096
[buffers]
p = "f16 i:16 j:64"
q = "f16 i:16 j:64 = zeros"
*/
#include <cuda_fp16.h>
__global__ void k(const half *p, half *q) {
  extern __shared__ char smem[];
  half *A = reinterpret_cast<half *>(smem);
  half *B = (half *)(smem + 512) + 256;
  for (int i = 0; i < 4; ++i) A[i * 64 + threadIdx.x] = p[i * 64 + threadIdx.x];
  for (int i = 0; i < 4; ++i) B[i * 72 + threadIdx.x] = p[i * 64 + 256 + threadIdx.x];
  __syncthreads();
  // COMMENT
  for (int i = 0; i < 4; ++i) q[i * 64 + threadIdx.x] = A[i * 64 + threadIdx.x] + B[i * 72 + threadIdx.x];
}
)";
  const std::pair<const char*, const char*> cases[] = {
      {"A layout: (i:4, j:64)", "holds"},
      {"A layout: (j:64, i:4)", "differs"},
      {"layout of B: (4,64):(72,1)", "holds"},
      {"layout of B: (4,64):(64,1)", "differs"},
  };
  for (const auto& [comment, verdict] : cases) {
    const ClaimResult r = last_result(replaced(text, "COMMENT", comment));
    EXPECT_EQ(verdict_words(r), verdict) << comment << ": " << words_of(r);
  }
  const ClaimResult stages = last_result(R"(/*
[lanescope]
block = [32, 8]
[buffers]
p = "f32 t:2 i:8 j:32"
q = "f32 t:2 i:8 j:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[2][8][32]; // [i][j]
  for (int t = 0; t < 2; ++t) E[t][threadIdx.y][threadIdx.x] = p[t * 256 + threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int t = 0; t < 2; ++t) q[t * 256 + threadIdx.y * 32 + threadIdx.x] = E[t][threadIdx.y][threadIdx.x];
}
)");
  EXPECT_EQ(stages.verdict, Verdict::holds) << words_of(stages);
}

// Rows and columns of a comment are the two axes of the buffer, under any names.
TEST_F(Memory, InWordsBesideTheDeclaration) {
  const std::string text = R"(/*
[lanescope]
block = [32, 8]
[buffers]
p = "f32 m:8 k:32"
q = "f32 m:8 k:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[DECLARED]; // COMMENT
  E[STORE] = p[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  q[32 * threadIdx.y + threadIdx.x] = E[STORE];
}
)";
  const auto verdict = [&](const char* declared, const char* store, const char* comment) {
    const ClaimResult r =
        last_result(replaced(replaced(replaced(text, "DECLARED", declared), "STORE", store), "COMMENT", comment));
    return verdict_words(r) + (r.verdict == Verdict::differs ? ": " + r.difference : r.reason.words());
  };
  EXPECT_EQ(verdict("32][9", "threadIdx.x][threadIdx.y", "transposed"), "holds after line 10");
  EXPECT_EQ(verdict("8][33", "threadIdx.y][threadIdx.x", "row-major"), "holds after line 10");
  EXPECT_EQ(verdict("8][33", "threadIdx.y][threadIdx.x", "transposed"),
            "differs: the order of the axes is (row, col), slowest first");
  EXPECT_EQ(verdict("32][9", "threadIdx.x][threadIdx.y", "row-major"),
            "differs: the order of the axes is (col, row), slowest first");
}

// Another kernel of the file has an array of the same name, and a comment that would be false here.
TEST_F(Memory, ArraysOfKernelsThatDoNotRunAreNotMeant) {
  const std::string text = R"(/*
[lanescope]
kernel = "k"
block = [32, 8]
[buffers]
p = "f32 i:8 j:32"
q = "f32 i:8 j:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[8][32];
  E[threadIdx.y][threadIdx.x] = p[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  // smem layout: [i][j]
  q[32 * threadIdx.y + threadIdx.x] = E[threadIdx.y][threadIdx.x];
}
__global__ void other(const float *p, float *q) {
  __shared__ float E[32][8];
  E[threadIdx.x][threadIdx.y] = p[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  // E layout: [j][i]
  q[32 * threadIdx.y + threadIdx.x] = E[threadIdx.x][threadIdx.y];
}
)";
  const auto run = probe(text);
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(verdict_words(results[0]), "holds") << words_of(results[0]);
  EXPECT_EQ(results[1].verdict, Verdict::unchecked);
  EXPECT_EQ(results[1].reason.words(), "not reached: no thread executed this line");
}

TEST_F(Memory, OfGlobalPointers) {
  const std::string text = R"(/*
[lanescope]
block = [32, 32]
[buffers]
p = "f32 i:32 j:32"
q = "f32 r:32 c:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  q[32 * threadIdx.x + threadIdx.y] = p[32 * threadIdx.y + threadIdx.x];
}
)";
  const std::pair<const char*, const char*> cases[] = {{"q layout: (j, i)", "holds after line 0"},
                                                       {"q layout: (i, j)", "differs"},
                                                       {"p layout: (i, j)", "holds after line 0"},
                                                       {"p layout: (j, i)", "differs"},
                                                       {"global: float q[32][32], (j, i)", "holds after line 0"},
                                                       {"global: float q[32][16], (j, i)", "differs"}};
  for (const auto& [comment, verdict] : cases) {
    const ClaimResult r = last_result(replaced(text, "COMMENT", comment));
    EXPECT_EQ(std::string(to_string(r.verdict)), std::string(verdict).substr(0, std::string(verdict).find(' ')))
        << comment << ": " << words_of(r);
  }
}

TEST_F(Memory, WhereNothingSaysTheAxesStepsAreTakenFromWhatIsSeen) {
  const std::string text = R"(/*
[lanescope]
block = [32, 8]
*/
__global__ void k(const float *p, float *q) {
  __shared__ float E[8][33];
  E[threadIdx.y][threadIdx.x] = p[100 * threadIdx.y + threadIdx.x];
  __syncthreads();
  // COMMENT
  q[32 * threadIdx.y + threadIdx.x] = E[threadIdx.y][threadIdx.x];
}
)";
  const ClaimResult right = last_result(replaced(text, "COMMENT", "smem layout: [row][col]"));
  EXPECT_EQ(right.verdict, Verdict::holds) << words_of(right);
  EXPECT_EQ(right.reason.words(), "row steps 100 elements and col steps 1 element of p");
  for (const char* comment : {"smem layout: [col][row]", "smem layout: [k][m]", "layout of E: (8,32):(32,1)"}) {
    const ClaimResult r = last_result(replaced(text, "COMMENT", comment));
    EXPECT_EQ(r.verdict, Verdict::unchecked) << comment << ": " << words_of(r);
    EXPECT_NE(r.reason.words().find("nothing states the axes of p"), std::string::npos) << r.reason.words();
  }
}

// --- parts of arrays ---

const char* const parts = R"(/*
[lanescope]
block = [32, 4]
grid = [4, 2]
[buffers]
p = "f32 i:8 j:4 k:64"
q = "f32 i:8 j:4 k:64 = zeros"
*/
// p[i,j,k], shape (8,4,64); COMMENT
__global__ __launch_bounds__(128) void k(const float *p, float *q) {
  unsigned s = blockIdx.x * 64 + blockIdx.y * 32 + threadIdx.x + threadIdx.y * 512;
  q[s] = p[s];
  q[s + 256] = p[s + 256];
}
)";

TEST_F(Memory, SubarraysOfBlocksWarpsAndThreads) {
  const std::pair<const char*, const char*> cases[] = {
      {"each block processes a shape-(8,1,32) subarray.", "holds"},
      {"each block processes a shape-(8,4/gridDim.x,64/gridDim.y) subarray.", "holds"},
      {"each block processes a shape-(2*blockDim.y,1,blockDim.x) subarray.", "holds"},
      {"each warp processes a shape-(2,1,32) subarray.", "holds"},
      {"each thread processes a shape-(2,1,1) subarray.", "holds"},
      {"each block processes a shape-(8,1,16) subarray.", "differs"},
      {"each block processes a shape-(4,1,32) subarray.", "differs"},
      {"each block processes a shape-(8,2,16) subarray.", "differs"},
      {"each block processes a shape-(8,1,64) subarray.", "differs"},
      {"each warp processes a shape-(1,1,32) subarray.", "differs"},
      {"each warp processes a shape-(2,1,31) subarray.", "differs"},
      {"each warp processes a shape-(1,2,32) subarray.", "differs"},
      {"each thread processes a shape-(1,1,1) subarray.", "differs"},
      {"each thread processes a shape-(1,2,1) subarray.", "differs"},
      {"each block processes a shape-(8,1,M) subarray.", "unchecked"},
  };
  for (const auto& [comment, verdict] : cases) {
    int line = 0;
    const ClaimResult r = last_result(replaced(parts, "COMMENT", comment), &line);
    EXPECT_EQ(to_string(r.verdict), verdict) << comment << ": " << words_of(r);
    EXPECT_EQ(line, 9) << comment;
  }
  const ClaimResult r = last_result(replaced(parts, "COMMENT", "each warp processes a shape-(1,1,32) subarray."));
  EXPECT_EQ(r.difference, "warp 0 of block 0 accesses the elements (0..1, 0..0, 0..31) of `p`, more than (1,1,32)");
  ASSERT_TRUE(r.first_failure);
}

// The size is that of something else.
TEST_F(Memory, SentencesAboutOtherThingsAreNoSubarrays) {
  for (const char* comment : {"each thread handles a position x one feature (a single element of the gradient matrix).",
                              "each block processes Q_tile with shape (1,1,8) and all of the keys."}) {
    const auto read = source::read("k.cu", replaced(parts, "COMMENT", comment));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->claims.empty()) << comment;
  }
}

TEST_F(Memory, SubarraysInNamesOfConstantsAndTemplateArguments) {
  std::string text = replaced(parts, "block = [32, 4]", "kernel = \"k<32>\"\nblock = [32, 4]");
  text = replaced(text, "__global__", "constexpr int ROWS = 4 * 2;\ntemplate <int W> __global__");
  const std::pair<const char*, const char*> cases[] = {
      {"each block processes a shape-(ROWS,1,W) subarray.", "holds"},
      {"each warp processes a shape-(ROWS/4,1,W) subarray.", "holds"},
      {"each block processes a shape-(ROWS/2,1,W) subarray.", "differs"},
      {"each block processes a shape-(ROWS,1,2*W) subarray.", "differs"}};
  for (const auto& [comment, verdict] : cases) {
    const ClaimResult r = last_result(replaced(text, "COMMENT", comment));
    EXPECT_EQ(to_string(r.verdict), verdict) << comment << ": " << words_of(r);
  }
}

// Reads and writes of a block count alike.
TEST_F(Memory, SubarraysAreOfReadsAndWrites) {
  const std::string text = R"(/*
[lanescope]
block = 32
grid = 4
[buffers]
p = "f32 i:4 j:64"
*/
// p[i,j], shape (4,64); each block processes a shape-(1,32) subarray.
__global__ void k(float *p) {
  p[blockIdx.x * 64 + threadIdx.x WRITE] = p[blockIdx.x * 64 + threadIdx.x READ] + 1;
}
)";
  const auto verdict = [&](const char* read, const char* write) {
    return to_string(last_result(replaced(replaced(text, "READ", read), "WRITE", write)).verdict);
  };
  EXPECT_EQ(verdict("", ""), "holds");
  EXPECT_EQ(verdict("+ 32", ""), "differs");
  EXPECT_EQ(verdict("", "+ 32"), "differs");
}

/// p has rows of 64, of which 8 x 32 elements lie transposed in E.
const char* const stored_transposed = R"(/*
[lanescope]
block = [32, 8]
[buffers]
p = "f32 row:8 col:32"
q = "f32 row:8 col:32 = zeros"
*/
#define R 8
#define C 32
__global__ void k(const float *p, float *q) {
  __shared__ float DECLARED;  // BESIDE
  unsigned x = threadIdx.x, y = threadIdx.y;
  // ABOVE
  STORE = p[y * C + x];  // AFTER
  __syncthreads();
  q[y * C + x] = STORE;
}
)";

TEST_F(Memory, TransposedInPlainWords) {
  struct Case {
    const char *declared, *store, *at, *comment, *verdict;
  };
  const Case cases[] = {
      {"E[C * R]", "E[x * R + y]", "BESIDE", "transposed", "holds after line 14"},
      {"E[C * R]", "E[x * R + y]", "BESIDE", "row-major", "differs"},
      {"E[R * C]", "E[y * C + x]", "BESIDE", "transposed", "differs"},
      {"E[R * C]", "E[y * C + x]", "BESIDE", "row-major", "holds after line 14"},
      {"E[C * (R + 1)]", "E[x * (R + 1) + y]", "BESIDE", "transposed", "holds after line 14"},
      {"E[C][R]", "E[x][y]", "ABOVE", "E is stored transposed", "holds after line 14"},
      {"E[R][C]", "E[y][x]", "ABOVE", "E is stored transposed", "differs"},
      {"p_tile[C][R]", "p_tile[x][y]", "ABOVE", "p is transposed while being stored in shared memory",
       "holds after line 14"},
      {"p_tile[R][C]", "p_tile[y][x]", "ABOVE", "p is transposed while being stored in shared memory", "differs"},
      {"E[C][R]", "E[x][y]", "ABOVE", "Write to shared memory (p transposed: E[col][row])", "holds after line 14"},
      {"E[R][C]", "E[y][x]", "ABOVE", "Write to shared memory (p transposed: E[col][row])", "differs"},
      {"E[C][R]", "E[x][y]", "AFTER", "transpose p", "holds"},
      {"E[R][C]", "E[y][x]", "AFTER", "transpose p", "differs"},
  };
  for (const Case& c : cases) {
    std::string text = replaced(replaced(stored_transposed, "DECLARED", c.declared), "STORE", c.store);
    text = replaced(text, c.at, c.comment);
    const ClaimResult r = last_result(text);
    EXPECT_EQ(verdict_words(r), c.verdict) << c.declared << ", " << c.comment << ": " << words_of(r);
  }
  for (const char* comment :
       {"E is not transposed", "E is transposed back", "q is transposed without E", "transposed or not"}) {
    const auto read = source::read(
        "k.cu",
        replaced(replaced(replaced(stored_transposed, "DECLARED", "E[C][R]"), "STORE", "E[x][y]"), "ABOVE", comment));
    ASSERT_TRUE(read) << comment;
    EXPECT_TRUE(read->claims.empty()) << comment;
  }
}

TEST_F(Memory, AxesOfAProductSayWhichAreTheRows) {
  const std::string text = R"(/*
[lanescope]
block = [32, 8]
*/
__global__ void k(const float *p, float *q) {
  __shared__ float As[32][8];  // AXES
  As[threadIdx.x][threadIdx.y] = p[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  q[threadIdx.y * 32 + threadIdx.x] = As[threadIdx.x][threadIdx.y];
}
)";
  EXPECT_EQ(last_result(replaced(text, "AXES", "[k][m]")).verdict, Verdict::holds);
  EXPECT_EQ(last_result(replaced(text, "AXES", "[m][k]")).verdict, Verdict::unchecked);
  EXPECT_EQ(last_result(replaced(text, "AXES", "[n][k]")).verdict, Verdict::holds);
}

}  // namespace
}  // namespace lanescope::claims
