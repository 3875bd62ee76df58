// Counts per machine instruction: per line what the addresses say, in total what the range profiler says, and the text.

#include <gtest/gtest.h>

#include "profiling/cupti/child.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/trials.h"
#include "tests/gpu/walk.h"

namespace lanescope::gpu_test {
namespace {

const std::string sass_sectors = "smsp__sass_sectors_mem_global";
const std::string sass_wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
const std::string executed = "smsp__sass_inst_executed";

const std::vector<walk::Shape> walked_shapes{{.blocks = 3, .threads = 64, .step = 1, .rounds = 5},
                                             {.blocks = 1, .threads = 32, .step = 2, .rounds = 2},
                                             {.blocks = 2, .threads = 32, .step = 8, .rounds = 3},
                                             {.blocks = 1, .threads = 96, .step = 33, .rounds = 7}};

double on_line(const cupti::SassReport& report, int line, const std::string& metric) {
  const auto column = std::find(report.metrics.begin(), report.metrics.end(), metric) - report.metrics.begin();
  for (const cupti::LineTotal& total : by_line(report))
    if (total.line == line) return total.values[static_cast<std::size_t>(column)];
  return 0;
}

cupti::SassReport counted(const cupti::Request& request) {
  const auto report = cupti::count_instructions_in_child(measure_command(), request);
  EXPECT_TRUE(report) << to_string(report.error().front());
  return report ? *report : cupti::SassReport{};
}

TEST(Sass, EveryLineCostsWhatItsAddressesSay) {
  LS_NEEDS(instructions);
  LS_NEEDS_COMPILER();
  const auto report = counted(walk::request(walked_shapes));
  EXPECT_TRUE(report.unknown.empty()) << report.unknown.front();
  walk::Costs expected;
  for (const auto& shape : walked_shapes) {
    const walk::Costs c = walk::costs(shape);
    expected.load_sectors += c.load_sectors, expected.store_sectors += c.store_sectors;
    expected.load_wavefronts += c.load_wavefronts, expected.store_wavefronts += c.store_wavefronts;
  }
  EXPECT_EQ(on_line(report, walk::global_load_line, sass_sectors), expected.load_sectors);
  EXPECT_EQ(on_line(report, walk::global_store_line, sass_sectors), expected.store_sectors);
  EXPECT_EQ(on_line(report, walk::shared_load_line, sass_wavefronts), expected.load_wavefronts);
  EXPECT_EQ(on_line(report, walk::shared_store_line, sass_wavefronts), expected.store_wavefronts);
  EXPECT_EQ(report.total(sass_sectors), expected.load_sectors + expected.store_sectors);
  EXPECT_EQ(report.total(sass_wavefronts, "walk"), expected.load_wavefronts + expected.store_wavefronts);
  EXPECT_EQ(report.dropped, 0u);
}

TEST(Sass, AddsUpToTheRangeProfilersTotals) {
  LS_NEEDS(instructions);
  LS_NEEDS_COUNTERS();
  LS_NEEDS_COMPILER();
  const std::vector<std::string> names{executed, "smsp__sass_thread_inst_executed"};
  const auto report = counted(walk::request(walked_shapes, names));
  const auto ranges =
      measure_apart(walk::request(walked_shapes, {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"}));
  ASSERT_TRUE(ranges) << to_string(ranges.error().front());
  EXPECT_EQ(report.total(names[0]), ranges->total("smsp__inst_executed.sum"));
  EXPECT_EQ(report.total(names[1]), ranges->total("smsp__thread_inst_executed.sum"));
}

TEST(Sass, KeepsKernelsApart) {
  LS_NEEDS(instructions);
  cupti::Request request{
      .ptx = kernels_ptx(device().arch()), .launches = {}, .buffers = buffers(), .metrics = {sass_sectors}};
  for (int i = 0; i < 2; ++i)
    for (const Kind& kind : kinds()) {
      if (kind.family != Family::global_load) continue;
      Trial t{.kind = &kind};
      for (std::uint32_t lane = 0; lane < 32; ++lane) t.offsets[lane] = lane * static_cast<unsigned>(kind.width_bytes);
      request.launches.push_back(launch_of(t));
    }
  const auto report = counted(request);
  for (const Kind& kind : kinds())
    if (kind.family == Family::global_load) {
      EXPECT_EQ(report.total(sass_sectors, kind.name), 2 * kind.width_bytes)
          << kind.name << ": 32 lanes side by side, twice";
    }
  for (const cupti::SassRow& row : report.rows) EXPECT_EQ(row.line, 0) << "this PTX has no line information";
}

TEST(Sass, NamesThatTheChipLacksAreNamed) {
  LS_NEEDS(instructions);
  LS_NEEDS_COMPILER();
  const auto report = counted(walk::request({walked_shapes[0]}, {"no__such_metric", executed}));
  EXPECT_EQ(report.unknown, std::vector<std::string>{"no__such_metric"});
  EXPECT_EQ(report.metrics, std::vector<std::string>{executed});
  EXPECT_FALSE(
      cupti::count_instructions_in_child(measure_command(), walk::request({walked_shapes[0]}, {"no__such_metric"})));
}

TEST(Sass, TheTextSaysWhatKindOfInstructionCosts) {
  LS_NEEDS(instructions);
  LS_NEEDS_COMPILER();
  const auto report = counted(walk::request({walked_shapes[0]}));
  if (report.code.empty()) {
    EXPECT_NE(report.no_code.find("nvdisasm"), std::string::npos) << report.no_code;
    GTEST_SKIP() << "SKIPPED, " << report.no_code;
  }
  const auto count = [&](cupti::SassKind kind) {
    return std::ranges::count_if(
        report.code, [&](const cupti::SassLine& l) { return l.function == "walk" && cupti::kind_of(l.text) == kind; });
  };
  EXPECT_EQ(count(cupti::SassKind::global_load), 1);
  EXPECT_EQ(count(cupti::SassKind::global_store), 1);
  EXPECT_EQ(count(cupti::SassKind::shared_load), 1);
  EXPECT_EQ(count(cupti::SassKind::shared_store), 1);
  EXPECT_EQ(count(cupti::SassKind::barrier), 2);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto column = static_cast<std::size_t>(std::find(report.metrics.begin(), report.metrics.end(), executed) -
                                               report.metrics.begin());
  for (const cupti::SassRow& row : report.rows) {
    const auto line = std::find_if(report.code.begin(), report.code.end(), [&](const cupti::SassLine& l) {
      return l.offset == row.offset && l.function == row.function;
    });
    ASSERT_NE(line, report.code.end()) << "an instruction that was counted is in the text: " << row.offset;
    EXPECT_EQ(line->line, row.line);
    rows.push_back({row.offset, row.line, row.values[column], line->text});
  }
  write_results("gpu_instructions", {{"kernel", "tests/gpu/walk.cpp, 3 blocks of 64, step 1, 5 rounds"},
                                     {"columns", "offset, source line, warps that executed it, instruction"},
                                     {"instructions", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
