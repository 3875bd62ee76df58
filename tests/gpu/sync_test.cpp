// Operations of the lanes of a warp together, chains of carries and cooperative groups on a real GPU: against
// the oracles that the emulator's tests use, and against the emulator.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/emulator/emulator.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/emulator/carry_chains.h"
#include "tests/kernels/emulator/sync_trials.h"

namespace lanescope::gpu_test {
namespace {

using namespace emulator::test;

template <class T>
std::vector<T> values(const trace::Buffer& b) {
  std::vector<T> out(b.bytes.size() / sizeof(T));
  std::memcpy(out.data(), b.bytes.data(), b.bytes.size());
  return out;
}

template <class T>
std::vector<trace::Buffer> in_and_out(const std::vector<T>& in, std::size_t out_bytes) {
  std::vector<trace::Buffer> buffers(2);
  buffers[0] = {"in", "u32", 32, std::vector<std::byte>(in.size() * sizeof(T)), true};
  std::memcpy(buffers[0].bytes.data(), in.data(), buffers[0].bytes.size());
  buffers[1] = {"out", "u32", 32, std::vector<std::byte>(out_bytes), true};
  return buffers;
}

trace::Launch two_buffers(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
  trace::Launch launch;
  launch.kernel = kernel;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  for (int i = 0; i < 2; ++i) launch.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, i);
  return launch;
}

void emulate(const std::string& ptx, const trace::Launch& launch, std::vector<trace::Buffer>& buffers) {
  const auto module = ptx::parse(ptx);
  ASSERT_TRUE(module);
  const auto result = emulator::run(*module, launch, buffers, {});
  ASSERT_TRUE(result) << to_string(result.error().front());
  for (const emulator::Fault& f : result->faults) ADD_FAILURE() << f.message;
}

/// 2,048 warps, each cut into parts at random, times 22 operations (those that the GPU has): 45,056 operations of a warp.
TEST(SyncOnGpu, PartsOfAWarpActApart) {
  LS_NEEDS_GPU();
  const int arch = device().major * 10 + device().minor;
  const std::string ptx = sync_trials_ptx(device().arch(), arch);
  std::mt19937_64 random(seed());
  std::vector<SyncWarp> warps;
  for (int w = 0; w < 2048; ++w) warps.push_back(random_sync_warp(random, true));
  std::vector<trace::Buffer> on_gpu = in_and_out(warps, warps.size() * 32 * sync_operation_count * 8);
  std::vector<trace::Buffer> emulated = on_gpu;
  const trace::Launch launch = two_buffers(
      "sync_trials", static_cast<std::uint32_t>(warps.size() * 32 / sync_block_threads), sync_block_threads);
  const auto launcher = Launcher::load(ptx, launch, on_gpu);
  ASSERT_TRUE(launcher) << to_string(launcher.error().front());
  const auto ran = launcher->run(on_gpu);
  ASSERT_TRUE(ran) << to_string(ran.error().front());
  emulate(ptx, launch, emulated);
  const SyncMismatch gpu = sync_compare(warps, values<std::uint32_t>(on_gpu[1]), arch);
  const SyncMismatch emulator = sync_compare(warps, values<std::uint32_t>(emulated[1]), arch);
  EXPECT_EQ(gpu.different, 0u) << gpu.first;
  EXPECT_EQ(emulator.different, 0u) << emulator.first;
  fmt::print("results of lanes: {}, different on the GPU: {}, in the emulator: {}\n", gpu.checked, gpu.different,
             emulator.different);
  write_results("gpu_sync", {{"what",
                              "every .sync operation with a member mask per lane, random partitions of warps: results "
                              "of lanes that differ from the PTX ISA's text"},
                             {"warps", warps.size()},
                             {"operations", sync_operation_count},
                             {"results", gpu.checked},
                             {"different_on_gpu", gpu.different},
                             {"different_in_emulator", emulator.different}});
}

/// 60 chains of 24 instructions by 64 threads: 92,160 operations.
TEST(CarryOnGpu, RandomChains) {
  LS_NEEDS_GPU();
  std::mt19937_64 random(seed());
  for (int round = 0; round < 60; ++round) {
    const std::vector<CarryStep> chain = random_chain(random, 24);
    std::vector<CarryPools> pools;
    for (int t = 0; t < 64; ++t) pools.push_back(random_pools(random));
    std::vector<trace::Buffer> on_gpu = in_and_out(pools, pools.size() * 104), emulated = on_gpu;
    const std::string ptx = chain_ptx(chain, device().arch());
    const trace::Launch launch = two_buffers("chain", 1, 64);
    const auto launcher = Launcher::load(ptx, launch, on_gpu);
    ASSERT_TRUE(launcher) << to_string(launcher.error().front());
    const auto ran = launcher->run(on_gpu);
    ASSERT_TRUE(ran) << to_string(ran.error().front());
    emulate(ptx, launch, emulated);
    const auto gpu = values<std::uint64_t>(on_gpu[1]), emulator = values<std::uint64_t>(emulated[1]);
    std::string text;
    for (const CarryStep& s : chain) text += name_of(s) + "; ";
    for (std::size_t t = 0; t < pools.size(); ++t) {
      const bool flag = chain_expected(chain, pools[t]);
      for (std::size_t i = 0; i < 13; ++i) {
        const std::uint64_t want = i == 12          ? std::uint64_t{flag}
                                   : i < carry_pool ? pools[t].narrow[i]
                                                    : pools[t].wide[i - carry_pool];
        ASSERT_EQ(gpu[t * 13 + i], want) << "GPU, word " << i << " of " << text;
        ASSERT_EQ(emulator[t * 13 + i], want) << "emulator, word " << i << " of " << text;
      }
    }
  }
}

/// Where the hardware has the reserved shared memory, and the kernel's own after it.
TEST(ReservedSharedOnGpu, LiesWhereTheEmulatorHasIt) {
  LS_NEEDS_GPU();
  if (device().major < 8) GTEST_SKIP() << "SKIPPED, needs compute capability 8.0";
  std::string ptx = ".version 8.1\n.target " + device().arch() + R"(
.address_size 64
.visible .entry offsets(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %d<2>;
.shared .align 4 .b8 words[100];
ld.param.u64 %d0, [out];
cvta.to.global.u64 %d0, %d0;
mov.u32 %r0, %reserved_smem_offset_begin;
mov.u32 %r1, %reserved_smem_offset_end;
mov.u32 %r2, %reserved_smem_offset_cap;
mov.u32 %r3, %reserved_smem_offset_0;
mov.u32 %r4, %reserved_smem_offset_1;
cvta.shared.u64 %d1, words;
cvta.to.shared.u64 %d1, %d1;
cvt.u32.u64 %r5, %d1;
mov.u32 %r6, %total_smem_size;
st.shared.u32 [words], %r0;
)";
  for (int i = 0; i < 7; ++i) ptx += fmt::format("st.global.u32 [%d0+{}], %r{};\n", 4 * i, i);
  ptx += "ret;\n}\n";
  std::vector<trace::Buffer> on_gpu = in_and_out(std::vector<std::uint32_t>(1), 28), emulated = on_gpu;
  const trace::Launch launch = two_buffers("offsets", 1, 1);
  const auto launcher = Launcher::load(ptx, launch, on_gpu);
  ASSERT_TRUE(launcher) << to_string(launcher.error().front());
  const auto ran = launcher->run(on_gpu);
  ASSERT_TRUE(ran) << to_string(ran.error().front());
  emulate(ptx, launch, emulated);
  const auto gpu = values<std::uint32_t>(on_gpu[1]), emulator = values<std::uint32_t>(emulated[1]);
  constexpr const char* names[] = {"begin", "end", "cap", "offset_0", "offset_1", "first static", "total_smem_size"};
  nlohmann::ordered_json rows;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    rows[names[i]] = {{"gpu", gpu[i]}, {"emulator", emulator[i]}};
    fmt::print("{}: {} on the GPU, {} in the emulator\n", names[i], gpu[i], emulator[i]);
    if (device().major >= 9) {
      EXPECT_EQ(gpu[i], emulator[i]) << names[i];
    }
  }
  EXPECT_GE(gpu[1] - gpu[4], 288u);
  write_results("gpu_reserved_shared",
                {{"what", "%reserved_smem_offset_* and the first static shared address"}, {"offsets", rows}});
}

