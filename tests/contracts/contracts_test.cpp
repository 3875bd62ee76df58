// Functions that are judged by themselves: random ones against tables of places, and the forms that people write.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "app/engine/session/session.h"
#include "kernels/compile/compile.h"
#include "tests/contracts/cases/generated.h"
#include "tests/sample.h"

namespace lanescope::contracts {
namespace {

using claims::Verdict;
using source::Why;

#define NEEDS_NVRTC() \
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed"

results::Summary checked(const std::string& text, const std::string& kernel = "", bool on_gpu = false) {
  engine::RunRequest request;
  request.file = "functions.cu", request.text = text, request.kernel = kernel;
  request.review = request.only_for_claims = true;
  request.on_gpu = on_gpu;
  engine::Session session;
  session.run(request);
  return session.summary();
}

std::string words(const results::Summary& s) {
  std::string out;
  for (const Diagnostic& d : s.diagnostics) out += fmt::format("{}: {}\n", d.line, d.message);
  for (const results::ClaimInfo& c : s.claims)
    out += fmt::format("line {}: {} {}: {} {}\n", c.claim.first_line, c.claim.variable, claims::verdict_words(c.result),
                       c.result.reason.words(), c.result.difference);
  return out;
}

std::string shelf(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_TEST_DATA_DIR) + "/contracts/" + name);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

int files_of_generated() {
  const char* wanted = std::getenv("LANESCOPE_CONTRACTS");
  return wanted != nullptr ? std::max(std::atoi(wanted), 1) : lanescope::test::exhaustive() ? 8 : 2;
}

// Right and wrong ones, with mistakes in inputs, steps and comments: each verdict is that of the tables.
TEST(Contracts, VerdictsOfRandomFunctionsAreThoseOfTables) {
  NEEDS_NVRTC();
  constexpr int functions = 20;
  int holding = 0, differing = 0;
  for (int seed = 1; seed <= files_of_generated(); ++seed) {
    const Generated g = generate(static_cast<std::uint64_t>(seed), functions);
    const results::Summary s = checked(g.text);
    ASSERT_EQ(s.claims.size(), g.claims.size()) << "seed " << seed << "\n" << words(s) << g.text;
    for (std::size_t i = 0; i < g.claims.size(); ++i) {
      const results::ClaimInfo& c = s.claims[i];
      const Expected& e = g.claims[i];
      ASSERT_EQ(c.claim.first_line, e.line);
      const Verdict expected = e.holds ? Verdict::holds : Verdict::differs;
      ASSERT_EQ(c.result.verdict, expected) << "seed " << seed << " line " << e.line << "\n" << words(s) << g.text;
      const Why reason = e.given ? Why::input : e.holds ? Why::if_input : Why::none;
      EXPECT_EQ(c.result.reason.code, reason) << "seed " << seed << " line " << e.line;
      holding += !e.given && e.holds;
      differing += !e.holds;
    }
  }
  std::printf("%d claims hold, %d differ\n", holding, differing);
  EXPECT_GT(holding, 0);
  EXPECT_GT(differing, 0);
}

TEST(Contracts, FunctionsOfAFileWithoutKernelsAreJudged) {
  NEEDS_NVRTC();
  const results::Summary s = checked(shelf("exchanges.cu"));
  ASSERT_EQ(s.claims.size(), 6u) << words(s);
  const auto verdict = [&](std::size_t i) { return s.claims[i].result.verdict; };
  for (const std::size_t given : {2, 4}) EXPECT_EQ(s.claims[given].result.reason.code, Why::input) << words(s);
  // The first function is called by the last one, whose comments say what it gets there.
  for (const std::size_t holding : {0, 1, 5}) EXPECT_EQ(verdict(holding), Verdict::holds) << words(s);
  EXPECT_EQ(verdict(3), Verdict::differs) << words(s);
  EXPECT_NE(s.claims[3].result.difference.find("r0 holds j2"), std::string::npos) << words(s);
}

struct Form {
  const char *name, *text;
  std::vector<const char*> verdicts;  ///< of its claims, as they are printed
};

// Parameters of each kind, and functions of each kind.
TEST(Contracts, ParametersOfEveryKindAreFilled) {
  NEEDS_NVRTC();
  const std::vector<Form> forms = {
      {"references",
       R"(__device__ void exchanged(unsigned &x0, unsigned &x1, int lane, float input) {
  // x0, x1 have register assignment:
  //   register: r0 <-> i0
  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0
  const bool high = lane & 4;
  unsigned s = high ? x0 : x1;
  s = __shfl_xor_sync(0xffffffffu, s, 4);
  if (high) x0 = s;
  else x1 = s;
  // x0, x1 have register assignment:
  //   register: r0 <-> j2
  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 i0 j1 j0
})",
       {"is given", "holds"}},
      {"a template with a reference to an array",
       R"(namespace tools {
template <typename T, int N> __device__ void reversed(T (&v)[N]) {
  // v has register assignment:
  //   register: i1 i0
  //   thread: j4 j3 j2 j1 j0
  for (int n = 0; n < N; ++n) v[n] = __shfl_xor_sync(0xffffffffu, v[n], 31);
  // v has register assignment:
  //   register: i1 i0
  //   thread: ~j4 ~j3 ~j2 ~j1 ~j0
}
})",
       {"is given", "holds"}},
      {"halves, above the function",
       R"(#include <cuda_fp16.h>
// x has register assignment:
//   simd: k0
//   register: i0
//   thread: j4 j3 j2 j1 j0
__device__ __forceinline__ void halves(__half2 (&x)[2]) {
  const __half2 a = __lows2half2(x[0], x[1]), b = __highs2half2(x[0], x[1]);
  x[0] = a;
  x[1] = b;
  // x has register assignment:
  //   simd: i0
  //   register: k0
  //   thread: j4 j3 j2 j1 j0
})",
       {"is given", "holds"}},
      {"shared memory behind a pointer",
       R"(__device__ void through_memory(float v[4], float *smem) {
  // v has register assignment:
  //   register: i1 i0
  //   thread: j4 j3 j2 j1 j0
  //   warp: k1 k0
  for (int r = 0; r < 4; r++) smem[r * 128 + threadIdx.x] = v[r];
  __syncthreads();
  for (int r = 0; r < 4; r++) v[r] = smem[(threadIdx.x >> 5) * 128 + r * 32 + (threadIdx.x & 31)];
  // v has register assignment:
  //   register: k1 k0
  //   thread: j4 j3 j2 j1 j0
  //   warp: i1 i0
})",
       {"is given", "holds"}},
      {"a structure",
       R"(struct Tile { unsigned v[2]; int other; };
__device__ void turned(Tile &t) {
  // t.v has register assignment:
  //   register: i0
  //   thread: j4 j3 j2 j1 j0
  const unsigned x = t.v[0];
  t.v[0] = t.v[1];
  t.v[1] = x;
  // t.v has register assignment:
  //   register: ~i0
  //   thread: j4 j3 j2 j1 j0
})",
       {"is given", "holds"}},
      {"one value of each lane, returned",
       R"(// x has register assignment:
//   thread: j4 j3 j2 j1 j0
__device__ float rotated(float x) {
  const float y = __shfl_xor_sync(0xffffffffu, x, 16);
  // y has register assignment:
  //   thread: ~j4 j3 j2 j1 j0
  return y;
})",
       {"is given", "holds"}},
      {"beside a kernel that does not call it",
       R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
*/
__device__ void alone(unsigned &x) {
  // x has register assignment:
  //   thread: a4 a3 a2 a1 a0
  x = __shfl_xor_sync(0xffffffffu, x, 1);
  // x has register assignment:
  //   thread: a4 a3 a2 a1 a0
}
__global__ void k(unsigned *p) {
  unsigned x = p[threadIdx.x];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  p[threadIdx.x] = x;
})",
       {"is given", "differs", "holds"}},
      {"rows of threads in a function that it calls",
       R"(__device__ int warp_of() { return threadIdx.y; }
__device__ void turned(unsigned v[4], unsigned *smem) {
  // v has register assignment:
  //   register: i1 i0
  //   thread: j4 j3 j2 j1 j0
  //   warp: k1 k0
  for (int r = 0; r < 4; r++) smem[(r * 4 + warp_of()) * 32 + threadIdx.x] = v[r];
  __syncthreads();
  for (int r = 0; r < 4; r++) v[r] = smem[(warp_of() * 4 + r) * 32 + threadIdx.x];
  // v has register assignment:
  //   register: k1 k0
  //   thread: j4 j3 j2 j1 j0
  //   warp: i1 i0
})",
       {"is given", "holds"}},
      {"a template with defaults, an array that nothing is claimed about, a table",
       R"(struct Twiddle { float c, s; };
template <int RADIX, bool INVERSE = false, typename T = float>
__device__ __forceinline__ void butterfly(T (&re)[RADIX], T (&im)[RADIX], const Twiddle *table, unsigned lane_id) {
  // re has register assignment:
  //   register: n1 n0
  //   thread: m4 m3 m2 m1 m0
  for (int k = 0; k < RADIX; ++k) re[k] = __shfl_xor_sync(0xffffffff, re[k], k);
  T t = re[1];
  re[1] = re[2];
  re[2] = t;
  // re has register assignment:
  //   register: n0 n1
  //   thread: m4 m3 m2 m1+n1 m0+n0
})",
       {"is given", "holds"}},
      {"a number whose bits are taken apart",
       R"(__device__ void exchanged(unsigned &x0, unsigned &x1, int which) {
  // x0, x1 have register assignment:
  //   register: i0
  //   thread: j4 j3 j2 j1 j0
  const bool high = which & 4;
  unsigned s = high ? x0 : x1;
  s = __shfl_xor_sync(0xffffffffu, s, 4);
  if (high) x0 = s;
  else x1 = s;
  // x0, x1 have register assignment:
  //   register: j2
  //   thread: j4 j3 i0 j1 j0
})",
       {"is given", "holds"}},
      {"one function whose call does not compile beside one whose does",
       R"(struct Opaque { __device__ Opaque(int, int); };
__device__ void with_opaque(unsigned &x, Opaque how) {
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  x = __shfl_xor_sync(0xffffffffu, x, 1);
  // x has register assignment:
  //   thread: i4 i3 i2 i1 ~i0
}
__device__ void plain(unsigned &x) {
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  x = __shfl_xor_sync(0xffffffffu, x, 1);
  // x has register assignment:
  //   thread: i4 i3 i2 i1 ~i0
})",
       {"unchecked", "unchecked", "is given", "holds"}},
      {"an array that is broadcast",
       R"(__device__ void copied(unsigned v[2], int output) {
  // v has register assignment:
  //   register: i0
  //   thread: [unused] j3 j2 j1 j0
  v[0] = __shfl_sync(0xffffffffu, v[0], (threadIdx.x & 15) ^ 1);
  v[1] = __shfl_sync(0xffffffffu, v[1], (threadIdx.x & 15) ^ 1);
  // v has register assignment:
  //   register: i0
  //   thread: [unused] j3 j2 j1 ~j0
})",
       {"is given", "holds"}},
  };
  for (const Form& form : forms) {
    const results::Summary s = checked(form.text);
    ASSERT_EQ(s.claims.size(), form.verdicts.size()) << form.name << "\n" << words(s);
    for (std::size_t i = 0; i < s.claims.size(); ++i)
      EXPECT_EQ(claims::verdict_words(s.claims[i].result), form.verdicts[i]) << form.name << "\n" << words(s);
  }
}

