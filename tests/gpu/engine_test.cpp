// The engine's way to a GPU: the same file as `lanescope run --engine gpu`, results and counters beside the prediction.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "app/engine/hardware.h"
#include "app/engine/session.h"
#include "profiling/counters/explain.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

namespace fs = std::filesystem;
using engine::Ending;

std::vector<fs::path> catalogue() {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("assets/kernels", ignored))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

engine::RunRequest request_for(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  engine::RunRequest request;
  request.file = file.string();
  request.text = text.str();
  request.on_gpu = true;
  return request;
}

/// Counters that DESIGN holds to be exact: memory instructions, their sectors and their shared wavefronts.
bool must_be_equal_or_explained(const views::MetricRow& row) {
  return row.predicted && row.measured && row.name.starts_with("smsp__sass_");
}

TEST(EngineOnGpu, EveryKernelRunsAndEveryDifferenceHasACause) {
  LS_NEEDS_COUNTERS();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t equal = 0, total = 0, unexplained = 0;
  for (const fs::path& file : catalogue()) {
    SCOPED_TRACE(file.stem().string());
    engine::Session session;
    session.run(request_for(file));
    EXPECT_EQ(session.ending(), Ending::good);
    for (const views::BufferComparison& c : session.hardware().buffers) EXPECT_EQ(c.different, 0u) << c.name;
    for (const views::ClaimInfo& c : session.summary().claims)
      EXPECT_NE(c.result.verdict, claims::Verdict::differs) << c.claim.first_line << ": " << c.result.difference;
    engine::MeasureRequest everything;
    everything.instructions = everything.activity = everything.trace = true;
    const views::Measured measured = session.measure(everything);
    ASSERT_TRUE(measured.trace.has_value());
    EXPECT_EQ(measured.trace->difference, "");
    EXPECT_EQ(measured.trace->dropped, 0u);
    EXPECT_FALSE(measured.launches.empty());
    EXPECT_FALSE(measured.host_calls.empty());
    EXPECT_FALSE(measured.sass.empty());
    ASSERT_TRUE(measured.refused.empty()) << to_string(measured.refused.front());
    ASSERT_TRUE(measured.timing.has_value());
    EXPECT_GT(measured.timing->median_us, 0);
    for (const views::MetricRow& row : measured.metrics) {
      if (!must_be_equal_or_explained(row)) continue;
      ++total, equal += row.cause.empty(), unexplained += row.cause == "unexplained";
      EXPECT_NE(row.cause, "unexplained") << row.name << ": " << *row.predicted << " predicted, " << *row.measured;
      if (!row.cause.empty())
        rows.push_back({{"kernel", file.stem().string()},
                        {"counter", row.name},
                        {"predicted", *row.predicted},
                        {"measured", *row.measured},
                        {"cause", row.cause}});
    }
  }
  write_results("gpu_engine_counters",
                {{"what", "every catalogue kernel through the engine: smsp__sass_* counters, predicted and measured"},
                 {"pairs", total},
                 {"equal", equal},
                 {"unexplained", unexplained},
                 {"differences", rows}});
  fmt::print("equal: {} of {}, unexplained: {}\n", equal, total, unexplained);
}

// --- kernels that fault or hang --------------------------------------------------------------------------------------

struct Mistake {
  const char* name;
  const char* body;
  bool hangs = false;
};
// %rd1 is the buffer, %r1 the thread; the buffer has 32 words.
constexpr Mistake mistakes[] = {
    {"store far beyond the buffer", "add.s64 %rd2, %rd1, 1099511627776;\n st.global.u32 [%rd2], %r1;\n"},
    {"load from address 0", "mov.u64 %rd2, 0;\n ld.global.u32 %r2, [%rd2];\n st.global.u32 [%rd1], %r2;\n"},
    {"misaligned store", "add.s64 %rd2, %rd1, 1;\n st.global.u32 [%rd2], %r1;\n"},
    {"trap", "trap;\n"},
    {"shared load beyond the window",
     "mov.u32 %r2, 16777212;\n ld.shared.u32 %r3, [%r2];\n st.global.u32 [%rd1], %r3;\n"},
    {"loop without end", "$L: ld.volatile.global.u32 %r2, [%rd1];\n setp.ne.u32 %p1, %r2, 4294967295;\n @%p1 bra $L;\n",
     true},
    {"barrier that waits for 64 of 32", "bar.sync 0, 64;\n", true},
};
constexpr const char* correct = "mad.lo.u32 %r2, %r1, 3, SEED;\n st.global.u32 [%rd3], %r2;\n";

