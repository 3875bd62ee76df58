// Claims as practitioners write them: which variable, which moment, sums, axes that are no power of two. What is true
// holds, and of every such claim each exchange of two bits is found: it holds nowhere, neither here nor behind a line.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/base/read_file.h"
#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/probed.h"

namespace lanescope::claims {
namespace {

struct Form {
  const char* name;
  const char* variable;  ///< that is meant
  const char* verdict;   ///< in words
  const char* text;
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

constexpr const char* four_registers = R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u32 r:4 i:32"
q = "u32 r:4 i:32 = zeros"
*/
)";

const std::vector<Form> forms = {
    {"WrittenLast", "samples", "holds", R"(/*
[lanescope]
block = 32
[buffers]
d = "u4 t:256"
q = "u32 i:32 = zeros"
*/
__global__ void k(const unsigned *d, unsigned *q) {
  unsigned samples = d[threadIdx.x];
  unsigned where = 31 - threadIdx.x;
  // Eight values a lane now, with the register assignment
  //   simd:   t2 t1 t0
  //   thread: t7 t6 t5 t4 t3
  unsigned mirrored = __shfl_sync(~0u, samples, where);
  q[threadIdx.x] = mirrored;
}
)"},
    {"FamilyWrittenLast", "u", "holds", R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 h:2 i:32"
q = "u32 h:2 i:32 = zeros"
*/
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned lane = threadIdx.x;
  unsigned u0 = p[lane], u1 = p[lane + 32];
  // The register assignment at this line:
  //   register: h0
  //   thread:   i4 i3 i2 i1 i0
  {
    unsigned given = lane & 8 ? u0 : u1;
    given = __shfl_xor_sync(~0u, given, 8);
    if (lane & 8) u0 = given; else u1 = given;
  }
  q[lane] = u0;
  q[lane + 32] = u1;
}
)"},
    {"Member", "v4", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u8 i:32 k:16"
q = "u8 i:32 k:16 = zeros"
*/
struct S {
  int unused = 0;
  uint4 v4;
  __device__ void go();
};
__device__ inline void S::go() {
  // this->v4 has register assignment:
  //   simd: k1 k0
  //   register: k3 k2
  //   thread: i4 i3 i2 i1 i0
  this->v4.x = v4.x;
}
__global__ void k(const uint4 *p, uint4 *q) {
  S s;
  s.v4 = p[threadIdx.x];
  s.go();
  q[threadIdx.x] = s.v4;
}
)"},
    {"MemberOfALocal", "s.v4", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u8 i:32 k:16"
q = "u8 i:32 k:16 = zeros"
*/
struct S { unsigned n; uint4 v4; };
__global__ void k(const uint4 *p, uint4 *q) {
  S s;
  s.n = 3;
  s.v4 = p[threadIdx.x];
  // s.v4 has register assignment:
  //   simd: k1 k0
  //   register: k3 k2
  //   thread: i4 i3 i2 i1 i0
  s.n += 1;
  q[threadIdx.x] = s.v4;
}
)"},
    {"ElementOfAnArray", "v[1]", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u32 h:2 i:32 k:4"
q = "u32 i:32 k:4 = zeros"
*/
__global__ void k(const uint4 *p, uint4 *q) {
  uint4 v[2];
  v[0] = p[threadIdx.x];
  v[1] = p[threadIdx.x + 32];
  // v[1] has register assignment:
  //   register: k1 k0
  //   thread: i4 i3 i2 i1 i0
  q[threadIdx.x] = v[1];
}
)"},
    {"ArrayParameter", "V", "holds", R"(
__device__ inline void f(unsigned V[4]) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned V[4];
  for (int r = 0; r < 4; r++) V[r] = p[32*r + threadIdx.x];
  f(V);
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = V[r];
}
)"},
    {"ArrayReference", "V", "holds", R"(
template <int N> __device__ inline void f(unsigned (&V)[N]) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned V[4];
  for (int r = 0; r < 4; r++) V[r] = p[32*r + threadIdx.x];
  f(V);
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = V[r];
}
)"},
    {"PointerToALocalArray", "V", "holds", R"(
__device__ inline void f(unsigned *V) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
constexpr int N = 4;
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned X[N];
  for (int r = 0; r < N; r++) X[r] = p[32*r + threadIdx.x];
  f(X);
  for (int r = 0; r < N; r++) q[32*r + threadIdx.x] = X[r];
}
)"},
    {"AboveAFunctionItsResult", "t", "holds", R"(
// Turns the lanes round and returns them with the register assignment
//   register: r1 r0
//   thread: i0 i4 i3 i2 i1
__device__ inline uint4 f(uint4 v) {
  int from = (threadIdx.x & 15) * 2 + (threadIdx.x >> 4);
  uint4 t;
  t.x = __shfl_sync(~0u, v.x, from);
  t.y = __shfl_sync(~0u, v.y, from);
  t.z = __shfl_sync(~0u, v.z, from);
  t.w = __shfl_sync(~0u, v.w, from);
  return t;
}
__global__ void k(const unsigned *p, unsigned *q) {
  int l = threadIdx.x;
  uint4 v{p[l], p[l + 32], p[l + 64], p[l + 96]};
  v = f(v);
  q[l] = v.x; q[l + 32] = v.y; q[l + 64] = v.z; q[l + 96] = v.w;
}
)"},
    {"LooksForward", "x", "holds behind line 17", R"(/*
[lanescope]
block = [32, 2]
[buffers]
p = "f32 i:2 j:32"
q = "f32 i:2 j:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float tile[64];
  unsigned lane = threadIdx.x;
  float x0 = p[lane], x1 = p[lane + 32];
  tile[lane] = x0, tile[lane + 32] = x1;
  __syncthreads();
  // One transpose away: x becomes
  //   register: j0
  //   thread:   j4 j3 j2 j1 i0
  x0 = tile[(lane & 1) * 32 + (lane & 30)]; x1 = tile[(lane & 1) * 32 + (lane & 30) + 1];
  q[lane] = x0;
  q[lane + 32] = x1;
}
)"},
    {"NothingIsThereYet", "x", "holds behind line 15", R"(
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned x[4] = {};
  // x has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
#pragma unroll
  for (int r = 0; r < 4; r++) x[r] = p[32*r + threadIdx.x];
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = x[r];
}
)"},
    {"AxisOf24", "x", "holds", R"(/*
[lanescope]
block = 32
[buffers]
p = "f32 i:24"
q = "f32 i:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  float x = (threadIdx.x < 24) ? p[threadIdx.x] : 0.0f;
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  q[threadIdx.x] = x;
}
)"},
    {"AxesOf6And5", "x", "holds", R"(/*
[lanescope]
block = 64
[buffers]
p = "f32 i:6 j:5"
q = "f32 i:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  int i = threadIdx.x / 8, j = threadIdx.x % 8;
  float x = p[i < 6 && j < 5 ? 5 * i + j : 0];
  // x has register assignment:
  //   thread: i1 i0 j2 j1 j0
  //   warp: i2
  q[threadIdx.x] = x;
}
)"},
    {"Product", "acc", "holds up to sums", R"(/*
[lanescope]
block = [32, 8]
[buffers]
a = "f32 i:32 k:32"
b = "f32 k:32 j:32"
c = "f32 i:32 j:32 = zeros"
*/
__global__ void k(const float *a, const float *b, float *c) {
  float acc[4] = {0, 0, 0, 0};
  for (int k = 0; k < 32; ++k)
    for (int r = 0; r < 4; ++r) acc[r] += a[32 * (4 * threadIdx.y + r) + k] * b[32 * k + threadIdx.x];
  // acc has register assignment:
  //   register: i1 i0
  //   thread: j4 j3 j2 j1 j0
  //   warp: i4 i3 i2
  for (int r = 0; r < 4; ++r) c[32 * (4 * threadIdx.y + r) + threadIdx.x] = acc[r];
}
)"},
    {"SumOverLanes", "s", "holds up to sums", R"(/*
[lanescope]
block = [32, 4]
[buffers]
a = "f32 i:4 r:2 k:32"
c = "f32 i:4 r:2 = zeros"
*/
__global__ void k(const float *a, float *c) {
  float s0 = a[64 * threadIdx.y + threadIdx.x], s1 = a[64 * threadIdx.y + 32 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    s0 += __shfl_xor_sync(~0u, s0, d);
    s1 += __shfl_xor_sync(~0u, s1, d);
  }
  // s has register assignment:
  //   register: r0
  //   warp: i1 i0
  if (threadIdx.x == 0) c[2 * threadIdx.y] = s0, c[2 * threadIdx.y + 1] = s1;
}
)"},
};