/// A number that a function decides by: each of its values is tried. Of a bool there are no others.
TEST(Contracts, FlagsHaveEachOfTheirValues) {
  NEEDS_NVRTC();
  const std::string rows =
      "  // v has register assignment:\n  //   register: r0 <-> i0\n  //   thread: t4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0\n";
  const auto of = [&](const std::string& parameters, const std::string& body) {
    return checked("__device__ void f(unsigned (&v)[2], " + parameters + ") {\n" + rows + body + rows + "}\n");
  };
  const std::string exchange = "  { unsigned t = v[0]; v[0] = v[1]; v[1] = t; }\n";
  const std::string lanes = "  v[0] = __shfl_xor_sync(~0u, v[0], 1);\n";
  struct Case {
    const char* parameters;
    std::string body;
    const char* verdict;
    const char* assumed;  ///< value; nullptr: nothing is
  };
  const std::vector<Case> cases = {
      {"bool flip", "  if (flip)\n" + exchange + "  if (flip)\n" + exchange, "holds", nullptr},
      {"bool flip", "  if (flip)\n" + exchange, "differs", nullptr},
      {"bool flip", "  if (!flip)\n" + exchange, "differs", nullptr},
      {"bool a, bool b", "  if (a && b)\n" + exchange, "differs", nullptr},
      {"bool a, bool b", "  if (a != b)\n" + exchange + "  if (b != a)\n" + exchange, "holds", nullptr},
      {"int mode", "  if (mode == 3)" + lanes, "differs", "one of 0, 1 and 3"},
      {"int mode", "  if (mode == 3 && mode == 4)" + lanes, "holds", "one of 0, 1, 3 and 4"},
      {"int on", "  if (on)" + lanes, "differs", "one of 0 and 1"},
      {"int k", "  v[0] += k - k;\n", "holds", "0"},
  };
  for (const Case& c : cases) {
    const results::Summary s = of(c.parameters, c.body);
    ASSERT_EQ(s.claims.size(), 2u) << c.body << words(s);
    EXPECT_EQ(claims::verdict_words(s.claims[0].result), "is given") << c.body << words(s);
    EXPECT_EQ(claims::verdict_words(s.claims[1].result), c.verdict) << c.body << words(s);
    const auto assumed = std::ranges::find(s.assumed, source::Assumption::Code::scalar, &source::Assumption::code);
    EXPECT_EQ(assumed == s.assumed.end() ? "nothing" : assumed->value, c.assumed == nullptr ? "nothing" : c.assumed)
        << c.body << words(s);
  }
}

