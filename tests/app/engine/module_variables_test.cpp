// __device__ and __constant__ variables: what the host code copies there, and what one launch leaves for the next.

#include <cstring>
#include <random>

#include <fmt/format.h>

#include "kernels/source/cxx/declaration.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine::test {
namespace {

template <class T>
std::vector<T> values(const Session& session, const std::string& name) {
  const Output& o = output(session, name);
  std::vector<T> out(o.bytes.size() / sizeof(T));
  std::memcpy(out.data(), o.bytes.data(), out.size() * sizeof(T));
  return out;
}

RunRequest request_of(const std::string& text) {
  RunRequest r;
  r.file = "/tmp/variables.cu";
  r.text = text;
  return r;
}

TEST(ModuleVariables, HoldWhatTheHostCopiesWhereverTheyAreDeclared) {
  NEEDS_NVRTC();
  Session session;
  ASSERT_TRUE(session
                  .run(request_of(R"(
static __constant__ float coef[4];
namespace filt { __constant__ float more[4]; }
__device__ int scale, unused;
__global__ void k(float *q) { q[threadIdx.x] = coef[threadIdx.x & 3] * scale + filt::more[threadIdx.x & 3]; }
int main() {
  float h[4] = {1, 2, 3, 4}, g[4] = {10, 20, 30, 40};
  int s = 2;
  cudaMemcpyToSymbol(coef, h, sizeof(h));
  cudaMemcpyToSymbol(filt::more, g, sizeof(g));
  cudaMemcpyToSymbol(scale, &s, sizeof(s));
  float *q;
  cudaMalloc(&q, 32 * sizeof(float));
  k<<<1, 32>>>(q);
}
)"))
                  .ok);
  const std::vector<float> q = values<float>(session, "q");
  ASSERT_EQ(q.size(), 32U);
  for (std::size_t i = 0; i < q.size(); ++i)
    EXPECT_EQ(q[i], static_cast<float>(i % 4 + 1) * 2 + static_cast<float>(10 * (i % 4 + 1)));
  EXPECT_EQ(values<float>(session, "coef"), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(output(session, "filt::more").element_type, "f32");
  EXPECT_EQ(values<int>(session, "scale"), std::vector<int>{2});
}

TEST(ModuleVariables, KeepWhatALaunchLeaves) {
  NEEDS_NVRTC();
  std::mt19937 random(3);
  for (int trial = 0; trial < 6; ++trial) {
    const int launches = 1 + static_cast<int>(random() % 5);
    std::string text = "/*\n[lanescope]\nblock = 32\n";
    for (int i = 0; i < launches; ++i)
      text += fmt::format("[[launch]]\nkernel = \"step\"\nargs = [\"q\", {}]\n", i + 1);
    text += R"([buffers]
q = "s32 n:8 = zeros"
*/
__device__ int counter = 100;
__device__ int history[8];
__global__ void __launch_bounds__(32) step(int *q, int by) {
  if (threadIdx.x != 0) return;
  counter += by;
  history[by] = counter;
  q[by] = history[by - 1] + counter;
}
)";
    Session session;
    ASSERT_TRUE(session.run(request_of(text)).ok);
    int counter = 100, before = 0;
    std::vector<int> q(8), history(8);
    for (int by = 1; by <= launches; ++by) {
      counter += by;
      history[static_cast<std::size_t>(by)] = counter;
      q[static_cast<std::size_t>(by)] = before + counter;
      before = counter;
    }
    EXPECT_EQ(values<int>(session, "q"), q);
    EXPECT_EQ(values<int>(session, "counter"), std::vector<int>{counter});
    EXPECT_EQ(values<int>(session, "history"), history);
  }
}

TEST(ModuleVariables, OfOneNameAreNotGuessed) {
  NEEDS_NVRTC();
  Session session;
  const auto summary = session.run(request_of(R"(
namespace a { __constant__ int c; }
namespace b { __constant__ int c; }
__global__ void k(int *q) { q[threadIdx.x] = a::c + b::c; }
int main() {
  int s = 2, *q;
  cudaMemcpyToSymbol(a::c, &s, sizeof(s));
  cudaMalloc(&q, 32 * sizeof(int));
  k<<<1, 32>>>(q);
}
)"));
  ASSERT_TRUE(summary.ok);
  EXPECT_TRUE(std::ranges::any_of(summary.diagnostics, [](const Diagnostic& d) {
    return d.message.find("several variables are called `c`") != std::string::npos;
  }));
}

TEST(ModuleVariables, WhatTheHostCopiesBetweenLaunchesIsSaid) {
  NEEDS_NVRTC();
  Session session;
  const auto summary = session.run(request_of(R"(
__constant__ int c;
__global__ void k(int *q) { q[threadIdx.x] += c; }
int main() {
  int s = 2, *q;
  cudaMalloc(&q, 32 * sizeof(int));
  cudaMemset(q, 0, 32 * sizeof(int));
  cudaMemcpyToSymbol(c, &s, sizeof(s));
  k<<<1, 32>>>(q);
  s = 5;
  cudaMemcpyToSymbol(c, &s, sizeof(s));
  k<<<1, 32>>>(q);
}
)"));
  ASSERT_TRUE(summary.ok);
  const int q = values<int>(session, "q").front();
  const bool said = std::ranges::any_of(summary.assumed, [](const source::Assumption& a) { return a.name == "c"; });
  EXPECT_TRUE(q == 7 || (q == 4 && said)) << q;
}

TEST(VariableName, IsThatOfTheSource) {
  EXPECT_EQ(source::variable_name("coef"), "coef");
  EXPECT_EQ(source::variable_name("_ZL4coef"), "coef");
  EXPECT_EQ(source::variable_name("_ZN4filt4moreE"), "filt::more");
  EXPECT_EQ(source::variable_name("_ZN12_GLOBAL__N_14moreE"), "more");
  EXPECT_EQ(source::variable_name("_ZN3TabILi4EE1tE"), "");
  EXPECT_EQ(source::variable_name("_Z"), "");
  EXPECT_EQ(source::variable_name("_Z99x"), "");
}

TEST(DeviceVariables, AreFoundInDeclarations) {
  const source::Lexed lexed = source::lex(R"(
__device__ int f(int x) { return x; }
__constant__ float a, b[3] = {1, 2, 3}, c;
static __device__ unsigned char bytes[16][2];
__device__ const float4 *pointer;
extern __constant__ struct S s;
__managed__ int m{3}, n = 4;
__device__
)");
  std::string found;
  for (const source::DeviceVariable& v : source::device_variables(lexed))
    found += fmt::format("{} {} {}\n", v.name, v.element_type, v.line);
  EXPECT_EQ(found, "a f32 3\nb f32 3\nc f32 3\nbytes u8 4\npointer  5\ns  6\nm s32 7\nn s32 7\n");
}

}  // namespace
}  // namespace lanescope::engine::test
