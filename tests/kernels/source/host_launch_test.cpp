// What host code says of a launch, and that nothing is guessed where it does not say it in constants.

#include <gtest/gtest.h>

#include "kernels/source/host_launch.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

using Extents = std::array<std::uint32_t, 3>;

HostLaunch only(const std::string& text) {
  const std::vector<HostLaunch> all = host_launches(lex(text));
  EXPECT_EQ(all.size(), 1U) << text;
  return all.empty() ? HostLaunch{} : all[0];
}

TEST(HostLaunch, ConstantsOfTheText) {
  const HostLaunch l = only(
      "#define BLOCK 256\nint main() {\n const int n = 1 << 20; float *d; cudaMalloc((void**)&d, n * sizeof(float));\n"
      " dim3 block(32, BLOCK / 32);\n f<<<(n + BLOCK - 1) / BLOCK, block, 2 * sizeof(double)>>>(d, n, 3);\n}\n");
  EXPECT_EQ(l.kernel, "f");
  EXPECT_EQ(l.line, 5);
  EXPECT_EQ(l.grid, (Extents{4096, 1, 1}));
  EXPECT_EQ(l.block, (Extents{32, 8, 1}));
  EXPECT_EQ(l.shared_bytes, 16U);
  ASSERT_EQ(l.arguments.size(), 3U);
  EXPECT_EQ(l.arguments[0].bytes, std::uint64_t{4} << 20);
  EXPECT_EQ(l.arguments[1].value, 1 << 20);
  EXPECT_EQ(l.arguments[2].value, 3);
}

TEST(HostLaunch, Dim3InItsForms) {
  EXPECT_EQ(only("void g() { f<<<dim3(2, 3, 4), 8>>>(); }").grid, (Extents{2, 3, 4}));
  EXPECT_EQ(only("void g() { dim3 b = dim3(8, 4); f<<<1, b>>>(); }").block, (Extents{8, 4, 1}));
  EXPECT_EQ(only("void g() { dim3 b{16, 2}; f<<<1, b>>>(); }").block, (Extents{16, 2, 1}));
  EXPECT_EQ(only("void g() { dim3 b(16, 2); f<<<b.x * b.y, 1>>>(); }").grid, (Extents{32, 1, 1}));
}

TEST(HostLaunch, InstancesOfTemplates) {
  EXPECT_EQ(only("void g() { f<float, 4><<<1, 32>>>(); }").kernel, "f<float,4>");
}

TEST(HostLaunch, WhatIsNoConstantStaysUnknown) {
  EXPECT_FALSE(only("int main(int n) { f<<<n, 32>>>(n); }").grid);
  EXPECT_FALSE(only("void g() { f<<<blocks(7), 32>>>(); }").grid);
  EXPECT_FALSE(only("void g() { int a = a; f<<<a, 32>>>(); }").grid);
  EXPECT_FALSE(only("void g() { f<<<1 / 0, 32>>>(); }").grid);
  EXPECT_TRUE(host_launches(lex("a << < b; x <<< y; z>>>w;")).empty());
}

TEST(HostLaunch, CompletesAHeader) {
  const Source s = read_well(
      "__global__ void f(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }\n"
      "int main() { const int n = 96; int* d; cudaMalloc(&d, n * sizeof(int)); f<<<3, 64>>>(d, n / 2); }\n");
  EXPECT_EQ(s.header.launches[0].grid, (Extents{3, 1, 1}));
  EXPECT_EQ(s.header.launches[0].block, (Extents{64, 1, 1}));
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[1].value), 48);
  EXPECT_EQ(s.header.buffers[0].elements, 96U);
}

}  // namespace
}  // namespace lanescope::source