TEST(Contracts, WordsOfBitsAreFilledAsAWhole) {
  NEEDS_NVRTC();
  const results::Summary s = checked(shelf("bits.cu"));
  ASSERT_EQ(s.claims.size(), 2u) << words(s);
  EXPECT_EQ(s.claims[0].result.reason.code, Why::input) << words(s);
  EXPECT_EQ(s.claims[1].result.reason.code, Why::if_input) << words(s);
}

// The reason is that of its claims, and nothing else of the file is different.
TEST(Contracts, AFunctionThatCannotBeCalledSaysWhy) {
  NEEDS_NVRTC();
  const std::string kernel = R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
*/
__global__ void k(unsigned *p) {
  unsigned x = p[threadIdx.x];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  p[threadIdx.x] = x;
}
)";
  const std::string method = kernel + R"(struct Mover {
  __device__ void move(unsigned &x) {
    // x has register assignment:
    //   thread: i4 i3 i2 i1 i0
    x = __shfl_xor_sync(0xffffffffu, x, 1);
    // x has register assignment:
    //   thread: i4 i3 i2 i1 ~i0
  }
};
)";
  const std::string opaque = kernel + R"(struct Opaque { __device__ Opaque(int, int); };
__device__ void move(unsigned &x, Opaque how) {
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  x = __shfl_xor_sync(0xffffffffu, x, 1);
  // x has register assignment:
  //   thread: i4 i3 i2 i1 ~i0
}
)";
  for (const std::string& text : {method, opaque}) {
    const results::Summary s = checked(text);
    ASSERT_EQ(s.claims.size(), 3u) << words(s);
    EXPECT_EQ(s.claims[0].result.verdict, Verdict::holds) << words(s);
    for (const std::size_t other : {1, 2}) EXPECT_EQ(s.claims[other].result.reason.code, Why::no_contract) << words(s);
    for (const Diagnostic& d : s.diagnostics) EXPECT_NE(d.severity, Severity::error) << words(s);
  }
}

