// Parts of the engine's way to a GPU that need none: comparing, explaining, and reporting that there is none.

#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/engine/prepare/launch_plan.h"
#include "kernels/emulator/emulator.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

struct PackedType {
  const char* name;
  int bits;
};
constexpr PackedType packed_types[] = {{"b1", 1},   {"u4", 4},   {"u8", 8},  {"s16", 16},
                                       {"f16", 16}, {"f32", 32}, {"u64", 64}};

/// The bits of one element, one by one.
std::vector<bool> bits_of(const trace::Buffer& buffer, std::uint64_t element) {
  std::vector<bool> bits;
  const auto width = static_cast<std::uint64_t>(buffer.element_bits);
  for (std::uint64_t bit = element * width; bit < (element + 1) * width; ++bit)
    bits.push_back((std::to_integer<unsigned>(buffer.bytes[bit / 8]) >> bit % 8 & 1) != 0);
  return bits;
}

TEST(CompareBuffers, FindsTheFirstElementThatDiffersAndCountsAll) {
  std::mt19937 random(7);
  for (const PackedType& type : packed_types)
    for (int trial = 0; trial < 20; ++trial) {
      trace::Buffer a;
      a.name = "x", a.element_type = type.name, a.element_bits = type.bits;
      a.bytes.resize(64);
      for (auto& byte : a.bytes) byte = static_cast<std::byte>(random() & 0x3f);
      trace::Buffer b = a;
      for (int flips = static_cast<int>(random() % 4); flips > 0; --flips)
        b.bytes[random() % b.bytes.size()] ^= static_cast<std::byte>(1u << random() % 6);
      const std::uint64_t elements = a.bytes.size() * 8 / static_cast<std::uint64_t>(type.bits);
      std::uint64_t different = 0, first = 0;
      for (std::uint64_t e = elements; e-- > 0;)
        if (bits_of(a, e) != bits_of(b, e)) ++different, first = e;
      const auto found = compare_buffers({b}, {a}, nullptr);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found[0].elements, elements);
      EXPECT_EQ(found[0].different, different) << type.name;
      if (different > 0) {
        EXPECT_EQ(found[0].first, first) << type.name;
      }
    }
}

bool have_gpu() { return gpu::devices().has_value(); }

TEST(Hardware, WithoutAGpuARunSaysSoAndIsNotWrong) {
  if (have_gpu()) GTEST_SKIP() << "this machine has a GPU";
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/half2_transposes.cu";
  request.text = test::text_of(request.file);
  request.on_gpu = true;
  Session session;
  session.run(request);
  EXPECT_EQ(session.ending(), Ending::cannot_here);
  ASSERT_FALSE(session.hardware().refused.empty());
  EXPECT_FALSE(session.hardware().refused.front().remedy.empty());
  EXPECT_FALSE(session.summary().ok) << "verdicts of the emulator are not the GPU's";
  const results::Measured measured = session.measure({});
  EXPECT_FALSE(measured.refused.empty());
  EXPECT_FALSE(measured.timing.has_value());
}

TEST(Hardware, NothingIsPredictedOfARunThatTheEmulatorStops) {
  Session session;
  session.run(test::request_for("out_of_bounds.cu"));
  ASSERT_EQ(session.ending(), Ending::faulted);
  const results::Measured measured = session.measure({.timing = false});
  ASSERT_FALSE(measured.metrics.empty());
  for (const results::MetricRow& row : measured.metrics) {
    EXPECT_FALSE(row.predicted.has_value()) << row.name;
    EXPECT_TRUE(row.cause.empty()) << row.name << ": " << row.cause;
  }
  EXPECT_TRUE(std::ranges::any_of(measured.refused, [](const Diagnostic& d) {
    return d.message.starts_with("there is no prediction") && d.message.find("line 10") != std::string::npos;
  }));
}

TEST(Hardware, PredictionsStandEvenWhereNothingIsMeasured) {
  if (have_gpu()) GTEST_SKIP() << "this machine has a GPU";
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/half2_transposes.cu";
  request.text = test::text_of(request.file);
  Session session;
  session.run(request);
  EXPECT_EQ(session.ending(), Ending::good);
  EXPECT_FALSE(session.measure({.timing = false}).refused.empty());
}

