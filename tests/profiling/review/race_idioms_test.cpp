// The race_idioms that every CUDA program is made of, right and wrong: right ones have no race, and wrong ones have the race
// that they are known for.

#include <algorithm>
#include <filesystem>
#include <set>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

struct RaceIdiom {
  const char* name;
  const char* launch;  ///< grid, block and buffers
  const char* code;
  std::set<std::string> races;  ///< rules that find one
};

const char* const one_block = "block = 128\n\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:1024 = zeros\"";
const char* const four_blocks =
    "grid = 4\nblock = 128\n\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:1024 = zeros\"\nn = \"u32 i:64 = zeros\"";

const RaceIdiom race_idioms[] = {
    {"BlockReduction",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 64; i > 0; i /= 2) {
    if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) q[0] = s[0];
})",
     {}},
    {"BlockReductionWithoutTheBarrierOfTheLoop",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 64; i > 16; i /= 2)
    if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
  __syncthreads();
  if (threadIdx.x == 0) q[0] = s[0];
})",
     {"barrier-missing"}},
    {"ReductionByShuffles",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[4];
  float sum = p[threadIdx.x];
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xffffffff, sum, i);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < 4 ? s[threadIdx.x] : 0.0f;
    for (int i = 2; i > 0; i /= 2) sum += __shfl_down_sync(0xffffffff, sum, i);
    if (threadIdx.x == 0) q[0] = sum;
  }
})",
     {}},
    {"UnrolledWarpWithVolatile",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float* v = s;
    v[threadIdx.x] += v[threadIdx.x + 32];
    v[threadIdx.x] += v[threadIdx.x + 16];
    v[threadIdx.x] += v[threadIdx.x + 8];
  }
  if (threadIdx.x == 0) q[0] = s[0];
})",
     {"warp-sync-missing"}},
    {"UnrolledWarpWithSyncwarp",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) {
    float v = s[threadIdx.x];
    for (int i = 32; i > 0; i /= 2) {
      v += s[threadIdx.x + i];
      __syncwarp();
      s[threadIdx.x] = v;
      __syncwarp();
    }
    if (threadIdx.x == 0) q[0] = v;
  }
})",
     {}},
    // Here the compiler lets all threads read, and all but one discard it.
    {"OneThreadReadsItsOwn",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  float v = 1.0f;
  if (threadIdx.x == 0) v = s[0];
  q[threadIdx.x] = v;
})",
     {}},
    {"OneThreadReadsAnothers",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x ^ 32] = p[threadIdx.x];
  float v = 1.0f;
  if (threadIdx.x == 0) v = s[0];
  q[threadIdx.x] = v;
})",
     {"barrier-missing"}},
    {"ScanInTwoBuffers",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[2][128];
  int from = 0;
  s[0][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 1; i < 128; i *= 2, from ^= 1) {
    s[from ^ 1][threadIdx.x] = s[from][threadIdx.x] + (threadIdx.x >= i ? s[from][threadIdx.x - i] : 0.0f);
    __syncthreads();
  }
  q[threadIdx.x] = s[from][threadIdx.x];
})",
     {}},
    {"ScanInOneBuffer",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 1; i < 128; i *= 2) {
    if (threadIdx.x >= i) s[threadIdx.x] += s[threadIdx.x - i];
    __syncthreads();
  }
  q[threadIdx.x] = s[threadIdx.x];
})",
     {"barrier-missing", "warp-sync-missing"}},
    {"ScanInOneBufferWithTwoBarriers",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 1; i < 128; i *= 2) {
    float add = threadIdx.x >= i ? s[threadIdx.x - i] : 0.0f;
    __syncthreads();
    s[threadIdx.x] += add;
    __syncthreads();
  }
  q[threadIdx.x] = s[threadIdx.x];
})",
     {}},
    {"LastBlock",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, volatile float* q, unsigned* n) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    q[blockIdx.x] = p[blockIdx.x];
    __threadfence();
    last = atomicInc(n, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < 4) q[8 + threadIdx.x] = q[3 - threadIdx.x];
})",
     {}},
    {"LastBlockWithFencesOfAllThreads",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  __shared__ bool last;
  q[blockIdx.x * 128 + threadIdx.x] = p[blockIdx.x * 128 + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(n, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) q[512 + threadIdx.x] = q[511 - threadIdx.x] + q[threadIdx.x];
})",
     {}},
    {"LastBlockWithoutFence",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  __shared__ bool last;
  q[blockIdx.x * 128 + threadIdx.x] = p[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(n, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) q[512 + threadIdx.x] = q[511 - threadIdx.x] + q[threadIdx.x];
})",
     {"global-unordered"}},
    {"FenceOfABlockBetweenBlocks",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  if (threadIdx.x != 0) return;
  q[blockIdx.x] = p[blockIdx.x];
  __threadfence_block();
  if (atomicAdd(n, 1) == gridDim.x - 1) q[8] = q[0] + q[1] + q[2] + q[3];
})",
     {"global-unordered"}},
    {"GridSync",
     four_blocks,
     R"(
__device__ void grid_sync(unsigned* n, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(n, 1);
    while (*(volatile unsigned*)n < round * gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
}
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  int at = blockIdx.x * 128 + threadIdx.x;
  q[at] = p[at];
  grid_sync(n, 1);
  q[512 + at] = q[511 - at];
  grid_sync(n, 2);
  q[at] = q[1023 - at];
})",
     {}},
    {"HistogramInSharedMemory",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[__float_as_uint(p[blockIdx.x * 128 + threadIdx.x]) >> 20 & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&n[threadIdx.x], bins[threadIdx.x]);
})",
     {}},
    {"HistogramWithoutAtomics",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x & 15]++;
  __syncthreads();
  if (threadIdx.x < 16) q[threadIdx.x] = bins[threadIdx.x];
})",
     {"warp-sync-missing", "barrier-missing"}},
    {"TwoBuffersOneBarrier",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[2][128];
  float sum = 0.0f;
  s[0][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 6; ++i) {
    if (i < 5) s[(i + 1) % 2][threadIdx.x] = p[(i + 1) * 128 + threadIdx.x];
    sum += s[i % 2][127 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
})",
     {}},
    {"OneBufferOneBarrier",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  float sum = 0.0f;
  for (int i = 0; i < 6; ++i) {
    s[threadIdx.x] = p[i * 128 + threadIdx.x];
    __syncthreads();
    sum += s[127 - threadIdx.x];
  }
  q[threadIdx.x] = sum;
})",
     {"barrier-missing"}},
    {"ProducerAndConsumerByNamedBarriers",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[64];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = p[threadIdx.x];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    q[threadIdx.x] = s[127 - threadIdx.x];
  }
})",
     {}},
    {"TheProducerDoesNotWaitForTheConsumer",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[64];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = p[threadIdx.x];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    s[threadIdx.x] = p[threadIdx.x + 64];
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    q[threadIdx.x] = s[127 - threadIdx.x];
  }
})",
     {"barrier-missing"}},
    {"SpinLock",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(n, 0u, 1u) != 0) {}
  __threadfence();
  q[0] = q[0] + p[blockIdx.x];
  __threadfence();
  atomicExch(n, 0u);
})",
     {}},
    {"SpinLockWithoutFences",
     four_blocks,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(n, 0u, 1u) != 0) {}
  q[0] = q[0] + p[blockIdx.x];
  atomicExch(n, 0u);
})",
     {"global-unordered"}},
    {"CopyAsynchronously",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[2][128];
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[0][threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(p + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + 512), "l"(p + 128 + threadIdx.x));
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  q[threadIdx.x] = s[0][127 - threadIdx.x] + s[1][threadIdx.x ^ 40];
})",
     {}},
    {"CopyAsynchronouslyWithoutBarrier",
     one_block,
     R"(
__global__ void __launch_bounds__(128) k(const float* p, float* q) {
  __shared__ float s[128];
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(p + threadIdx.x));
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  q[threadIdx.x] = s[127 - threadIdx.x];
})",
     {"barrier-missing"}},
};