// The kernel gives the function other registers than its comment states: the call is wrong, not the function.
TEST(Contracts, ACallWithAnotherInputIsNamed) {
  NEEDS_NVRTC();
  const auto text = [](const char* first, const char* second) {
    return fmt::format(R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:2 k:2 j:32"
q = "u32 n:64 = zeros"
*/
__device__ void turned(unsigned (&v)[4]) {{
  // v has register assignment:
  //   register: i0 k0
  //   thread: j4 j3 j2 j1 j0
  const unsigned t = v[1];
  v[1] = v[2];
  v[2] = t;
  // v has register assignment:
  //   register: k0 i0
  //   thread: j4 j3 j2 j1 j0
}}
__global__ void k(const unsigned *p, unsigned *q) {{
  unsigned v[4];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) v[2 * {} + {}] = p[64 * i + 32 * k + threadIdx.x];
  turned(v);
  q[threadIdx.x] = v[0];
  q[threadIdx.x + 32] = v[1] + v[2] + v[3];
}}
)",
                       first, second);
  };
  const results::Summary right = checked(text("i", "k"));
  for (const results::ClaimInfo& c : right.claims) EXPECT_EQ(c.result.verdict, Verdict::holds) << words(right);
  const results::Summary wrong = checked(text("k", "i"));
  ASSERT_EQ(wrong.claims.size(), 2u);
  const claims::ClaimResult& input = wrong.claims[0].result;
  EXPECT_EQ(input.verdict, Verdict::differs) << words(wrong);
  EXPECT_TRUE(input.difference.starts_with("r1 and r0 are swapped")) << input.difference;
  EXPECT_EQ(claims::blame_words(input), "the call in line 23 does not give the function the input that it states");
}

