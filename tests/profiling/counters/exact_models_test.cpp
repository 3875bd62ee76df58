// Shared atomics, matrices and asynchronous copies as real kernels: what the counters say of random accesses against
// counts made by hand from the same offsets.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "kernels/compile/compile.h"
#include "kernels/emulator/emulator.h"
#include "profiling/counters/counters.h"

namespace lanescope::counters {
namespace {

using Offsets = std::array<std::uint32_t, 32>;  ///< bytes, lane by lane

/// How a test reaches memory: where[lane], where[32 + lane] are offsets, where[64] is the mask of lanes that take part.
constexpr const char* kernel_text = R"(
extern "C" __global__ void k(const uint *where, const uint4 *from)
{
    __shared__ __align__(1024) uint tile[4096];
    uint lane = threadIdx.x, to = (uint)__cvta_generic_to_shared(tile) + where[lane];
    const char *source = (const char *)from + where[32 + lane];
    bool on = where[64] >> lane & 1;
    (void)source;
    (void)to;
    BODY
}
)";

struct Trial {
  Offsets shared{}, global{};
  std::uint32_t mask = ~0u;
};

Offsets random_offsets(std::mt19937_64& random, std::uint32_t width) {
  Offsets out;
  const auto stride = static_cast<std::uint32_t>(random() % 9), few = 1 + static_cast<std::uint32_t>(random() % 40);
  const auto shape = random() % 3;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto any = static_cast<std::uint32_t>(random());
    out[lane] = (shape == 0 ? lane * stride : shape == 1 ? any % few : any) * width % 16384;
  }
  return out;
}

Trial random_trial(std::mt19937_64& random, std::uint32_t width) {
  Trial t{.shared = random_offsets(random, width), .global = random_offsets(random, width)};
  if (random() % 3 == 0) t.global = t.shared;
  if (random() % 2 == 0) t.mask = static_cast<std::uint32_t>(random());
  return t;
}

/// A kernel with `body` that all trials of a test share.
class Kernel {
 public:
  explicit Kernel(const std::string& body) {
    std::string text = kernel_text;
    text.replace(text.find("BODY"), 4, body);
    const auto source = source::read("k.cu", text);
    if (!source) {
      fail(source.error());
      return;
    }
    const auto made = compile::compile(*source, compile::Variant::plain, {});
    if (!made) {
      fail(made.error());
      return;
    }
    auto parsed = ptx::parse(made->compiled.ptx);
    if (!parsed) {
      fail(parsed.error());
      return;
    }
    module_ = std::move(*parsed);
  }

  Counts counts(const Trial& t) const {
    std::array<std::uint32_t, 65> where{};
    std::copy(t.shared.begin(), t.shared.end(), where.begin());
    std::copy(t.global.begin(), t.global.end(), where.begin() + 32);
    where[64] = t.mask;
    std::vector<trace::Buffer> buffers = {{.name = "where", .element_type = "u32", .bytes = {}},
                                          {.name = "from", .element_type = "u32", .bytes = {}}};
    buffers[0].bytes.resize(sizeof where);
    std::memcpy(buffers[0].bytes.data(), where.data(), sizeof where);
    buffers[1].bytes.resize(16384 + 16);
    const trace::Launch launch{.kernel = "k",
                               .grid = {1, 1, 1},
                               .block = {32, 1, 1},
                               .arguments = {trace::BufferArgument{.buffer = 0}, trace::BufferArgument{.buffer = 1}}};
    Counter counter;
    emulator::Options options;
    options.observers = {&counter};
    const auto result = emulator::run(module_, launch, buffers, options);
    EXPECT_TRUE(result && result->faults.empty());
    Report report;
    add(report, counter, {});
    return report.total;
  }

 private:
  static void fail(const Diagnostics& d) { ADD_FAILURE() << to_string(d.front()); }
  ptx::Module module_;
};

class ExactModels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
  std::mt19937_64 random{31};
  static constexpr int trials = 60;
};

/// Lanes take turns in every bank that they touch, also at one address; 8 bytes go half warp by half warp.
access::Sum atomic_by_hand(const Trial& t, std::uint32_t width) {
  access::Sum c;
  c.requests = t.mask != 0;
  for (std::uint32_t begin = 0, lanes = width > 4 ? 16 : 32; begin < 32; begin += lanes) {
    std::map<std::uint32_t, std::uint64_t> turns;
    for (std::uint32_t lane = begin; lane < begin + lanes; ++lane)
      for (std::uint32_t byte = 0; (t.mask >> lane & 1) != 0 && byte < width; byte += 4)
        ++turns[(t.shared[lane] + byte) / 4 % 32];
    std::uint64_t most = 0;
    for (const auto& [bank, n] : turns) most = std::max(most, n);
    c.wavefronts += most;
    if (most > 0) c.bank_conflicts += most - 1;
  }
  return c;
}