class RaceIdioms : public ::testing::TestWithParam<RaceIdiom> {};

TEST_P(RaceIdioms, HaveTheRacesThatTheyAreKnownFor) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const RaceIdiom& idiom = GetParam();
  const Reviewed r = reviewed(std::string("/*\nAn idiom.\n\n[lanescope]\n") + idiom.launch + "\n*/" + idiom.code);
  EXPECT_EQ(r.problem, "");
  std::set<std::string> found;
  for (const Finding& f : r.findings) {
    const bool race = f.rule == "barrier-missing" || f.rule == "warp-sync-missing" || f.rule == "global-unordered" ||
                      f.rule == "same-value-writes";
    if (!race) continue;
    found.insert(f.rule);
    ASSERT_GE(f.evidence.interleaving.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(f.evidence.interleaving, {}, &access::ThreadAccess::step));
    EXPECT_EQ(f.evidence.sides.size(), 2u);
  }
  EXPECT_EQ(found, idiom.races) << words(r);
}

// A verdict about races is one about the program: the schedule that happens to run must not matter.
TEST_P(RaceIdioms, AreJudgedAlikeInManySchedules) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const RaceIdiom& idiom = GetParam();
  std::set<std::string> expected = idiom.races;
  expected.erase("same-value-writes");
  const auto found =
      races_by_seed(std::string("/*\nAn idiom.\n\n[lanescope]\n") + idiom.launch + "\n*/" + idiom.code, schedules());
  ASSERT_EQ(found.size(), schedules());
  for (std::size_t seed = 0; seed < found.size(); ++seed) EXPECT_EQ(found[seed].empty(), expected.empty()) << seed + 1;
}

