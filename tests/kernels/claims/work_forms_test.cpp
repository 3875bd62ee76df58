// Shares of work in other words: extents beside parameters, numbers per owner, tables of tiles, Chinese, host code.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kernels/claims/comment_cases.h"

namespace lanescope::claims {
namespace {

using WorkForms = CommentTest;

TEST_F(WorkForms, TablesOfTiles) {
  expect({patches,
          {"thread tile: m4n2k1", "warp tile: m16n16k8", "thread block tile: m32n16k8", "block tile: m32n16k8"},
          {"thread tile: m2n4k1", "thread tile: m4n4k1", "warp tile: m16n8k8", "thread block tile: m16n32k8",
           "thread block tile: m32n32k8"},
          {}});
}

TEST_F(WorkForms, NumbersPerOwnerConfirmAndNeverRefute) {
  expect({patches,
          {"8 elements per thread", "process TM * TN elements per thread", "256 elements per warp",
           "512 elements per block"},
          {},
          {"4 elements per thread", "process TM * TM elements per thread", "128 elements per warp",
           "process 2 elements per thread"}});
}

TEST_F(WorkForms, PairsOfExtentsAndBareVerbs) {
  expect({patches,
          // The names say which are the rows.
          {"each thread will calculate (TN, TM) thread-tile of output (32, 16) block-tile",
           "each thread will calculate (TM, TN) thread-tile of output (32, 16) block-tile",
           "each thread handle 8 elements", "1 thread is responsible for computing 8 elements of q"},
          {"each thread will calculate (TM, TM) thread-tile of output (32, 16) block-tile",
           "each thread handle 4 elements", "1 thread is responsible for computing 4 elements of q"},
          {}});
}

TEST_F(WorkForms, Chinese) {
  expect({patches,
          {"每个线程负责8个元素", "每个线程计算8个数据，一共64个线程", "每个block处理32*16的矩阵块",
           "每个warp处理16x16的子矩阵", "每个block负责出q中大小为32*16的块", "每线程写8"},
          {"每个线程负责4个元素", "每个线程计算16个数据，一共64个线程", "每个block处理32*32的矩阵块",
           "每个warp处理16x8的子矩阵", "每个block负责出q中大小为16*16的块", "每线程写4"},
          {}});
}

/// As `patches`, with parameters of a template whose comments say what they are.
std::string with_parameters(const std::string& rows, const std::string& columns, const std::string& before = "") {
  return fmt::format(R"(/*
[lanescope]
kernel = "k<4, 2>"
block = [8, 8]
grid = [4, 1]
[buffers]
p = "f32 i:32 j:64"
q = "f32 i:32 j:64 = zeros"
*/
{}
template <
    const int TM,{}
    const int TN{}
    >
__global__ void k(const float *p, float *q) {{
  unsigned row = threadIdx.y * TM, col = (blockIdx.x * 8 + threadIdx.x) * TN;
  for (int r = 0; r < TM; ++r)
    for (int c = 0; c < TN; ++c) q[(row + r) * 64 + col + c] = p[(row + r) * 64 + col + c] + 1;
}}
)",
                     before, rows, columns);
}

std::vector<std::string> verdicts(const std::string& text) {
  const auto run = probe(text);
  std::vector<std::string> out;
  if (run)
    for (const ClaimResult& r : run->collector->judge()) out.push_back(answer(r).substr(0, answer(r).find(' ')));
  return out;
}

TEST_F(WorkForms, ExtentsBesideTemplateParameters) {
  using V = std::vector<std::string>;
  const std::string height = "  // height of block of q that each thread calculate";
  const std::string width = "  // width of block of q that each thread calculate";
  EXPECT_EQ(verdicts(with_parameters(height, width)), (V{"holds", "holds"}));
  EXPECT_EQ(verdicts(with_parameters(width, height)), (V{"differs", "differs"}));
  EXPECT_EQ(verdicts(with_parameters(height, "  // width of block of q that each thread block calculate")),
            (V{"holds", "differs"}));
  // Loads of a block may be made in several steps.
  EXPECT_EQ(verdicts(with_parameters("  // height of block of p that each thread block loads", "")), (V{"unchecked"}));
  const std::string doc =
      "/*\n * @tparam TM M dim of continuous tile computed by each thread\n * @tparam TN {} dim of "
      "continuous tile computed by each thread\n */";
  EXPECT_EQ(verdicts(with_parameters("", "", fmt::format(fmt::runtime(doc), "N"))), (V{"holds", "holds"}));
  EXPECT_EQ(verdicts(with_parameters("", "", fmt::format(fmt::runtime(doc), "M"))), (V{"holds", "differs"}));
  EXPECT_EQ(verdicts(with_parameters("", "",
                                     "// @tparam TM The per-thread tile size for M dimension.\n"
                                     "// @tparam TN The per-thread tile size for M dimension.")),
            (V{"holds", "unchecked"}));
}

/// A warp has a row of 64 elements; each thread loads two of them.
const char* const rows = R"(/*
[lanescope]
block = [64]
grid = [4]
[buffers]
p = "f32 row:8 col:64"
q = "f32 row:8 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  unsigned row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int col = lane; col < 64; col += 32) sum += p[row * 64 + col];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) q[row] = sum;
}
)";

