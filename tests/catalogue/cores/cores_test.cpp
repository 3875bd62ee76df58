// Every kernel of the catalogue on several cores: memory, counters, prints and faults are those of one core.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/engine/prepare/prepare.h"
#include "kernels/emulator/ahead/ahead.h"
#include "kernels/emulator/emulator.h"
#include "profiling/counters/counters.h"
#include "tests/catalogue/cores/collected.h"

namespace lanescope::catalogue {
namespace {

/// Paths of the kernels, sorted.
std::vector<std::filesystem::path> kernels() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets" / "kernels"))
    if (entry.path().extension() == ".cu") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct OnCores {
  emulator::Result result;
  std::vector<trace::Buffer> buffers;
  std::vector<counters::Counts> by_pc, blocks;
  std::vector<counters::LaneHistogram> lanes;
  std::uint64_t blocks_ahead = 0;
  Collected collected;  ///< where it was requested
};

OnCores run_on_cores(const engine::Program& program, const trace::Launch& launch, std::vector<trace::Buffer> buffers,
                     std::uint32_t cores, const review::LaunchReview* watched = nullptr) {
  OnCores out;
  counters::Counter counter;
  counters::BlockCounter blocks(counter, launch.grid.count());
  counters::DivergenceCounter lanes;
  std::optional<Collecting> collecting;
  if (watched != nullptr) collecting.emplace(*watched, buffers);
  emulator::Options options{.max_steps = 300'000,
                            .observers = {&blocks, &lanes},
                            .grids = emulator::Options::Grids::leave,
                            .cores = cores,
                            .alone_steps = 0};
  if (collecting) options.observers.push_back(&collecting->collector);
  auto machine = emulator::Machine::create(program.module, launch, buffers, options);
  if (!machine) return ADD_FAILURE() << to_string(machine.error().front()), out;
  out.blocks_ahead = machine->run_ahead().blocks;
  while (machine->advance(std::uint64_t{1} << 40)) {}
  blocks.launch_ended();
  if (collecting) out.collected = collecting->end();
  out.result = machine->result();
  out.buffers = std::move(buffers);
  out.by_pc.assign(counter.by_instruction().begin(), counter.by_instruction().end());
  out.blocks = blocks.blocks();
  out.lanes.assign(lanes.by_instruction().begin(), lanes.by_instruction().end());
  return out;
}

void expect_same_run(const OnCores& several, const OnCores& one) {
  ASSERT_EQ(several.result.faults.size(), one.result.faults.size());
  for (std::size_t i = 0; i < one.result.faults.size(); ++i) {
    EXPECT_EQ(several.result.faults[i].message, one.result.faults[i].message);
    EXPECT_EQ(several.result.faults[i].where.step, one.result.faults[i].where.step);
  }
  ASSERT_EQ(several.result.printed.size(), one.result.printed.size());
  for (std::size_t i = 0; i < one.result.printed.size(); ++i) {
    EXPECT_EQ(several.result.printed[i].text, one.result.printed[i].text);
    EXPECT_EQ(several.result.printed[i].where.step, one.result.printed[i].where.step);
  }
  EXPECT_EQ(several.result.warp_instructions, one.result.warp_instructions);
  EXPECT_EQ(several.result.thread_instructions, one.result.thread_instructions);
  EXPECT_TRUE(several.result.coverage == one.result.coverage);
  EXPECT_EQ(several.result.grids.size(), one.result.grids.size());
  EXPECT_TRUE(several.by_pc == one.by_pc);
  EXPECT_TRUE(several.blocks == one.blocks);
  EXPECT_TRUE(several.lanes == one.lanes);
  for (std::size_t i = 0; i < one.collected.size() || i < several.collected.size(); ++i) {
    const std::string none = "nothing";
    ASSERT_EQ(i < several.collected.size() ? several.collected[i] : none,
              i < one.collected.size() ? one.collected[i] : none);
  }
  for (std::size_t b = 0; b < one.buffers.size(); ++b)
    EXPECT_TRUE(several.buffers[b].bytes == one.buffers[b].bytes) << one.buffers[b].name;
}

/// The launch as the review watches it.
review::LaunchReview watched_launch(const engine::Prepared& prepared, const trace::Launch& launch,
                                    const std::vector<trace::Buffer>& buffers) {
  review::LaunchReview out;
  out.launch = launch;
  out.entry = prepared.plain.module.find_entry(launch.kernel);
  out.code = engine::sites_of(prepared.plain, launch);
  const auto addresses = emulator::place_buffers(buffers);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    out.buffers.push_back({buffers[b].name, addresses[b], buffers[b].bytes.size(), buffers[b].element_bits});
  return out;
}

TEST(Cores, EveryKernelYieldsTheSameOnSeveral) {
  std::size_t launches = 0, with_blocks_ahead = 0, watched_ahead = 0;
  for (const std::filesystem::path& path : kernels()) {
    SCOPED_TRACE(path.stem().string());
    engine::RunRequest request{.file = path.string(), .text = text_of(path), .launch_file = {}, .launch_text = {}};
    request.forbid_nvrtc = true;
    engine::Prepared prepared = engine::prepare(
        request, [](std::string_view) {}, nullptr);
    if (!prepared.ready) continue;  // other tests say why
    std::vector<trace::Buffer> buffers = std::move(prepared.buffers);
    for (const trace::Launch& launch : prepared.plain.launches) {
      trace::perform(launch.before, buffers, emulator::place_buffers(buffers));
      OnCores one = run_on_cores(prepared.plain, launch, buffers, 1);
      std::uint64_t ahead = 0;
      for (const std::uint32_t cores : {2u, 3u, 8u}) {
        if (launch.grid.count() < 3) break;
        const OnCores several = run_on_cores(prepared.plain, launch, buffers, cores);
        expect_same_run(several, one);
        ahead += several.blocks_ahead;
      }
      if (launch.grid.count() >= 3) {
        SCOPED_TRACE("with all that a review watches");
        const review::LaunchReview watched = watched_launch(prepared, launch, buffers);
        const OnCores serial = run_on_cores(prepared.plain, launch, buffers, 1, &watched);
        const OnCores several = run_on_cores(prepared.plain, launch, buffers, 3, &watched);
        expect_same_run(several, serial);
        watched_ahead += several.blocks_ahead > 0 ? 1 : 0;
      }
      launches += launch.grid.count() < 3 ? 0 : 1;
      with_blocks_ahead += ahead > 0 ? 1 : 0;
      if (!one.result.faults.empty()) break;
      buffers = std::move(one.buffers);
    }
  }
  RecordProperty("launches", static_cast<int>(launches));
  RecordProperty("with_blocks_ahead", static_cast<int>(with_blocks_ahead));
  EXPECT_GT(launches, 50u);
  RecordProperty("watched_ahead", static_cast<int>(watched_ahead));
  EXPECT_GT(with_blocks_ahead * 2, launches) << launches;
  EXPECT_GT(watched_ahead * 3, launches) << launches;
}

}  // namespace
}  // namespace lanescope::catalogue
