// Loops and calls that take too long, and what is unknown after them.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

using Extents = std::array<std::uint32_t, 3>;

TEST(HostLimits, ACallThatTakesTooLongKeepsNothingFromWhatFollows) {
  HostLimits limits;
  limits.steps = 200'000, limits.loop_steps = 100'000;
  const HostRun r = run_text(R"(
int calls = 7, other = 5;
__global__ void k(int* d, int sum, int calls, int other, int first) {}
int reduce(int* x, int n) {
  ++calls;
  if (n == 1) return x[0];
  for (int i = 0; i < n / 2; ++i) x[i] += x[i + n / 2];
  return reduce(x, n / 2);
}
int slow(int n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }
int main() {
  int h[4] = {1, 2, 3, 4}, *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);
  int sum = reduce(h, 4);
  k<<<1, 32>>>(d, sum, calls, other, h[0]);
  int never = slow(60);
  k<<<2, 32>>>(d, never, calls, other, h[0]);
  int big[2] = {1, 1};
  int later = other + 1;
  k<<<later, 32>>>(d, big[1], calls, other, h[0]);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 3U);
  EXPECT_EQ(r.launches[0].arguments[1].number, 10);
  EXPECT_EQ(r.launches[0].arguments[2].number, 10);
  EXPECT_EQ(r.launches[1].arguments[1].kind, HostArgument::Kind::unknown);
  EXPECT_EQ(r.launches[2].grid, (Extents{6, 1, 1}));
  EXPECT_EQ(r.launches[2].arguments[4].number, 10);
}

TEST(HostLimits, WhatACallThatIsLeftMayWriteIsUnknown) {
  HostLimits limits;
  limits.steps = 100'000, limits.loop_steps = 50'000;
  const HostRun r = run_text(R"(
int count = 1, kept = 2;
struct Pair { int* to; int n; };
__global__ void k(int* d, int a, int b, int c, int e, int f) {}
int spin(int n) { return n < 2 ? n : spin(n - 1) + spin(n - 2); }
void grow(int* x, Pair* p, int& r, int n) {
  n += spin(40);
  x[1] = 9; p->to[0] = 8; r = 7; count = 6;
}
int main() {
  int x[2] = {1, 1}, y[1] = {1}, r = 1, own = 3; Pair p = {y, 1};
  int* d; cudaMalloc(&d, 16);
  grow(x, &p, r, 1);
  k<<<1, 1>>>(d, x[1], y[0], r, count, kept + own);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 1U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(r.launches[0].arguments[i].kind, HostArgument::Kind::unknown) << i;
  EXPECT_EQ(r.launches[0].arguments[5].number, 5);
}

TEST(HostLimits, GlobalsThatFunctionsOfALeftLoopAssignAreUnknown) {
  HostLimits limits;
  limits.steps = 50'000, limits.loop_steps = 20'000;
  const HostRun r = run_text(R"(
int turns = 0, constant = 4, table[2];
__global__ void k(int a, int b, int c) {}
void inner() { table[1] = 3; }
void step() { if (turns > 1000000) { turns += 5; } inner(); }
int main() {
  int n = 0;
  while (n < 100000000) { ++n; step(); }
  k<<<1, 1>>>(turns, constant, table[1]);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown);
  EXPECT_EQ(r.launches[0].arguments[1].number, 4);
  EXPECT_EQ(r.launches[0].arguments[2].kind, HostArgument::Kind::unknown);
}

TEST(HostLimits, TooManyStepsAreSaid) {
  HostLimits limits;
  limits.steps = 20'000, limits.loop_steps = 20'000;
  std::string text = "__global__ void k(int n) {}\nint main() {\n  int n = 0;\n";
  for (int i = 0; i < 40; ++i) text += "  for (int i = 0; i < 100000; ++i) n = n * 3 + i;\n";
  const HostRun r = run_text(text + "  k<<<1, 1>>>(n);\n}\n", limits);
  std::string notes;
  for (const std::string& n : r.notes) notes += n + "\n";
  EXPECT_TRUE(!r.launches.empty() || notes.find("left out") != std::string::npos) << notes;
}

TEST(HostLimits, ALeftLoopThatFillsAMemberLeavesTheObject) {
  const HostRun r = run_text(R"(
template <typename T> class Buffer {
 public:
  T* host; T* device; int size; int table[2];
  void init(int n) { size = n; table[0] = 1; host = (T*)malloc(n * sizeof(T)); for (int i = 0; i < size; ++i) { host[i] = i % 7 ? i : -i; table[1] = i; } }
  void cuda() { cudaMalloc((void**)&device, size * sizeof(T)); cudaMemcpy(device, host, size * sizeof(T), cudaMemcpyHostToDevice); }
};
__global__ void k(float* d, int n, int first) {}
int main() { Buffer<float> b; b.init(200000000); b.cuda(); k<<<b.size / 256, 256>>>(b.device, b.size, b.table[1]); })");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{781250, 1, 1}));
  ASSERT_EQ(r.buffers.size(), 1U);
  EXPECT_EQ(r.buffers[0].bytes, 800'000'000U);
  EXPECT_FALSE(r.buffers[0].contents);
  EXPECT_EQ(r.launches[0].arguments[2].kind, HostArgument::Kind::unknown) << "the loop assigns it";
}

TEST(HostLimits, WhatALeftLoopGrowsOrDrawsIsUnknown) {
  const auto program = [](std::string_view body) {
    return fmt::format(R"(
__global__ void k(int n) {{}}
void add(std::vector<int>& all, int i) {{ all.push_back(i); }}
int calls() {{ static int n = 0; return ++n; }}
int main() {{
  const int n = 1 << 22;
  std::vector<int> v;
  int c = 0;
  auto count = [&](int i) {{ c += i & 1; }};
  {}
}}
)",
                       body);
  };
  for (const std::string_view body :
       {"for (int i = 0; i < n; ++i) if (i % 3 != 1) v.push_back(i); k<<<1, 32>>>((int)v.size());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) add(v, i); k<<<1, 32>>>((int)v.size());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) count(i); k<<<1, 32>>>(c);",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) calls(); k<<<1, 32>>>(calls());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) c ^= rand() & i; k<<<1, 32>>>(rand());"}) {
    const HostRun run = run_text(program(body), {.compiled_loops = false});
    ASSERT_EQ(run.launches.size(), 1U) << body;
    EXPECT_EQ(run.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown) << body;
  }
}

/// Lambdas that call each other are looked through once: each of these calls the one before twice, and itself.
TEST(HostLimits, LambdasOfALeftLoopAreLookedThroughOnce) {
  std::string text = "__global__ void k(int n) {}\nint main() {\n  int c = 0;\n  auto f0 = [&](int i) { c += i; };\n";
  for (int f = 1; f < 60; ++f)
    text += fmt::format(
        "  auto f{0} = [&](int i) {{ if (i < 0) {{ f{1}(i); f{1}(i); f{0}(i); f{0}(i); }} c ^= i; }};\n", f, f - 1);
  const HostRun run =
      run_text(text + "  for (int i = 0; i < 100000000; ++i) if (i % 3 != 1) f59(i);\n  k<<<1, 32>>>(c);\n}\n");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown);
}