// Inputs and results of functions are written where these begin and end, and hold there.
TEST(Contracts, AnnotateWritesInputsAndResultsOfFunctions) {
  NEEDS_NVRTC();
  engine::RunRequest request;
  request.file = "helper.cu";
  request.text = R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:2 j:32"
q = "u32 i:2 j:32 = zeros"
*/
__device__ void exchange(unsigned V[2]) {
  bool odd = threadIdx.x & 2;
  unsigned s = odd ? V[0] : V[1];
  s = __shfl_xor_sync(0xffffffff, s, 2);
  if (odd) V[0] = s;
  else V[1] = s;
}
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned V[2];
  for (int r = 0; r < 2; r++) V[r] = p[32 * r + threadIdx.x];
  exchange(V);
  for (int r = 0; r < 2; r++) q[32 * r + threadIdx.x] = V[r];
}
)";
  engine::Session session;
  const auto written = session.annotate_whole(request);
  ASSERT_TRUE(written);
  const std::string& text = written->text;
  const std::size_t begin = text.find("exchange(unsigned"), first = text.find("// V has", begin),
                    statement = text.find("bool odd"), last = text.find("// V has", statement),
                    end = text.find("__global__");
  EXPECT_LT(first, statement) << text;
  EXPECT_LT(last, end) << text;
  EXPECT_NE(text.find("register:  r0              <->  j1", statement), std::string::npos) << text;
  const results::Summary s = checked(text);
  ASSERT_EQ(s.claims.size(), static_cast<std::size_t>(written->claims_written)) << words(s);
  for (const results::ClaimInfo& c : s.claims) EXPECT_EQ(c.result.verdict, Verdict::holds) << words(s) << text;
}

// Mistakes of the file keep their words and lines, and names that it does not have are refused.
TEST(Contracts, BadInputIsReportedAsSuch) {
  NEEDS_NVRTC();
  const std::string broken = R"(template <int N> __device__ void f(unsigned (&v)[N]) {
  // v has register assignment:
  //   register: i0
  //   thread: j4 j3 j2 j1 j0
  v[0] = undefined_thing;
  // v has register assignment:
  //   register: i0
  //   thread: j4 j3 j2 j1 j0
}
)";
  EXPECT_NE(words(checked(broken)).find("\"undefined_thing\" is undefined (line 5)"), std::string::npos)
      << words(checked(broken));
  const std::string called =
      broken + "__global__ void k(unsigned *p) { unsigned v[2] = {p[0], p[1]}; f<2>(v); p[2] = v[0]; }\n";
  EXPECT_NE(words(checked(called)).find("5: identifier \"undefined_thing\" is undefined"), std::string::npos)
      << words(checked(called));
  const std::string other = words(checked(shelf("exchanges.cu"), "nothing"));
  EXPECT_NE(other.find("no such function"), std::string::npos) << other;
}

// A fault of a function that is called with made-up arguments is none of the file.
TEST(Contracts, AFaultConcernsTheClaimsOfTheFunctionAlone) {
  NEEDS_NVRTC();
  const results::Summary s = checked(R"(__device__ void beyond(unsigned &x, const unsigned *table) {
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  x += table[100000000];
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
}
__device__ void good(unsigned &x) {
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  x = __shfl_xor_sync(0xffffffffu, x, 1);
  // x has register assignment:
  //   thread: i4 i3 i2 i1 ~i0
}
)");
  ASSERT_EQ(s.claims.size(), 4u) << words(s);
  EXPECT_EQ(s.claims[1].result.verdict, Verdict::unchecked) << words(s);
  EXPECT_EQ(s.claims[3].result.verdict, Verdict::holds) << words(s);
  EXPECT_TRUE(s.faults.empty());
}

}  // namespace
}  // namespace lanescope::contracts