std::string text_of(const Form& form) {
  const std::string text = form.text;
  return text.starts_with("/*") ? text : four_registers + text.substr(1);
}

struct Forms : ::testing::TestWithParam<Form> {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

TEST_P(Forms, HoldsAndEveryExchangeIsFound) {
  std::vector<catalogue::Swap> swaps;
  const auto run = probe(text_of(GetParam()), [&](source::Source& s) {
    ASSERT_EQ(s.claims.size(), 1u);
    const source::Claim claim = s.claims.front();
    swaps = catalogue::swaps(claim.stated);
    for (const catalogue::Swap& swap : swaps) {
      s.claims.push_back(claim);
      s.claims.back().stated = swap.stated;
    }
  });
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), swaps.size() + 1);
  EXPECT_EQ(run->source.claims[0].variable, GetParam().variable);
  EXPECT_EQ(verdict_words(results[0]), GetParam().verdict)
      << results[0].reason << results[0].difference << run->source.claims[0].unchecked_reason;
  EXPECT_FALSE(swaps.empty());
  for (std::size_t n = 0; n < swaps.size(); ++n) {
    const ClaimResult& r = results[n + 1];
    EXPECT_NE(r.verdict, Verdict::holds) << layout::print_line(swaps[n].stated) << ": " << verdict_words(r);
    EXPECT_FALSE(r.reason.empty() && r.difference.empty()) << layout::print_line(swaps[n].stated);
  }
}