// A flag alone orders nothing between blocks: the missing fence is reported, with its scope.
TEST(RaceRemedies, SayWhatAFlagBetweenBlocksNeeds) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const auto kernel = [](const std::string& set, const std::string& wait) {
    return std::string("/*\nA flag.\n\n[lanescope]\n") + four_blocks +
           "\n*/\n__global__ void __launch_bounds__(128) k(const float* p, float* q, unsigned* n) {\n"
           "  if (blockIdx.x == 0 && threadIdx.x == 0) { q[0] = p[5]; " +
           set + " }\n  if (blockIdx.x == 1 && threadIdx.x == 0) {\n    unsigned v = 0;\n    while (v == 0) " + wait +
           "\n    q[1] = q[0];\n  }\n}\n";
  };
  const std::string volatile_store = "*(volatile unsigned*)n = 1;", volatile_load = "v = *(volatile unsigned*)n;";
  const auto store = [](const std::string& how) {
    return "asm volatile(\"st." + how + ".global.u32 [%0], 1;\" ::\"l\"(n) : \"memory\");";
  };
  const auto load = [](const std::string& how) {
    return "asm volatile(\"ld." + how + ".global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(n) : \"memory\");";
  };
  const auto remedies = [](const std::string& text) {
    const Reviewed r = reviewed(text);
    EXPECT_EQ(r.problem, "");
    std::string out;
    for (const Finding& f : of_rule(r, "global-unordered")) out += f.remedy + "\n";
    return out;
  };
  const std::string fence = "add __threadfence() before it is set", scope = "a scope that includes both blocks";
  EXPECT_NE(remedies(kernel(volatile_store, volatile_load)).find(fence), std::string::npos);
  EXPECT_NE(remedies(kernel(store("relaxed.gpu"), load("relaxed.gpu"))).find(fence), std::string::npos);
  EXPECT_NE(remedies(kernel("atomicAdd(n, 1u);", "v = atomicAdd(n, 0u);")).find(fence), std::string::npos);
  EXPECT_NE(remedies(kernel(store("release.cta"), load("acquire.cta"))).find(scope), std::string::npos);
  EXPECT_EQ(remedies(kernel("__threadfence(); " + volatile_store, volatile_load)), "");
  EXPECT_EQ(remedies(kernel(store("release.gpu"), load("acquire.gpu"))), "");
}