void expect_atomics(const Kernel& kernel, std::uint32_t width, std::mt19937_64& random, int trials) {
  for (int i = 0; i < trials; ++i) {
    const Trial t = random_trial(random, width);
    const Counts found = kernel.counts(t);
    const access::Sum expected = atomic_by_hand(t, width);
    ASSERT_EQ(found.shared_atomic.requests, expected.requests) << i;
    ASSERT_EQ(found.shared_atomic.wavefronts, expected.wavefronts) << i;
    ASSERT_EQ(found.shared_atomic.bank_conflicts, expected.bank_conflicts) << i;
    ASSERT_EQ(found.shared_store, access::Sum{});
  }
}

TEST_F(ExactModels, SharedAdd) {
  expect_atomics(Kernel(R"(if (on) asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(to), "r"(lane) : "memory");)"), 4,
                 random, trials);
  expect_atomics(Kernel(R"(if (on) atomicAdd(tile + where[lane] / 4, lane);)"), 4, random, trials);
}

TEST_F(ExactModels, SharedExchangeOfEightBytes) {
  expect_atomics(Kernel(R"(if (on) atomicExch((unsigned long long *)tile + where[lane] / 8, lane);)"), 8, random,
                 trials);
}

/// Each matrix is a phase: the most distinct words of its eight rows in one bank.
std::uint64_t matrix_wavefronts_by_hand(const Trial& t, std::uint32_t matrices) {
  std::uint64_t sum = 0;
  for (std::uint32_t m = 0; m < matrices; ++m) {
    std::map<std::uint32_t, std::set<std::uint32_t>> words;
    for (std::uint32_t lane = 8 * m; lane < 8 * m + 8; ++lane)
      for (std::uint32_t byte = 0; byte < 16; byte += 4)
        words[(t.shared[lane] + byte) / 4 % 32].insert((t.shared[lane] + byte) / 4);
    std::size_t most = 0;
    for (const auto& [bank, distinct] : words) most = std::max(most, distinct.size());
    sum += most;
  }
  return sum;
}

TEST_F(ExactModels, Matrices) {
  const std::string load =
      R"(uint a, b; asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(to) : "memory");)";
  const std::string store =
      R"(asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(lane) : "memory");)";
  const Kernel loads(load), stores(store);
  for (int i = 0; i < trials; ++i) {
    Trial t = random_trial(random, 16);
    const Counts read = loads.counts(t), written = stores.counts(t);
    ASSERT_EQ(read.matrix_load.requests, 1u);
    ASSERT_EQ(read.matrix_load.wavefronts, matrix_wavefronts_by_hand(t, 2)) << i;
    ASSERT_EQ(read.matrix_load.bank_conflicts, read.matrix_load.wavefronts - 2) << i;
    ASSERT_EQ(read.matrix_load.bytes_requested, 2u * 128);
    ASSERT_EQ(read.shared_load, access::Sum{});
    ASSERT_EQ(written.matrix_store.wavefronts, matrix_wavefronts_by_hand(t, 4)) << i;
    ASSERT_EQ(written.matrix_store.bank_conflicts, written.matrix_store.wavefronts - 4) << i;
    ASSERT_EQ(written.shared_store, access::Sum{});
    ASSERT_EQ(written.shared(), written.matrix_store);
  }
}

std::string copy_of(const char* kind, int width) {
  return std::string("if (on) asm volatile(\"cp.async.") + kind + ".shared.global [%0], [%1], " +
         std::to_string(width) +
         ";\" ::\"r\"(to), \"l\"(source) : \"memory\"); asm volatile(\"cp.async.wait_all;\" ::: \"memory\");";
}

TEST_F(ExactModels, CopiesThroughL1FetchASectorOnce) {
  for (const int width : {4, 8, 16}) {
    const Kernel kernel(copy_of("ca", width));
    for (int i = 0; i < trials; ++i) {
      const Trial t = random_trial(random, static_cast<std::uint32_t>(width));
      std::set<std::uint32_t> sectors;
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((t.mask >> lane & 1) != 0) sectors.insert(t.global[lane] / 32);
      ASSERT_EQ(kernel.counts(t).global_async.sectors, sectors.size()) << i;
    }
  }
}

TEST_F(ExactModels, CopiesPastL1FetchASectorForEachPlace) {
  const Kernel kernel(copy_of("cg", 16));
  std::uint64_t twice = 0;
  for (int i = 0; i < 3 * trials; ++i) {
    const Trial t = random_trial(random, 16);
    std::map<std::uint32_t, std::size_t> last;  // who writes a place last
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((t.mask >> lane & 1) != 0) last[t.shared[lane]] = lane;
    std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> fetches;
    std::set<std::uint32_t> sectors;
    for (const auto& [place, lane] : last) {
      fetches.insert({t.global[lane] / 32, place / 32, t.global[lane] % 32 == place % 32});
      sectors.insert(t.global[lane] / 32);
    }
    const Counts found = kernel.counts(t);
    ASSERT_EQ(found.global_async.sectors, fetches.size()) << i;
    ASSERT_EQ(found.global_async.requests, t.mask != 0 ? 1u : 0u);
    twice += fetches.size() - sectors.size();
  }
  EXPECT_GT(twice, 0u) << "the trials must show the two kinds of copies apart";
}

}  // namespace
}  // namespace lanescope::counters