INSTANTIATE_TEST_SUITE_P(Claims, Forms, ::testing::ValuesIn(forms),
                         [](const auto& info) { return std::string(info.param.name); });

ClaimResult only_result(const std::string& text) {
  const auto run = probe(text);
  return run ? run->collector->judge().at(0) : ClaimResult{};
}

std::string in_four_registers(const std::string& body) {
  return std::string(four_registers) + "__global__ void k(const unsigned *p, unsigned *q) {\n" + body + "}\n";
}

const char* const load_four =
    "  int l = threadIdx.x;\n  unsigned x0 = p[l], x1 = p[l + 32], x2 = p[l + 64], x3 = p[l + 96];\n";
const char* const exchange = "  unsigned t = x1; x1 = x2; x2 = t;\n";
const char* const store_four = "\n  q[l] = x0; q[l + 32] = x1; q[l + 64] = x2; q[l + 96] = x3;\n";

std::string with_claim(const std::string& sentence, const char* registers, const std::string& then = exchange) {
  return in_four_registers(std::string(load_four) + "  // " + sentence + "\n  //   register: " + registers +
                           "\n  //   thread: i4 i3 i2 i1 i0\n" + then + store_four);
}

// x2 and x1 are exchanged by three assignments on one line.
TEST(MomentMeant, WordsDecide) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  const ClaimResult here = only_result(with_claim("x has register assignment:", "r1 r0"));
  EXPECT_EQ(verdict_words(here), "holds");
  EXPECT_EQ(here.behind_line, 0);
  // False where it stands and true behind the exchange by accident: only the remark speaks of it.
  const ClaimResult wrong = only_result(with_claim("x has register assignment:", "r0 r1"));
  EXPECT_EQ(wrong.verdict, Verdict::differs);
  EXPECT_EQ(wrong.behind_line, 15);
  const ClaimResult forward = only_result(with_claim("Next, x becomes", "r0 r1"));
  EXPECT_EQ(verdict_words(forward), "holds behind line 15") << forward.reason << forward.difference;
  const ClaimResult backward = only_result(with_claim("Next, x becomes", "r1 r0"));
  EXPECT_EQ(backward.verdict, Verdict::unchecked);
  EXPECT_NE(backward.reason.find("\"becomes\""), std::string::npos) << backward.reason;
  const ClaimResult never = only_result(with_claim("Next, x becomes", "r1 r1+r0"));
  EXPECT_EQ(never.verdict, Verdict::differs);
  EXPECT_NE(never.difference.find("behind line 15"), std::string::npos) << never.difference;
}