/// For any declared alignments and sizes.
TEST(ReservedSharedOnGpu, VariablesLieBehindItWhereTheEmulatorHasThem) {
  LS_NEEDS_GPU();
  if (device().major < 9) GTEST_SKIP() << "SKIPPED, needs compute capability 9.0";
  std::mt19937 random(7);
  for (int round = 0; round < 24; ++round) {
    const int count = 1 + static_cast<int>(random() % 5);
    const bool dynamic = round % 3 == 0;
    std::string before, declared, body;
    if (dynamic) before = fmt::format(".extern .shared .align {} .b8 e[];\n", 1u << random() % 14);
    for (int i = 0; i < count; ++i) {
      declared += fmt::format(".shared .align {} .b8 v{}[{}];\n", 1u << random() % 14, i, 1 + random() % 2000);
      body += fmt::format("mov.u32 %r0, v{};\nst.global.u32 [%d0+{}], %r0;\nst.shared.u8 [v{}], %r0;\n", i, 4 * i, i);
    }
    if (dynamic)
      body += fmt::format("mov.u32 %r0, e;\nst.global.u32 [%d0+{}], %r0;\nst.shared.u8 [e], %r0;\n", 4 * count);
    const std::string ptx = fmt::format(
        ".version 8.0\n.target {}\n.address_size 64\n{}.visible .entry places(.param .u64 in, .param .u64 out)\n{{\n"
        ".reg .b32 %r<2>;\n.reg .b64 %d<2>;\n{}ld.param.u64 %d0, [out];\ncvta.to.global.u64 %d0, %d0;\n{}ret;\n}}\n",
        device().arch(), before, declared, body);
    std::vector<trace::Buffer> on_gpu = in_and_out(std::vector<std::uint32_t>(1), 24), emulated = on_gpu;
    trace::Launch launch = two_buffers("places", 1, 1);
    launch.dynamic_shared_bytes = dynamic ? 64 : 0;
    const auto launcher = Launcher::load(ptx, launch, on_gpu);
    ASSERT_TRUE(launcher) << to_string(launcher.error().front()) << ptx;
    const auto ran = launcher->run(on_gpu);
    ASSERT_TRUE(ran) << to_string(ran.error().front());
    emulate(ptx, launch, emulated);
    EXPECT_EQ(values<std::uint32_t>(on_gpu[1]), values<std::uint32_t>(emulated[1])) << ptx;
  }
}

TEST(CooperativeGroupsOnGpu, LeaveWhatTheEmulatorSays) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  engine::RunRequest request;
  request.file = "tests/data/gpu/cooperative_groups.cu";
  const std::string text = read_file(request.file).value_or("");
  request.text = text;
  request.on_gpu = true;
  engine::Session session;
  session.run(request);
  ASSERT_EQ(session.ending(), engine::Ending::good)
      << (session.summary().diagnostics.empty() ? "" : to_string(session.summary().diagnostics.front()));
  ASSERT_FALSE(session.hardware().buffers.empty());
  for (const results::BufferComparison& c : session.hardware().buffers) EXPECT_EQ(c.different, 0u) << c.name;
}

}  // namespace
}  // namespace lanescope::gpu_test