TEST_F(WorkForms, RowsOfAnOwner) {
  expect({rows,
          {"one warp one row", "simply one warp per row", "each warp handle 1 row", "each block doing two rows",
           "each warp calculates the sum of 64 elements", "each block calculates sum for 128 elements of input",
           "2 rows per block"},
          {"each warp handle 2 rows", "one warp one column", "each warp calculates the sum of 32 elements",
           "each block calculates sum for 64 elements of input"},
          {"one block one row", "one thread one row", "simply one block per row", "each block doing one row",
           "1 row per block", "2 rows per warp"}});
}

TEST_F(WorkForms, HostCodeSpeaksOfTheKernelThatItLaunches) {
  const char* const host = R"(#include <cstdio>
template <int TILE>
__global__ void k(const float *p, float *q) {
  for (int i = 0; i < TILE; ++i) q[(blockIdx.x * 32 + threadIdx.x) * TILE + i] = p[threadIdx.x];
}
void other() {
  constexpr int WORK = 2;
  printf("%d", WORK);
}
int main() {
  float *p, *q;
  cudaMalloc(&p, 4096);
  cudaMalloc(&q, 4096);
  // COMMENT
  constexpr int WORK = 4;
  k<WORK><<<2, 32>>>(p, q);
}
)";
  expect({host,
          {"Each thread computes WORK values of q.", "Each block computes 128 elements of q."},
          {"Each thread computes 2 values of q.", "Each block computes 64 elements of q."},
          {}});
}

TEST_F(WorkForms, StoresOutsideOfLoopsBoundWhatAThreadWrites) {
  const std::string text = R"(/*
[lanescope]
block = [64]
[buffers]
p = "f32 n:256"
q = "f32 n:512 = zeros"
*/
// COMMENT
__global__ void k(const float *p, float *q) {
  unsigned i = threadIdx.x;
  STORES
}
)";
  // As if the sizes of the launch were not given.
  const auto assumed = [](const std::string& with_stores, const std::string& comment) {
    const auto run = probe(with(with_stores, "COMMENT", comment), [](source::Source& source) {
      for (source::Claim& c : source.claims) std::get<source::WorkShare>(c.about).sizes_assumed = "Grid: one block.";
    });
    EXPECT_TRUE(run && run->source.claims.size() == 1) << comment;
    return run ? run->collector->judge().back() : ClaimResult{};
  };
  const std::string straight = with(text, "STORES", "q[2 * i] = p[i], q[2 * i + 1] = p[i];");
  const std::string looping =
      with(text, "STORES", "\n#pragma unroll 1\n  for (; i < 256; i += 64) q[2 * i] = p[i], q[2 * i + 1] = p[i];");
  for (const char* more : {"each thread writes 16 elements of q", "each thread computes a 4x4 tile of q"}) {
    EXPECT_EQ(assumed(looping, more).verdict, Verdict::unchecked) << more;
    const ClaimResult r = assumed(straight, more);
    EXPECT_EQ(r.verdict, Verdict::differs) << more << ": " << answer(r);
  }
  EXPECT_EQ(assumed(straight, "each thread writes 2 elements of q").verdict, Verdict::holds);
  EXPECT_EQ(assumed(looping, "each thread writes 8 elements of q").verdict, Verdict::holds);
}