TEST(MomentMeant, OnlyTheNextStatementsCount) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  // Behind an empty line another paragraph begins.
  const ClaimResult later =
      only_result(with_claim("Next, x becomes", "r1 r0", std::string(exchange) + "\n  t = x1; x1 = x2; x2 = t;\n"));
  EXPECT_NE(later.verdict, Verdict::differs);
  EXPECT_EQ(later.behind_line, 0) << verdict_words(later);
  // In one paragraph: true behind the first exchange, not behind the second.
  const ClaimResult two =
      only_result(with_claim("Next, x becomes", "r0 r1", std::string(exchange) + "  t = x1; x1 = x2; x2 = t;\n"));
  EXPECT_EQ(two.verdict, Verdict::unchecked);
  EXPECT_NE(two.reason.find("no longer behind line"), std::string::npos) << two.reason;
  // What is written behind the next claim is that one's.
  const ClaimResult parted = only_result(
      with_claim("Next, x becomes", "r0 r1",
                 "  l += 0;\n  // x has register assignment:\n  //   register: r1 r0\n" + std::string(exchange)));
  EXPECT_EQ(parted.verdict, Verdict::differs);
}

TEST(VariableMeant, IsSaidAndTheNearMissesAreNone) {
  const char* rows = "  //   register: r1 r0\n  //   thread: i4 i3 i2 i1 i0\n";
  const auto claim_of = [&](const std::string& body) {
    const auto read = source::read("k.cu", in_four_registers(body));
    EXPECT_TRUE(read) << (read ? "" : to_string(read.error().front()));
    return read && !read->claims.empty() ? read->claims.front() : source::Claim{};
  };
  const source::Claim last = claim_of(std::string(load_four) + "  // The register assignment:\n" + rows + store_four);
  EXPECT_EQ(last.variable, "x");
  EXPECT_NE(last.assumed.find("which line 11 wrote last"), std::string::npos) << last.assumed;
  const source::Claim named =
      claim_of(std::string(load_four) + "  // x has register assignment:\n" + rows + store_four);
  EXPECT_EQ(named.assumed, "");
  // An index written later is not meant, and neither is a variable of another size.
  const source::Claim index = claim_of(std::string(load_four) + "  unsigned lane = l & 3;\n  uint2 y = {x0, x1};\n" +
                                       "  // Each lane holds four; the register assignment:\n" + rows + store_four);
  EXPECT_EQ(index.variable, "x") << index.unchecked_reason;
  // One that is declared in an inner scope behind the comment cannot be meant where one fits before it.
  const source::Claim array = claim_of(std::string("  unsigned y[4];\n  for (int r = 0; r < 4; ++r) y[r] = p[r];\n") +
                                       "  // The register assignment:\n" + rows + "  { unsigned z[4] = {}; }\n");
  EXPECT_EQ(array.variable, "y") << array.unchecked_reason;
  // A pointer into memory is no array of registers.
  const source::Claim pointer = claim_of(std::string("  // p has register assignment:\n") + rows + "  q[0] = p[0];\n");
  EXPECT_EQ(pointer.probe, -1);
}

TEST(Blame, OtherClaimsAreCounted) {
  ClaimResult r;
  r.verdict = Verdict::differs;
  r.first_false_line = 7;
  EXPECT_EQ(blame_words(r), "first contradicted by what line 7 writes");
  r.others_hold = 3;
  r.others_differ = 1;
  EXPECT_EQ(
      blame_words(r),
      "3 of the other claims hold, also of this variable further down: the code agrees with them, and this comment "
      "does not");
}

}  // namespace
}  // namespace lanescope::claims
