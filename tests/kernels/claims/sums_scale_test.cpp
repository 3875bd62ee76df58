// Values of very many elements: the verdict comes within seconds, and what is kept stays small, because contracted axes are
// dropped before sets grow.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/probed.h"
#include "tests/work.h"

namespace lanescope::claims {
namespace {

/// Four transforms of 1,024 points: after each output are all 2,048 numbers of its input.
const char* const transform = R"(/*
[lanescope]
block = 512
grid = 4
[buffers]
p = "f32 b:4 c:2 t:1024"
q = "f32 b:4 c:2 f:1024 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float re[1024], im[1024];
  const float *x = p + blockIdx.x * 2048;
  for (int t = threadIdx.x; t < 1024; t += 512) {
    int r = __brev(t) >> 22;
    re[r] = x[t];
    im[r] = x[1024 + t];
  }
  __syncthreads();
  for (int s = 1; s < 1024; s *= 2) {
    int j = threadIdx.x & (s - 1), a = 2 * (threadIdx.x - j) + j, b = a + s;
    float c, d;
    sincosf(-3.14159265f * j / s, &d, &c);
    float u = re[b] * c - im[b] * d, v = re[b] * d + im[b] * c;
    float w = re[a], z = im[a];
    re[a] = w + u; im[a] = z + v;
    re[b] = w - u; im[b] = z - v;
    __syncthreads();
  }
  float y0 = re[threadIdx.x], y1 = re[threadIdx.x + 512];
  // y has register assignment:
  //   block: b1 b0
  q[blockIdx.x * 2048 + threadIdx.x] = y0;
  q[blockIdx.x * 2048 + threadIdx.x + 512] = y1;
}
)";

/// 64 x 64 x 64: after each accumulator are 64 elements of each factor.
const char* const product = R"(/*
[lanescope]
block = [16, 16]
[buffers]
a = "f32 i:64 k:64"
b = "f32 k:64 j:64"
c = "f32 i:64 j:64 = zeros"
*/
__global__ void mm(const float *a, const float *b, float *c) {
  __shared__ float As[64][17], Bs[16][64];
  float acc[16] = {};
  int tid = threadIdx.y * 16 + threadIdx.x;
  for (int k0 = 0; k0 < 64; k0 += 16) {
    for (int n = tid; n < 1024; n += 256) As[n / 16][n % 16] = a[n / 16 * 64 + k0 + n % 16];
    for (int n = tid; n < 1024; n += 256) Bs[n / 64][n % 64] = b[(k0 + n / 64) * 64 + n % 64];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int r = 0; r < 16; ++r) acc[r] += As[4 * threadIdx.y + r / 4][k] * Bs[k][4 * threadIdx.x + r % 4];
    __syncthreads();
  }
  // acc has register assignment:
  //   register: i1 i0 j1 j0
  //   thread: i2 j5 j4 j3 j2
  //   warp: i5 i4 i3
  for (int r = 0; r < 16; ++r) c[(4 * threadIdx.y + r / 4) * 64 + 4 * threadIdx.x + r % 4] = acc[r];
}
)";

struct ManyElements {
  const char *name, *text;
  std::uint64_t places;
};

TEST(SumsOfRealisticSize, HoldAndEveryExchangeIsFound) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const ManyElements cases[] = {{"transform", transform, 4096}, {"product", product, 4096}};
  for (const ManyElements& c : cases) {
    const Work work;
    std::size_t mutants = 0;
    const auto run = probe(c.text, [&](source::Source& s) {
      ASSERT_EQ(s.claims.size(), 1u);
      const source::Claim claim = s.claims.front();
      for (const catalogue::Swap& swap : catalogue::swaps(claim.stated)) {
        s.claims.push_back(claim);
        s.claims.back().stated = swap.stated;
        ++mutants;
      }
    });
    ASSERT_TRUE(run) << c.name;
    const auto results = run->collector->judge();
    const double loops = work.loops();
    ASSERT_EQ(results.size(), mutants + 1);
    EXPECT_EQ(verdict_words(results[0]), "holds up to sums")
        << c.name << results[0].reason.words() << results[0].difference;
    EXPECT_EQ(results[0].places, c.places) << c.name;
    for (std::size_t n = 1; n < results.size(); ++n) EXPECT_EQ(results[n].verdict, Verdict::differs) << c.name << n;
    EXPECT_LT(run->tags.bytes(), std::size_t{128} << 20) << c.name;
    EXPECT_LT(loops, 15'000) << c.name;
    std::cout << fmt::format("{}: {} exchanges found, {:.0f} loops, {:.1f} MiB of identities\n", c.name, mutants, loops,
                             static_cast<double>(run->tags.bytes()) / (1 << 20));
  }
}

}  // namespace
}  // namespace lanescope::claims