/// A thread computes 2 x 2 elements and writes 4 others that follow each other.
const char* const staged = R"(/*
[lanescope]
block = [8, 8]
[buffers]
p = "f32 i:16 j:16"
q = "f32 i:16 j:16 = zeros"
*/
__global__ void k(const float *p, float *q) {
  // COMMENT
  __shared__ float tile[16][16];
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      int row = threadIdx.y * 2 + r, col = threadIdx.x * 2 + c;
      tile[row][col] = 2 * p[row * 16 + col];
    }
  __syncthreads();
  int thread = threadIdx.y * 8 + threadIdx.x;
  for (int n = 0; n < 4; ++n) q[4 * thread + n] = tile[thread / 4][thread % 4 * 4 + n];
}
)";

TEST_F(WorkForms, WhoWritesNeedNotHaveComputed) {
  expect({staged,
          {"each thread writes 4 consecutive elements of q", "each block computes a 16x16 tile of q"},
          {"each thread writes a 2x2 tile of q", "each thread writes 2 elements of q",
           "each block computes an 8x8 tile of q"},
          {"each thread computes a 2x2 tile of q", "thread tile: m2n2k1", "each warp computes a 8x8 tile of q"}});
}

TEST(WorkFormWords, SentencesThatSaySomethingElseAreNotRead) {
  for (const char* comment : {"4 warps per block",
                              "1 element per thread and 2 per warp",
                              "up to 4 elements per thread",
                              "height of block of C",
                              "thread tile: m8n8",
                              "thread tile: 8x8x8",
                              "每个线程最多负责4个元素",
                              "只有一个线程写1个元素",
                              "每个线程负责计算",
                              "每行16个数据",
                              "some elements per thread",
                              "4 elements per thread if possible",
                              "each thread does one thing",
                              "one warp one instruction",
                              "we have each block doing work",
                              "threads per block",
                              "2 blocks per SM",
                              "16 bytes per thread",
                              "M dim of tile",
                              "the per-thread tile size",
                              "two 4x4 elements per thread"}) {
    const auto read = source::read(
        "k.cu", fmt::format("__global__ void k(float *p) {{\n  // {}\n  p[threadIdx.x] = 1;\n}}\n", comment));
    ASSERT_TRUE(read) << comment;
    EXPECT_TRUE(read->claims.empty()) << comment;
  }
}

// A constant of another function is not meant.
TEST(WorkFormWords, ConstantsAreThoseOfTheFunction) {
  const std::string text =
      "__global__ void a(float *p) {\n  constexpr int W = 2;\n  // each thread writes W elements\n"
      "  for (int i = 0; i < W; ++i) p[threadIdx.x * W + i] = 1;\n}\n"
      "__global__ void b(float *p) {\n  constexpr int W = 4;\n  // each thread writes W elements\n"
      "  for (int i = 0; i < W; ++i) p[threadIdx.x * W + i] = 1;\n}\n";
  const auto read = source::read("k.cu", text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->claims.size(), 2U);
  EXPECT_EQ(std::get<source::WorkShare>(read->claims[0].about).count, 2);
  EXPECT_EQ(std::get<source::WorkShare>(read->claims[1].about).count, 4);
}

}  // namespace
}  // namespace lanescope::claims
