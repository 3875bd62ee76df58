// Operations of the host between launches are performed: the second launch sees the data that the program gives it.

#include <algorithm>

#include "app/engine/hardware/run.h"
#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "results/problems.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

RunRequest host_request(const std::string& text) {
  RunRequest r;
  r.file = "k.cu";
  r.text = text;
  return r;
}

std::string all_printed(const results::Summary& s) {
  std::string out;
  for (const results::PrintedText& p : s.printed) out += p.text;
  return out;
}

TEST(HostSteps, CopiesMemsetsStoresAndVariables) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(host_request(R"(
#include <cstdio>
__constant__ int factor;
__managed__ int offset;
__global__ void show(int *a, int *b, int *m) { printf("%d %d %d %d %d\n", a[0], a[1], b[0], m[1], factor + offset); a[0] += 10; m[1] *= 2; }
int main() {
  int *a, *b, *m, one = 1, two = 20;
  cudaMalloc(&a, 8); cudaMalloc(&b, 8); cudaMallocManaged(&m, 8);
  int h[2] = {3, 4};
  cudaMemcpy(a, h, 8, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, 8);
  m[1] = 5;
  cudaMemcpyToSymbol(factor, &one, 4);
  show<<<1, 1>>>(a, b, m);
  cudaMemcpy(b, a, 4, cudaMemcpyDeviceToDevice);
  cudaMemset(a + 1, 1, 4);
  m[0] = 9;
  cudaMemcpyToSymbol(factor, &two, 4);
  offset = 300;
  show<<<1, 1>>>(a, b, m);
  int *t = a; a = b; b = t;
  cudaMemcpy(h, b, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(a, h, 8, cudaMemcpyHostToDevice);
  show<<<1, 1>>>(a, b, m);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(all_printed(s), "3 4 0 5 1\n13 16843009 13 10 320\n23 16843009 23 20 320\n");
  ASSERT_EQ(s.launches.size(), 3u);
  EXPECT_EQ(s.launches[0].before,
            (std::vector<std::string>{"line 8 allocates 8 bytes for `m`, and 4 of them are set, from byte 4 on"}));
  ASSERT_GE(s.launches[1].before.size(), 4u);
  EXPECT_EQ(s.launches[1].before[0], "line 15 copies 4 bytes of `a` to `b`");
  EXPECT_EQ(session.ending(), Ending::good);
}

TEST(HostSteps, NumbersOfAnotherNameKeepTheirType) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(host_request(R"(
#include <cstdio>
#include <cuda_fp16.h>
#define DATA_TYPE float
using FP = float;
typedef double real;
typedef __half H;
__global__ void show(FP a, const real b, DATA_TYPE c, H h, float d) {
  printf("%g %g %g %g %g\n", a, b, c, __half2float(h), d);
}
template <typename T> __global__ void scaled(T a, T *x) { printf("%g\n", (double)(float)a); }
int main() {
  show<<<1, 1>>>(2, 3, 4, __float2half(5), 6);
  show<<<1, 1>>>(2.5, 3.5, 4.5, __float2half(5.5f), 6.5f);
  __half *h; double *d;
  cudaMalloc(&h, 8); cudaMalloc(&d, 8);
  scaled<<<1, 1>>>(__float2half(7), h);
  scaled<double><<<1, 1>>>(8, d);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(all_printed(s), "2 3 4 5 6\n2.5 3.5 4.5 5.5 6.5\n7\n8\n");
}

TEST(HostSteps, ReferencesAndOverloadsOfKernels) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(host_request(R"(
#include <cstdio>
struct Element { int value; int *list; };
__global__ void show(Element &e, const int &n) { printf("%d %d %d\n", e.value, e.list[n], n); e.value++; }
__global__ void show(int n) { printf("%d\n", n); }
int main() {
  Element *e; int *n;
  cudaMallocManaged(&e, sizeof(Element)); cudaMallocManaged(&n, 4);
  cudaMallocManaged(&e->list, 8);
  e->value = 10; e->list[0] = 3; e->list[1] = 4; *n = 1;
  show<<<1, 1>>>(*e, *n);
  show<<<1, 1>>>(*e, e->list[0]);
  show<<<1, 1>>>(77);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(all_printed(s).substr(0, 7), "10 4 1\n");
  EXPECT_NE(all_printed(s).find("\n77\n"), std::string::npos) << all_printed(s);
}

TEST(HostSteps, MathConstantsNeedNoInclude) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(host_request(R"(
#ifndef M_PI
#define M_PI 3.0f
#endif
__global__ void f() { printf("%g %g %g %d\n", -INFINITY, M_PI, M_SQRT1_2, INT_MAX > 0 ? isnan(NAN) : 5); }
int main() { f<<<1, 1>>>(); }
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(all_printed(s), "-inf 3.14159 0.707107 1\n");
}

TEST(HostSteps, ListsInManagedMemoryAreFollowed) {
  NEEDS_NVRTC();
  Session session;
  const results::Summary& s = session.run(host_request(R"(
#include <cstdio>
struct Node { int key; Node *next; };
__global__ void walk(Node *n) { for (; n; n = n->next) { printf("%d ", n->key); n->key += 100; } }
int main() {
  Node *first = nullptr;
  for (int i = 0; i < 4; i++) { Node *n; cudaMallocManaged(&n, sizeof(Node)); n->key = i; n->next = first; first = n; }
  walk<<<1, 1>>>(first);
  walk<<<1, 1>>>(first);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_TRUE(s.faults.empty());
  EXPECT_EQ(all_printed(s), "3 2 1 0 103 102 101 100 ");
}

/// Probed runs see the same, and the recorded launch begins with what the host has put there.
TEST(HostSteps, ClaimsOfALaterLaunch) {
  NEEDS_NVRTC();
  RunRequest request = host_request(R"(
__global__ void load(int *a, int *out) {
  int x = a[threadIdx.x];
  // x has register assignment:
  //   thread: t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
  out[threadIdx.x] = x;
}
int main() {
  int *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 128);
  load<<<1, 32>>>(a, b);
  cudaMemset(a, 7, 128);
  load<<<1, 32>>>(a, b);
}
)");
  request.record_launch = 1;
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_TRUE(s.ok) << test::all_words(s);
  const auto out = std::ranges::find(session.outputs(), "out", &Output::name);
  ASSERT_NE(out, session.outputs().end());
  EXPECT_TRUE(std::ranges::all_of(
      s.claims, [](const results::ClaimInfo& c) { return c.result.verdict == claims::Verdict::holds; }));
}

/// The step limit says that the run was cut, not that the kernel is wrong.
TEST(HostSteps, TheStepLimitIsNoError) {
  RunRequest request = test::ptx_request();
  request.max_steps = 3;
  Session session;
  const results::Summary& s = session.run(request);
  ASSERT_EQ(s.faults.size(), 1u);
  EXPECT_TRUE(s.faults[0].only_cut);
  EXPECT_EQ(session.ending(), Ending::cannot_here);
  const std::vector<results::Problem> problems = results::problems_of(s);
  EXPECT_EQ(results::count(problems).errors, 0);
  EXPECT_EQ(results::count(problems).warnings, 1);
  EXPECT_EQ(problems.front().title, "cut at the step limit");
}

}  // namespace
}  // namespace lanescope::engine
