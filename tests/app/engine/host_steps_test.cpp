// What the host does between launches, performed: the second launch sees what the program gives it.

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
__global__ void tell(int *a, int *b, int *m) { printf("%d %d %d %d %d\n", a[0], a[1], b[0], m[1], factor + offset); a[0] += 10; m[1] *= 2; }
int main() {
  int *a, *b, *m, one = 1, two = 20;
  cudaMalloc(&a, 8); cudaMalloc(&b, 8); cudaMallocManaged(&m, 8);
  int h[2] = {3, 4};
  cudaMemcpy(a, h, 8, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, 8);
  m[1] = 5;
  cudaMemcpyToSymbol(factor, &one, 4);
  tell<<<1, 1>>>(a, b, m);
  cudaMemcpy(b, a, 4, cudaMemcpyDeviceToDevice);
  cudaMemset(a + 1, 1, 4);
  m[0] = 9;
  cudaMemcpyToSymbol(factor, &two, 4);
  offset = 300;
  tell<<<1, 1>>>(a, b, m);
  int *t = a; a = b; b = t;
  cudaMemcpy(h, b, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(a, h, 8, cudaMemcpyHostToDevice);
  tell<<<1, 1>>>(a, b, m);
}
)"));
  ASSERT_TRUE(s.ok) << test::all_words(s);
  EXPECT_EQ(all_printed(s), "3 4 0 5 1\n13 16843009 13 10 320\n23 16843009 23 20 320\n");
  ASSERT_EQ(s.launches.size(), 3u);
  EXPECT_TRUE(s.launches[0].before.empty());
  ASSERT_GE(s.launches[1].before.size(), 4u);
  EXPECT_EQ(s.launches[1].before[0], "line 15 copies 4 bytes of `a` to `b`");
  EXPECT_EQ(session.ending(), Ending::good);
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