// Which cure is named depends on the conflicting threads.
TEST(RaceRemedies, NameTheCureOfWhoMeets) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const auto remedies = [](const std::string& launch, const std::string& body) {
    const Reviewed r = reviewed("/*\nA kernel.\n\n[lanescope]\n" + launch +
                                "\n\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:1024 = zeros\"\nn = \"u32 i:64 = "
                                "zeros\"\n*/\n__global__ void __launch_bounds__(64) k(const float* p, float* q, "
                                "unsigned* n) {\n" +
                                body + "\n}\n");
    EXPECT_EQ(r.problem, "");
    std::string out;
    for (const Finding& f : r.findings)
      if (is_race(f) || f.rule == "volatile-unordered" || f.rule == "lock-unfenced") out += f.remedy + "\n";
    return out;
  };
  const auto expect = [&](const char* launch, const std::string& body, const char* words, const char* without) {
    const std::string said = remedies(launch, body);
    EXPECT_NE(said.find(words), std::string::npos) << body << "\n" << said;
    EXPECT_EQ(said.find(without), std::string::npos) << body << "\n" << said;
  };
  const char *lanes = "block = 32", *warps = "block = 64", *blocks = "grid = 2\nblock = 32";
  const std::string exchange =
      "__shared__ float s[64]; s[threadIdx.x] = p[threadIdx.x]; q[threadIdx.x] = s[threadIdx.x ^ ";
  expect(lanes, exchange + "1];", "__syncwarp()", "__syncthreads()");
  expect(warps, exchange + "32];", "__syncthreads()", "__syncwarp()");
  expect(blocks, "q[64 * blockIdx.x] = p[0]; if (threadIdx.x == 0) q[1 + blockIdx.x] = q[64 - 64 * blockIdx.x];",
         "second launch", "__sync");
  const std::string take = "while (!done) if (atomicCAS(n, 0u, 1u) == 0u) { ",
                    give = "atomicExch(n, 0u); done = true; }";
  for (const char* launch : {lanes, warps, blocks}) {
    expect(launch, "bool done = false; " + take + "q[0] += p[threadIdx.x]; " + give,
           "orders no memory: add __threadfence() after taking it and before releasing it", "__sync");
    expect(launch, "bool done = false; " + take + "__threadfence(); q[0] += p[threadIdx.x]; " + give,
           "__threadfence() before releasing it", "__sync");
    EXPECT_EQ(remedies(launch, "bool done = false; " + take +
                                   "__threadfence(); q[0] += p[threadIdx.x]; __threadfence(); " + give),
              "");
    expect(launch,
           "unsigned old = *n, was; do { was = old; old = atomicCAS(n, was, was * 3u + threadIdx.x); } while (old != "
           "was);",
           launch == blocks ? "atomic" : "no barrier helps", "add __sync");
  }
  expect(blocks,
         "if (threadIdx.x != 0) return; if (blockIdx.x == 0) { q[0] = p[5]; __threadfence_block(); atomicExch(n, 1u); "
         "} else "
         "{ while (atomicAdd(n, 0u) == 0u) {} q[1] = q[0]; }",
         "__threadfence() instead of __threadfence_block()", "__sync");
}

class RaceKernels : public ::testing::TestWithParam<std::string> {};

// The kernels of the rules about races: each faulty one is caught, and each right one clean, under any schedule.
TEST_P(RaceKernels, AreJudgedAlikeInManySchedules) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string& file = GetParam();
  const auto found = races_by_seed(file_text(LANESCOPE_TEST_DATA_DIR "/review/" + file), schedules());
  ASSERT_EQ(found.size(), schedules()) << file;
  const std::string rule = file.substr(0, file.find('/'));
  const bool faulty = file.find("/trip") != std::string::npos;
  for (std::size_t seed = 0; seed < found.size(); ++seed)
    EXPECT_EQ(found[seed].contains(rule), faulty) << file << ", seed " << seed + 1;
}

std::vector<std::string> race_kernels() {
  std::vector<std::string> out;
  for (const char* rule : {"barrier-missing", "warp-sync-missing", "global-unordered", "copy-not-awaited",
                           "cluster-lifetime", "volatile-unordered", "lock-unfenced"})
    for (const auto& f : std::filesystem::directory_iterator(std::string(LANESCOPE_TEST_DATA_DIR "/review/") + rule))
      if (f.path().extension() == ".cu") out.push_back(std::string(rule) + "/" + f.path().filename().string());
  std::ranges::sort(out);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Files, RaceKernels, ::testing::ValuesIn(race_kernels()), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
});

INSTANTIATE_TEST_SUITE_P(Kernels, RaceIdioms, ::testing::ValuesIn(race_idioms),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanescope::review