TEST(HostLimits, ArgumentsByValueStayKnownAfterALeftLoop) {
  const HostRun run = run_text(R"(
__global__ void k(int n, int first) {}
int main() {
  const int size = 1 << 22;
  int n = 1000, table[4] = {5, 6, 7, 8};
  std::vector<int> v(size);
  for (int i = 0; i < size; ++i) if (i % 3 != 1) v[i] = std::min(i, n - 1) + std::max(table[i & 3], n);
  k<<<(n + 255) / 256, 256>>>(n, table[0]);
}
)");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].grid, (Extents{4, 1, 1}));
  EXPECT_EQ(run.launches[0].arguments.at(0).number, 1000);
  EXPECT_EQ(run.launches[0].arguments.at(1).number, 5);
}

/// Each function calls all after it, and a loop meets a call of the first under an unknown condition: what the
/// functions may change is in their text, which is looked through once, however often the loop runs.
TEST(HostLimits, TextIsLookedThroughOnceHoweverOftenALoopAsks) {
  constexpr int functions = 40;
  const auto program = [](int turns) {
    std::string text = "int g0";
    for (int f = 1; f < functions; ++f) text += fmt::format(", g{}", f);
    text += ";\n__global__ void k(int n) {}\n";
    for (int f = functions - 1; f >= 0; --f) {
      text += fmt::format("void f{0}(int n) {{ g{0}++; if (n) {{", f);
      for (int to = f + 1; to < functions; ++to) text += fmt::format(" f{}(n);", to);
      text += " } }\n";
    }
    return text + fmt::format(
                      "int main() {{ for (int i = 0; i < {}; i++) {{ if (clock() & 1) f0(0); }} k<<<1, 32>>>(g0); }}\n",
                      turns);
  };
  const HostRun few = run_text(program(3)), many = run_text(program(300));
  EXPECT_GT(few.tokens_searched, static_cast<std::uint64_t>(functions));
  EXPECT_EQ(many.tokens_searched, few.tokens_searched);
  EXPECT_GT(many.steps, few.steps);
  EXPECT_LE(few.tokens_searched, static_cast<std::uint64_t>(lex(program(3)).count()));
  ASSERT_EQ(many.launches.size(), 1U);
  EXPECT_EQ(many.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown);
}

TEST(HostLimits, PointersOfAnArrayAreFollowedOrTheirArrayIsUnknown) {
  for (const int count : {1500, 20'000}) {
    const HostRun r = run_text(fmt::format(R"(
__global__ void k(int** rows) {{}}
int main() {{
  int** rows = (int**)malloc({0} * sizeof(int*));
  for (int i = 0; i < {0}; ++i) cudaMalloc(&rows[i], 48);
  int** d; cudaMalloc(&d, {0} * sizeof(int*));
  cudaMemcpy(d, rows, {0} * sizeof(int*), cudaMemcpyHostToDevice);
  k<<<1, 32>>>(d);
}})",
                                           count));
    ASSERT_EQ(r.launches.size(), 1U);
    const auto unknown = std::ranges::count(r.changes, HostChange::Kind::unknown, &HostChange::kind);
    EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::pointer);
    EXPECT_EQ(unknown, count == 1500 ? 0 : 1);
    EXPECT_EQ(r.buffers.size() == 1501U, count == 1500);
  }
}

}  // namespace
}  // namespace lanescope::source::test
