#include "kernels/emulator/emulator.h"
// What does not need a GPU of the engine's way to one: comparing, explaining, and saying that there is none.
#include "kernels/emulator/emulator.h"

#include "app/engine/hardware/measure.h"
#include "app/engine/hardware/metrics.h"
#include "app/engine/hardware/run.h"
#include "kernels/emulator/emulator.h"

#include <gtest/gtest.h>
#include "kernels/emulator/emulator.h"

#include <algorithm>
#include <random>
#include "kernels/emulator/emulator.h"

#include "app/engine/prepare/host_values.h"
#include "kernels/emulator/emulator.h"
#include "tests/app/engine/support.h"

#include "kernels/emulator/emulator.h"
namespace lanescope::engine {
#include "kernels/emulator/emulator.h"
namespace {
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
struct PackedType {
#include "kernels/emulator/emulator.h"
  const char* name;
#include "kernels/emulator/emulator.h"
  int bits;
#include "kernels/emulator/emulator.h"
};
#include "kernels/emulator/emulator.h"
constexpr PackedType packed_types[] = {{"b1", 1},   {"u4", 4},   {"u8", 8},  {"s16", 16},
#include "kernels/emulator/emulator.h"
                                       {"f16", 16}, {"f32", 32}, {"u64", 64}};
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
/// The bits of one element, one by one.
#include "kernels/emulator/emulator.h"
std::vector<bool> bits_of(const trace::Buffer& buffer, std::uint64_t element) {
#include "kernels/emulator/emulator.h"
  std::vector<bool> bits;
#include "kernels/emulator/emulator.h"
  const auto width = static_cast<std::uint64_t>(buffer.element_bits);
#include "kernels/emulator/emulator.h"
  for (std::uint64_t bit = element * width; bit < (element + 1) * width; ++bit)
#include "kernels/emulator/emulator.h"
    bits.push_back((std::to_integer<unsigned>(buffer.bytes[bit / 8]) >> bit % 8 & 1) != 0);
#include "kernels/emulator/emulator.h"
  return bits;
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(CompareBuffers, FindsTheFirstElementThatDiffersAndCountsAll) {
#include "kernels/emulator/emulator.h"
  std::mt19937 random(7);
#include "kernels/emulator/emulator.h"
  for (const PackedType& type : packed_types)
#include "kernels/emulator/emulator.h"
    for (int trial = 0; trial < 20; ++trial) {
#include "kernels/emulator/emulator.h"
      trace::Buffer a;
#include "kernels/emulator/emulator.h"
      a.name = "x", a.element_type = type.name, a.element_bits = type.bits;
#include "kernels/emulator/emulator.h"
      a.bytes.resize(64);
#include "kernels/emulator/emulator.h"
      for (auto& byte : a.bytes) byte = static_cast<std::byte>(random() & 0x3f);
#include "kernels/emulator/emulator.h"
      trace::Buffer b = a;
#include "kernels/emulator/emulator.h"
      for (int flips = static_cast<int>(random() % 4); flips > 0; --flips)
#include "kernels/emulator/emulator.h"
        b.bytes[random() % b.bytes.size()] ^= static_cast<std::byte>(1u << random() % 6);
#include "kernels/emulator/emulator.h"
      const std::uint64_t elements = a.bytes.size() * 8 / static_cast<std::uint64_t>(type.bits);
#include "kernels/emulator/emulator.h"
      std::uint64_t different = 0, first = 0;
#include "kernels/emulator/emulator.h"
      for (std::uint64_t e = elements; e-- > 0;)
#include "kernels/emulator/emulator.h"
        if (bits_of(a, e) != bits_of(b, e)) ++different, first = e;
#include "kernels/emulator/emulator.h"
      const auto found = compare_buffers({b}, {a});
#include "kernels/emulator/emulator.h"
      ASSERT_EQ(found.size(), 1u);
#include "kernels/emulator/emulator.h"
      EXPECT_EQ(found[0].elements, elements);
#include "kernels/emulator/emulator.h"
      EXPECT_EQ(found[0].different, different) << type.name;
#include "kernels/emulator/emulator.h"
      if (different > 0) {
#include "kernels/emulator/emulator.h"
        EXPECT_EQ(found[0].first, first) << type.name;
#include "kernels/emulator/emulator.h"
      }
#include "kernels/emulator/emulator.h"
    }
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
bool have_gpu() { return gpu::devices().has_value(); }
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(Hardware, WithoutAGpuARunSaysSoAndIsNotWrong) {
#include "kernels/emulator/emulator.h"
  if (have_gpu()) GTEST_SKIP() << "this machine has a GPU";
#include "kernels/emulator/emulator.h"
  RunRequest request;
#include "kernels/emulator/emulator.h"
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/half2_transposes.cu";
#include "kernels/emulator/emulator.h"
  request.text = test::text_of(request.file);
#include "kernels/emulator/emulator.h"
  request.on_gpu = true;
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  session.run(request);
#include "kernels/emulator/emulator.h"
  EXPECT_EQ(session.ending(), Ending::cannot_here);
#include "kernels/emulator/emulator.h"
  ASSERT_FALSE(session.hardware().refused.empty());
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(session.hardware().refused.front().remedy.empty());
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(session.summary().ok) << "verdicts of the emulator are not the GPU's";
#include "kernels/emulator/emulator.h"
  const results::Measured measured = session.measure({});
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(measured.refused.empty());
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(measured.timing.has_value());
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(Hardware, NothingIsPredictedOfARunThatTheEmulatorStops) {
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  session.run(test::request_for("out_of_bounds.cu"));
#include "kernels/emulator/emulator.h"
  ASSERT_EQ(session.ending(), Ending::faulted);
#include "kernels/emulator/emulator.h"
  const results::Measured measured = session.measure({.timing = false});
#include "kernels/emulator/emulator.h"
  ASSERT_FALSE(measured.metrics.empty());
#include "kernels/emulator/emulator.h"
  for (const results::MetricRow& row : measured.metrics) {
#include "kernels/emulator/emulator.h"
    EXPECT_FALSE(row.predicted.has_value()) << row.name;
#include "kernels/emulator/emulator.h"
    EXPECT_TRUE(row.cause.empty()) << row.name << ": " << row.cause;
#include "kernels/emulator/emulator.h"
  }
#include "kernels/emulator/emulator.h"
  EXPECT_TRUE(std::ranges::any_of(measured.refused, [](const Diagnostic& d) {
#include "kernels/emulator/emulator.h"
    return d.message.starts_with("there is no prediction") && d.message.find("line 10") != std::string::npos;
#include "kernels/emulator/emulator.h"
  }));
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(Hardware, PredictionsStandEvenWhereNothingIsMeasured) {
#include "kernels/emulator/emulator.h"
  if (have_gpu()) GTEST_SKIP() << "this machine has a GPU";
#include "kernels/emulator/emulator.h"
  RunRequest request;
#include "kernels/emulator/emulator.h"
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/half2_transposes.cu";
#include "kernels/emulator/emulator.h"
  request.text = test::text_of(request.file);
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  session.run(request);
#include "kernels/emulator/emulator.h"
  EXPECT_EQ(session.ending(), Ending::good);
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(session.measure({.timing = false}).refused.empty());
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
/// tests/data/gpu/grid_sync.cu, with other words in it.
#include "kernels/emulator/emulator.h"
RunRequest grid_sync(const std::string& what = "", const std::string& by = "") {
#include "kernels/emulator/emulator.h"
  RunRequest request;
#include "kernels/emulator/emulator.h"
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/gpu/grid_sync.cu";
#include "kernels/emulator/emulator.h"
  request.text = test::text_of(request.file);
#include "kernels/emulator/emulator.h"
  if (const std::size_t at = request.text.find(what); !what.empty()) request.text.replace(at, what.size(), by);
#include "kernels/emulator/emulator.h"
  return request;
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(CooperativeLaunch, TheBlocksOfAGridWaitForEachOther) {
#include "kernels/emulator/emulator.h"
  NEEDS_NVRTC();
#include "kernels/emulator/emulator.h"
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
#include "kernels/emulator/emulator.h"
    RunRequest request = grid_sync();
#include "kernels/emulator/emulator.h"
    request.seed = seed;
#include "kernels/emulator/emulator.h"
    request.review = true;
#include "kernels/emulator/emulator.h"
    Session session;
#include "kernels/emulator/emulator.h"
    const results::Summary& summary = session.run(request);
#include "kernels/emulator/emulator.h"
    ASSERT_EQ(session.ending(), Ending::good) << (summary.diagnostics.empty() ? "" : to_string(summary.diagnostics[0]));
#include "kernels/emulator/emulator.h"
    for (const results::FindingInfo& f : summary.findings) EXPECT_FALSE(results::is_race(f)) << f.message;
#include "kernels/emulator/emulator.h"
    const auto& outputs = session.outputs();
#include "kernels/emulator/emulator.h"
    ASSERT_EQ(outputs.size(), 2u);
#include "kernels/emulator/emulator.h"
    const auto* y = reinterpret_cast<const std::uint32_t*>(outputs[1].bytes.data());
#include "kernels/emulator/emulator.h"
    for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(y[i], 3 * (255 - i)) << "seed " << seed;
#include "kernels/emulator/emulator.h"
  }
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(CooperativeLaunch, WithoutItTheSameKernelHasARace) {
#include "kernels/emulator/emulator.h"
  NEEDS_NVRTC();
#include "kernels/emulator/emulator.h"
  RunRequest request = grid_sync("cooperative_groups::this_grid().sync();", "");
#include "kernels/emulator/emulator.h"
  request.review = true;
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  const results::Summary& summary = session.run(request);
#include "kernels/emulator/emulator.h"
  EXPECT_TRUE(std::ranges::any_of(summary.findings, [](const auto& f) { return results::is_race(f); }));
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(CooperativeLaunch, ABlockThatDoesNotComeIsADeadlock) {
#include "kernels/emulator/emulator.h"
  NEEDS_NVRTC();
#include "kernels/emulator/emulator.h"
  RunRequest request = grid_sync("cooperative_groups::this_grid().sync();",
#include "kernels/emulator/emulator.h"
                                 "if (blockIdx.x == 2) return; cooperative_groups::this_grid().sync();");
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  const results::Summary& summary = session.run(request);
#include "kernels/emulator/emulator.h"
  EXPECT_EQ(session.ending(), Ending::faulted);
#include "kernels/emulator/emulator.h"
  ASSERT_FALSE(summary.faults.empty());
#include "kernels/emulator/emulator.h"
  EXPECT_NE(summary.faults.front().message.find("deadlock"), std::string::npos) << summary.faults.front().message;
#include "kernels/emulator/emulator.h"
  EXPECT_NE(summary.faults.front().message.find("3 of 4 blocks are under way, 1 have ended"), std::string::npos)
#include "kernels/emulator/emulator.h"
      << summary.faults.front().message;
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(CooperativeLaunch, MoreBlocksThanAreResidentAreRefused) {
#include "kernels/emulator/emulator.h"
  NEEDS_NVRTC();
#include "kernels/emulator/emulator.h"
  RunRequest request = grid_sync("grid = 4", "grid = 100000");
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  const results::Summary& summary = session.run(request);
#include "kernels/emulator/emulator.h"
  EXPECT_EQ(session.ending(), Ending::bad_input);
#include "kernels/emulator/emulator.h"
  ASSERT_FALSE(summary.diagnostics.empty());
#include "kernels/emulator/emulator.h"
  EXPECT_NE(
#include "kernels/emulator/emulator.h"
      to_string(summary.diagnostics.front()).find("the cooperative launch is too large: the grid has 100000 blocks"),
#include "kernels/emulator/emulator.h"
      std::string::npos)
#include "kernels/emulator/emulator.h"
      << to_string(summary.diagnostics.front());
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(Hardware, NothingIsMeasuredOfAFileThatDoesNotCompile) {
#include "kernels/emulator/emulator.h"
  RunRequest request;
#include "kernels/emulator/emulator.h"
  request.file = "broken.cu";
#include "kernels/emulator/emulator.h"
  request.text = "__global__ void k(int* p) { p[0] = ; }";
#include "kernels/emulator/emulator.h"
  Session session;
#include "kernels/emulator/emulator.h"
  session.run(request);
#include "kernels/emulator/emulator.h"
  const results::Measured measured = session.measure({});
#include "kernels/emulator/emulator.h"
  ASSERT_EQ(measured.refused.size(), 1u);
#include "kernels/emulator/emulator.h"
  EXPECT_EQ(measured.refused.front().message, "there is no compiled program to measure");
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
TEST(Hardware, AKernelThatSynchronisesItsGridIsLaunchedCooperatively) {
#include "kernels/emulator/emulator.h"
  const auto cooperative = [](const std::string& special) {
#include "kernels/emulator/emulator.h"
    const auto module = ptx::parse(
#include "kernels/emulator/emulator.h"
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<2>;\n// %envreg2\nmov.u32 "
#include "kernels/emulator/emulator.h"
        "%r1, " +
#include "kernels/emulator/emulator.h"
        special + ";\nret;\n}\n");
#include "kernels/emulator/emulator.h"
    EXPECT_TRUE(module) << special;
#include "kernels/emulator/emulator.h"
    return module && emulator::synchronises_grid(*module);
#include "kernels/emulator/emulator.h"
  };
#include "kernels/emulator/emulator.h"
  EXPECT_TRUE(cooperative("%envreg1"));
#include "kernels/emulator/emulator.h"
  EXPECT_TRUE(cooperative("%envreg2"));
#include "kernels/emulator/emulator.h"
  EXPECT_FALSE(cooperative("%ctaid.x")) << "a comment is no instruction";
#include "kernels/emulator/emulator.h"
}
#include "kernels/emulator/emulator.h"

#include "kernels/emulator/emulator.h"
}  // namespace
#include "kernels/emulator/emulator.h"
}  // namespace lanescope::engine