/// tests/data/gpu/grid_sync.cu, with other words in it.
RunRequest grid_sync(const std::string& what = "", const std::string& by = "") {
  RunRequest request;
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/gpu/grid_sync.cu";
  request.text = test::text_of(request.file);
  if (const std::size_t at = request.text.find(what); !what.empty()) request.text.replace(at, what.size(), by);
  return request;
}

TEST(CooperativeLaunch, TheBlocksOfAGridWaitForEachOther) {
  NEEDS_NVRTC();
  Session session;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RunRequest request = grid_sync();
    request.seed = seed;
    request.review = true;
    const results::Summary& summary = session.run(request);
    ASSERT_EQ(session.ending(), Ending::good) << (summary.diagnostics.empty() ? "" : to_string(summary.diagnostics[0]));
    for (const results::FindingInfo& f : summary.findings) EXPECT_FALSE(results::is_race(f)) << f.message;
    const auto& outputs = session.outputs();
    ASSERT_EQ(outputs.size(), 2u);
    const auto* y = reinterpret_cast<const std::uint32_t*>(outputs[1].bytes.data());
    for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(y[i], 3 * (255 - i)) << "seed " << seed;
  }
}

TEST(CooperativeLaunch, WithoutItTheSameKernelHasARace) {
  NEEDS_NVRTC();
  RunRequest request = grid_sync("cooperative_groups::this_grid().sync();", "");
  request.review = true;
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_TRUE(std::ranges::any_of(summary.findings, [](const auto& f) { return results::is_race(f); }));
}

TEST(CooperativeLaunch, ABlockThatDoesNotComeIsADeadlock) {
  NEEDS_NVRTC();
  RunRequest request = grid_sync("cooperative_groups::this_grid().sync();",
                                 "if (blockIdx.x == 2) return; cooperative_groups::this_grid().sync();");
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::faulted);
  ASSERT_FALSE(summary.faults.empty());
  EXPECT_NE(summary.faults.front().message.find("deadlock"), std::string::npos) << summary.faults.front().message;
  EXPECT_NE(summary.faults.front().message.find("3 of 4 blocks are running, 1 have ended"), std::string::npos)
      << summary.faults.front().message;
}

TEST(CooperativeLaunch, MoreBlocksThanAreResidentAreRefused) {
  NEEDS_NVRTC();
  RunRequest request = grid_sync("grid = 4", "grid = 100000");
  Session session;
  const results::Summary& summary = session.run(request);
  EXPECT_EQ(session.ending(), Ending::bad_input);
  ASSERT_FALSE(summary.diagnostics.empty());
  EXPECT_NE(
      to_string(summary.diagnostics.front()).find("the cooperative launch is too large: the grid has 100000 blocks"),
      std::string::npos)
      << to_string(summary.diagnostics.front());
}

TEST(Hardware, NothingIsMeasuredOfAFileThatDoesNotCompile) {
  RunRequest request;
  request.file = "broken.cu";
  request.text = "__global__ void k(int* p) { p[0] = ; }";
  Session session;
  session.run(request);
  const results::Measured measured = session.measure({});
  ASSERT_EQ(measured.refused.size(), 1u);
  EXPECT_EQ(measured.refused.front().message, "there is no compiled program to measure");
}

TEST(Hardware, AKernelThatSynchronisesItsGridIsLaunchedCooperatively) {
  const auto cooperative = [](const std::string& special) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<2>;\n// %envreg2\nmov.u32 "
        "%r1, " +
        special + ";\nret;\n}\n");
    EXPECT_TRUE(module) << special;
    return module && emulator::synchronises_grid(*module);
  };
  EXPECT_TRUE(cooperative("%envreg1"));
  EXPECT_TRUE(cooperative("%envreg2"));
  EXPECT_FALSE(cooperative("%ctaid.x")) << "a comment is no instruction";
}

}  // namespace
}  // namespace lanescope::engine
