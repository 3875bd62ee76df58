// Locks as public code has them, with their fences and without: right ones are not complained of, and of the others it
// is the lock that is blamed, not the data.

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

struct Idiom {
  const char* name;
  const char* text;     ///< FENCE stands for a fence
  const char* taken;    ///< what stands on the line that takes the lock
  const char* without;  ///< the remedy if the fences are missing
};

constexpr const char* lacks = "orders no memory: add __threadfence() after taking it and before releasing it";

const Idiom idioms[] = {
    {"BucketsOfAHashTable",
     "__device__ void lock(unsigned *l) { while (atomicCAS(l, 0u, 1u) != 0u) {} FENCE }\n"
     "__device__ void unlock(unsigned *l) { FENCE atomicExch(l, 0u); }\n"
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  for (int i = 0; i < 8; ++i) {\n"
     "    const unsigned key = keys[blockIdx.x * 8 + i];\n"
     "    lock(&locks[key % 16]);\n"
     "    data[key % 16 * 2] += key;\n"
     "    data[key % 16 * 2 + 1] += 1;\n"
     "    unlock(&locks[key % 16]);\n  }\n}\n",
     "while (atomicCAS(l", lacks},
    // Their addresses are read again after the fence.
    {"ArrayOfLockObjects",
     "struct Lock {\n  unsigned *mutex;\n"
     "  __device__ void lock() { while (atomicCAS(mutex, 0u, 1u) != 0u) {} FENCE }\n"
     "  __device__ void unlock() { FENCE atomicExch(mutex, 0u); }\n};\n"
     "__device__ unsigned mutexes[2];\n__device__ Lock objects[2] = {{mutexes}, {mutexes + 1}};\n"
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  for (int i = 0; i < 8; ++i) {\n"
     "    const unsigned key = keys[blockIdx.x * 8 + i];\n"
     "    objects[key % 2].lock();\n"
     "    data[key % 2] += key;\n"
     "    objects[key % 2].unlock();\n  }\n}\n",
     "while (atomicCAS(mutex", lacks},
    // The compiler cannot know that both compute the same address.
    {"AddressComputedTwice",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  for (int i = 0; i < 8; ++i) {\n"
     "    const unsigned key = keys[blockIdx.x * 8 + i];\n"
     "    unsigned taken;\n"
     "    do {\n"
     "      asm volatile(\"{ .reg .u64 a; mad.wide.u32 a, %2, 4, %1; atom.global.cas.b32 %0, [a], 0, 1; }\" : "
     "\"=r\"(taken) : "
     "\"l\"(locks), \"r\"(key % 16) : \"memory\");\n"
     "    } while (taken != 0);\n"
     "    FENCE\n"
     "    data[key % 16] += key;\n"
     "    FENCE\n"
     "    asm volatile(\"{ .reg .u64 a; .reg .u32 v; mad.wide.u32 a, %1, 4, %0; atom.global.exch.b32 v, [a], 0; }\" :: "
     "\"l\"(locks), \"r\"(key % 16) : \"memory\");\n  }\n}\n",
     "atom.global.cas", lacks},
    {"TryLockWithBackoff",
     "KERNEL {\n"
     "  const unsigned key = keys[blockIdx.x * 32 + threadIdx.x], h = key % 16;\n"
     "  unsigned ns = 8;\n"
     "  bool done = false;\n"
     "  while (!done) {\n"
     "    if (atomicCAS(&locks[h], 0u, 1u) == 0u) {\n"
     "      FENCE\n"
     "      data[h] = data[h] + 1;\n"
     "      FENCE\n"
     "      atomicExch(&locks[h], 0u);\n"
     "      done = true;\n"
     "    } else {\n      __nanosleep(ns);\n      if (ns < 256) ns *= 2;\n    }\n  }\n}\n",
     "atomicCAS", lacks},
    {"TransferUnderTwoLocks",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  for (int i = 0; i < 4; ++i) {\n"
     "    const unsigned from = keys[blockIdx.x * 8 + i] % 16, to = keys[blockIdx.x * 8 + i + 4] % 16;\n"
     "    if (from == to) continue;\n"
     "    const unsigned a = min(from, to), b = max(from, to);\n"
     "    while (atomicCAS(&locks[a], 0u, 1u) != 0u) {} // first\n"
     "    while (atomicCAS(&locks[b], 0u, 1u) != 0u) {}\n"
     "    FENCE\n"
     "    data[from] -= 5;\n"
     "    data[to] += 5;\n"
     "    FENCE\n"
     "    atomicExch(&locks[b], 0u);\n"
     "    atomicExch(&locks[a], 0u);\n  }\n}\n",
     "// first", lacks},
    {"Ticket",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  const unsigned mine = atomicAdd(&locks[0], 1u);\n"
     "  while (*(volatile unsigned *)&locks[1] != mine) {}\n"
     "  FENCE\n"
     "  data[0] = data[0] + 1;\n"
     "  FENCE\n"
     "  *(volatile unsigned *)&locks[1] = mine + 1;\n}\n",
     "while (*(volatile", lacks},
    {"TicketByAtomics",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  const unsigned mine = atomicAdd(&locks[0], 1u);\n"
     "  while (atomicAdd(&locks[1], 0u) != mine) {}\n"
     "  FENCE\n"
     "  data[0] = data[0] + 1;\n"
     "  FENCE\n"
     "  atomicAdd(&locks[1], 1u);\n}\n",
     "while (atomicAdd", lacks},
    {"ReleaseByVolatileStore",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  const unsigned h = keys[blockIdx.x] % 2;\n"
     "  while (atomicCAS(&locks[h], 0u, 1u) != 0u) {}\n"
     "  FENCE\n"
     "  data[h] = data[h] + 1;\n"
     "  FENCE\n"
     "  *(volatile unsigned *)&locks[h] = 0;\n}\n",
     "atomicCAS", lacks},
    {"ReleaseByInstruction",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  const unsigned h = keys[blockIdx.x] % 3;\n"
     "  while (atomicCAS(&locks[h], 0u, 1u) != 0u) {}\n"
     "  FENCE\n"
     "  data[h] = data[h] + 1;\n"
     "  asm volatile(\"st.release.gpu.global.u32 [%0], %1;\" :: \"l\"(&locks[h]), \"r\"(0u) : \"memory\");\n}\n",
     "atomicCAS", "has no fence after taking it:"},
    {"ReleaseByInstructionOfAMaskedIndex",
     "KERNEL {\n"
     "  if (threadIdx.x != 0) return;\n"
     "  const unsigned h = keys[blockIdx.x] % 2;\n"
     "  while (atomicCAS(&locks[h], 0u, 1u) != 0u) {}\n"
     "  FENCE\n"
     "  data[h] = data[h] + 1;\n"
     "  asm volatile(\"st.release.gpu.global.u32 [%0], %1;\" :: \"l\"(&locks[h]), \"r\"(0u) : \"memory\");\n}\n",
     "atomicCAS", "has no fence after taking it:"},
};

std::string with(const Idiom& idiom, const char* fence) {
  std::string text =
      "/*\nA lock.\n\n[lanescope]\ngrid = 4\nblock = 32\n\n[buffers]\nkeys = \"u32 i:128 = random 7\"\n"
      "locks = \"u32 i:16 = zeros\"\ndata = \"u32 i:64 = zeros\"\n*/\n" +
      std::string(idiom.text);
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, from.size(), to);
  };
  replace("KERNEL", "__global__ void __launch_bounds__(32) k(const unsigned *keys, unsigned *locks, unsigned *data)");
  replace("FENCE", fence);
  return text;
}

int line_with(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

bool about_order(const Finding& f) { return is_race(f) || f.rule == "volatile-unordered" || f.rule == "lock-unfenced"; }

class LockIdioms : public ::testing::TestWithParam<Idiom> {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

TEST_P(LockIdioms, ARightLockIsNotComplainedOf) {
  const Reviewed r = reviewed(with(GetParam(), "__threadfence();"));
  ASSERT_EQ(r.problem, "");
  for (const Finding& f : r.findings) EXPECT_FALSE(about_order(f)) << words(r);
}

TEST_P(LockIdioms, WithoutFencesTheLockIsBlamed) {
  const std::string text = with(GetParam(), "");
  const int line = line_with(text, GetParam().taken);
  const Reviewed r = reviewed(text);
  ASSERT_EQ(r.problem, "");
  int said = 0;
  for (const Finding& f : r.findings) {
    if (!about_order(f)) continue;
    const bool here = f.rule == "lock-unfenced" ? f.line == line
                                                : f.remedy.find(fmt::format("the lock that line {} takes", line)) == 0;
    EXPECT_TRUE(here) << line << "\n" << words(r);
    EXPECT_NE((f.message + "; " + f.remedy).find(GetParam().without), std::string::npos) << words(r);
    ++said;
  }
  EXPECT_GE(said, 1) << words(r);
}

INSTANTIATE_TEST_SUITE_P(All, LockIdioms, ::testing::ValuesIn(idioms), [](const auto& i) { return i.param.name; });

Reviewed reviewed_lock(const std::string& body) {
  const Idiom idiom{.name = "", .text = body.c_str(), .taken = "", .without = ""};
  return reviewed(with(idiom, "__threadfence();"));
}

// A fence does not help where the lock is released by a store that may be reordered.
TEST(GivenBack, ByAPlainStoreIsSaid) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  const Reviewed r = reviewed_lock(
      "KERNEL {\n  if (threadIdx.x != 0) return;\n  const unsigned h = keys[blockIdx.x] % 2;\n"
      "  while (atomicCAS(&locks[h], 0u, 1u) != 0u) {}\n  FENCE\n  data[h] = data[h] + 1;\n  FENCE\n"
      "  locks[h] = 0;\n}\n");
  ASSERT_EQ(r.problem, "");
  const bool said = std::ranges::any_of(r.findings, [](const Finding& f) {
    return f.line == 18 && f.remedy ==
                               "the lock that line 16 takes is released by a plain store, which orders nothing: "
                               "release it in line 20 by atomicExch() or a volatile store";
  });
  EXPECT_TRUE(said) << words(r);
}

// Nothing is held: slots that are claimed for good, a counter of blocks that all wait at, and a flag.
TEST(NoLocks, AreNotTakenForLocks) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  for (const char* body :
       {"KERNEL {\n  const unsigned key = keys[blockIdx.x * 32 + threadIdx.x] | 1u;\n  unsigned h = key % 16;\n"
        "  for (int n = 0; n < 16; ++n) {\n    const unsigned old = atomicCAS(&locks[h], 0u, key);\n"
        "    if (old == 0u || old == key) break;\n    h = (h + 1) % 16;\n  }\n  atomicAdd(&data[h], 1u);\n}\n",
        "KERNEL {\n  if (threadIdx.x == 0) {\n    data[blockIdx.x] = keys[blockIdx.x];\n    FENCE\n"
        "    atomicAdd(&locks[0], 1u);\n    while (*(volatile unsigned *)&locks[0] < gridDim.x) {}\n    FENCE\n"
        "    data[32 + blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];\n  }\n}\n"}) {
    const Reviewed r = reviewed_lock(body);
    ASSERT_EQ(r.problem, "");
    for (const Finding& f : r.findings) EXPECT_FALSE(about_order(f)) << words(r);
  }
}

// Calls do not hide that the compiler has taken the shared memory away; functions that use some do.
TEST(SharedRemoved, CallsDoNotHideIt) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP();
  const auto found = [](const std::string& before, const std::string& body) {
    const Reviewed r = reviewed_lock(before + "KERNEL {\n  __shared__ unsigned s[32];\n" + body + "}\n");
    EXPECT_EQ(r.problem, "");
    return of_rule(r, "shared-removed").size();
  };
  const std::string other =
      "__device__ __noinline__ unsigned other(unsigned x) { return x * x % 7 + atomicAdd(&dummy, x); }\n";
  const std::string holder = "__device__ unsigned dummy;\n";
  EXPECT_EQ(found(holder + other, "  s[threadIdx.x] = keys[threadIdx.x];\n  data[threadIdx.x] = other(threadIdx.x);\n"),
            1u);
  EXPECT_EQ(found("", "  s[threadIdx.x] = keys[threadIdx.x];\n  printf(\"%u\\n\", keys[threadIdx.x]);\n"), 1u);
  EXPECT_EQ(found(holder + "__device__ __noinline__ unsigned read(const unsigned *s) { return s[dummy]; }\n",
                  "  s[threadIdx.x] = keys[threadIdx.x];\n  __syncthreads();\n  data[threadIdx.x] = read(s);\n"),
            0u);
}

}  // namespace
}  // namespace lanescope::review
