// Numbers of instructions: kernels with a known number of each, compiled for every architecture that the compiler has.

#include "kernels/compile/cubin/cubin_file.h"

#include <charconv>

#include <gtest/gtest.h>

#include "kernels/compile/compile.h"

namespace lanescope::compile {
namespace {

constexpr std::string_view kernels = R"(/*
[lanescope]
kernel = "shuffles"
block = 32

[buffers]
p = "u32 i:128"
*/
extern "C" __global__ void shuffles(unsigned* p) {
  unsigned x = p[threadIdx.x];
  x = __shfl_xor_sync(~0u, x, 1);
  x = __shfl_sync(~0u, x, x & 31);
  p[threadIdx.x] = __shfl_sync(~0u, x, threadIdx.x * 3 & 31);
}
extern "C" __global__ void permutes(unsigned* p) {
  unsigned x = p[threadIdx.x], y = p[threadIdx.x + 32];
  x = __byte_perm(x, y, 0x5140);
  x = __byte_perm(x, y, y);
  p[threadIdx.x] = x;
  p[threadIdx.x + 32] = __byte_perm(x, y, 0x6240);
}
extern "C" __global__ void selects(unsigned* p) {
  const unsigned x = p[threadIdx.x], y = p[threadIdx.x + 32], z = p[threadIdx.x + 64], w = p[threadIdx.x + 96];
  const bool odd = threadIdx.x & 1;
  p[threadIdx.x] = odd ? x : y;
  p[threadIdx.x + 32] = odd ? y : x;
  p[threadIdx.x + 64] = odd ? z : w;
  p[threadIdx.x + 96] = odd ? w : z;
}
extern "C" __global__ void shared_memory(unsigned* p) {
  __shared__ unsigned s[64];
  const unsigned x = p[threadIdx.x], y = p[threadIdx.x + 32];
  s[threadIdx.x] = x;
  s[threadIdx.x + 32] = y;
  __syncthreads();
  p[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void matrices(unsigned* p) {
  __shared__ uint4 s[64];
  unsigned x = p[threadIdx.x], y;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x));
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(x) : "memory");
#endif
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(y) : "r"(at) : "memory");
  p[threadIdx.x] = x + y;
}
)";

TEST(MachineCounts, AreThoseOfTheText) {
  if (!toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  int architectures = 0;
  for (const int number : {75, 80, 86, 89, 90, 100, 120}) {
    source::ReadOptions options;
    options.target.architecture = number;
    const auto source = source::read("kernels.cu", kernels, options);
    ASSERT_TRUE(source) << to_string(source.error().front());
    const auto outcome = compile(*source, Variant::plain, {.arch = "sm_" + std::to_string(number), .extra = {}});
    ASSERT_TRUE(outcome) << to_string(outcome.error().front());
    if (outcome->compiled.arch != "sm_" + std::to_string(number)) continue;
    ++architectures;
    const auto& found = outcome->compiled.machine;
    ASSERT_EQ(found.size(), 5U) << number;
    EXPECT_EQ(found.at("shuffles").shuffles, 3) << number;
    EXPECT_EQ(found.at("permutes").permutes, 3) << number;
    EXPECT_EQ(found.at("selects").selects, 4) << number;
    EXPECT_EQ(found.at("selects").shuffles, 0) << number;
    EXPECT_EQ(found.at("shared_memory").shared_stores, 2) << number;
    EXPECT_EQ(found.at("shared_memory").shared_loads, 1) << number;
    EXPECT_EQ(found.at("shared_memory").barriers, 1) << number;
    EXPECT_EQ(found.at("matrices").matrices, 2) << number;
    EXPECT_EQ(found.at("matrices").matrix_loads, 1) << number;
    EXPECT_EQ(found.at("matrices").matrix_stores, number >= 90 ? 1 : 0) << number;
    EXPECT_EQ(found.at("matrices").barriers, 0) << number;
    for (const auto& [name, counts] : found) {
      EXPECT_GT(counts.all, 5) << name;
      EXPECT_LT(counts.all, 40) << name << ", padding is not counted";
    }
  }
  EXPECT_GT(architectures, 2);
}

TEST(MachineCounts, WhatIsNoMachineCodeHasNone) {
  EXPECT_TRUE(machine_counts("").empty());
  EXPECT_TRUE(machine_counts("\x7f"
                             "ELF")
                  .empty());
  std::string broken =
      "\x7f"
      "ELF";
  broken.resize(64, '\xff');  // sections beyond the end
  EXPECT_TRUE(machine_counts(broken).empty());
}

TEST(MachineCounts, Differences) {
  const MachineCounts a{.shuffles = 8, .selects = 20, .logic = 3, .all = 50}, b{.selects = 1, .logic = 1, .all = 20};
  EXPECT_EQ((a - b), (MachineCounts{.shuffles = 8, .selects = 19, .logic = 2, .all = 30}));
  EXPECT_EQ(machine_counts_in_words(a - b), "8 SHFL, 19 SEL, 2 LOP3 or SHF, 1 others");
}

}  // namespace
}  // namespace lanescope::compile