engine::RunRequest ptx_request(std::string body, unsigned seed) {
  const std::string::size_type at = body.find("SEED");
  if (at != body.npos) body.replace(at, 4, std::to_string(seed));
  engine::RunRequest request;
  request.file = "mistake.ptx";
  request.text =
      ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n .reg .pred %p<4>;\n"
      " .reg .b32 %r<8>;\n .reg .b64 %rd<8>;\n ld.param.u64 %rd1, [p];\n cvta.to.global.u64 %rd1, %rd1;\n"
      " mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, %rd2;\n " +
      body + " ret;\n}\n";
  request.launch_file = "mistake.toml";
  request.launch_text = "[lanescope]\nblock = 32\nargs = [\"x\"]\n[buffers]\nx = \"u32 i:32 = zeros\"\n";
  request.arch = device().arch();
  request.probed_run = false;
  request.on_gpu = true;
  request.max_steps = 20'000;
  request.gpu_limit_seconds = 4;
  return request;
}

std::uint64_t free_bytes_now() {
  const engine::RunRequest request = ptx_request(correct, 1);
  const auto answer = gpu::run_in_child(engine::child_command("run"),
                                        {.ptx = request.text, .launches = {}, .buffers = {}}, std::chrono::seconds(20));
  return answer ? answer->result.free_bytes : 0;
}

void expect_correct(unsigned seed) {
  engine::Session session;
  session.run(ptx_request(correct, seed));
  ASSERT_EQ(session.ending(), Ending::good)
      << (session.summary().diagnostics.empty() ? "" : to_string(session.summary().diagnostics.front()));
  ASSERT_EQ(session.outputs().size(), 1u);
  const auto& bytes = session.outputs().front().bytes;
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[i * 4], 4);
    ASSERT_EQ(value, i * 3 + seed) << i;
  }
}

TEST(EngineOnGpu, AHundredMistakesInARowHarmNobodyElse) {
  LS_NEEDS_GPU();
  std::mt19937 random(static_cast<unsigned>(seed()));
  const std::uint64_t before = free_bytes_now();
  ASSERT_GT(before, 0u);
  std::map<std::string, int> reported;
  int correct_runs = 0;
  for (int i = 0; i < 100; ++i) {
    const bool hang = i % 12 == 11;  // each costs its time limit
    const Mistake& m = hang ? mistakes[5 + random() % 2] : mistakes[random() % 5];
    engine::Session session;
    session.run(ptx_request(m.body, 0));
    EXPECT_EQ(session.ending(), Ending::faulted) << m.name;
    EXPECT_FALSE(session.hardware().fault.empty()) << m.name;
    ++reported[std::string(m.name) + ": " + session.hardware().fault];
    if (i % 4 == 3) expect_correct(static_cast<unsigned>(random() % 1000)), ++correct_runs;
  }
  const std::uint64_t after = free_bytes_now();
  EXPECT_NEAR(static_cast<double>(after), static_cast<double>(before), 8e6) << "bytes of device memory";
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [words, count] : reported) rows.push_back({{"reported", words}, {"times", count}});
  write_results("gpu_mistakes",
                {{"what", "100 launches that fault or hang, each in a child process, correct ones between"},
                 {"correct_runs_between", correct_runs},
                 {"free_device_bytes_before", before},
                 {"free_device_bytes_after", after},
                 {"reports", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
