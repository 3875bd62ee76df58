// The engine's way to a GPU: the same file as `lanescope run --engine gpu`, results and counters beside the prediction.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/run.h"
#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "profiling/counters/explain.h"
#include "tests/catalogue/order_dependent.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

namespace fs = std::filesystem;
using engine::Ending;

engine::RunRequest request_for(const fs::path& file) {
  const std::string text = read_file(file.string()).value_or("");
  engine::RunRequest request;
  request.file = file.string();
  request.text = text;
  request.on_gpu = true;
  return request;
}

/// Exact counters of the hardware: memory instructions of each kind, their sectors and their shared wavefronts.
bool is_memory_count(const results::MetricRow& row) {
  return row.line == 0 &&
         (row.name.starts_with("smsp__sass_inst_executed_op_") || row.name.starts_with("smsp__sass_l1tex_"));
}

/// Pairs of predicted and measured numbers, and how many of them are equal.
struct PairTally {
  std::size_t pairs = 0, equal = 0;
  void add(const results::MetricRow& row) { ++pairs, equal += row.cause.empty(); }
  void add(const nlohmann::ordered_json& j) { pairs += j[0].get<std::size_t>(), equal += j[1].get<std::size_t>(); }
  nlohmann::ordered_json row() const { return {pairs, equal}; }
  nlohmann::ordered_json json() const { return {{"pairs", pairs}, {"equal", equal}}; }
};

/// One kernel's.
struct Comparison {
  PairTally memory, whole_run, by_line;
  std::size_t unexplained = 0;
  nlohmann::ordered_json differences = nlohmann::ordered_json::array(), opcodes;
};

void compare_rows(const std::string& kernel, const results::Measured& measured, Comparison& out) {
  for (const results::MetricRow& row : measured.metrics) {
    if (!row.predicted || !row.measured || !row.name.starts_with("smsp__sass_")) continue;
    (row.line == 0 ? out.whole_run : out.by_line).add(row);
    if (is_memory_count(row)) out.memory.add(row);
    out.unexplained += row.cause == "unexplained";
    EXPECT_NE(row.cause, "unexplained") << row.name << ": " << *row.predicted << " predicted, " << *row.measured;
    if (row.cause.empty() || row.line > 0) continue;
    out.differences.push_back({{"kernel", kernel},
                               {"counter", row.name},
                               {"predicted", *row.predicted},
                               {"measured", *row.measured},
                               {"cause", row.cause}});
  }
}

/// The machine code by kinds is the proof of what the compiler made; it adds up to what the whole run counted.
void add_opcodes(const std::string& kernel, const results::Measured& measured, Comparison& out) {
  nlohmann::ordered_json row = {{"kernel", kernel}};
  std::uint64_t executed = 0;
  for (const results::OpcodeRow& o : measured.opcodes) {
    row[o.kind] = o.executed;
    executed += o.executed;
  }
  const auto all = std::ranges::find(measured.metrics, "smsp__sass_inst_executed.sum", &results::MetricRow::name);
  if (all != measured.metrics.end() && all->measured && !measured.opcodes.empty()) {
    EXPECT_EQ(static_cast<double>(executed), *all->measured) << kernel;
  }
  out.opcodes = std::move(row);
}

/// Each of these takes seconds, most of which are children that start; so the catalogue is divided.
constexpr std::size_t parts = 4;

/// Rows of `name` that are about other kernels than those measured here, of a file of today and of this GPU.
nlohmann::ordered_json kept_rows(const nlohmann::ordered_json& before, const char* name,
                                 const std::set<std::string>& measured) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (before.contains(name))
    for (const auto& row : before[name])
      if (!measured.contains(row["kernel"].get<std::string>())) rows.push_back(row);
  return rows;
}

/// The parts of a day add up to one file, in any processes.
void write_comparisons(const std::map<std::string, Comparison>& all) {
  nlohmann::ordered_json before = results_of_today("gpu_engine_counters");
  if (!before.contains("kernels")) before = nlohmann::ordered_json::object();  // of an earlier form
  std::set<std::string> measured;
  for (const auto& [kernel, c] : all) measured.insert(kernel);
  auto kernels = kept_rows(before, "kernels", measured), differences = kept_rows(before, "differences", measured),
       opcodes = kept_rows(before, "opcodes", measured);
  for (const auto& [kernel, c] : all) {
    kernels.push_back({{"kernel", kernel},
                       {"memory", c.memory.row()},
                       {"whole_run", c.whole_run.row()},
                       {"by_line", c.by_line.row()},
                       {"unexplained", c.unexplained}});
    differences.insert(differences.end(), c.differences.begin(), c.differences.end());
    opcodes.push_back(c.opcodes);
  }
  PairTally memory, whole_run, by_line;
  std::size_t unexplained = 0;
  for (const auto& row : kernels) {
    memory.add(row["memory"]), whole_run.add(row["whole_run"]), by_line.add(row["by_line"]);
    unexplained += row["unexplained"].get<std::size_t>();
  }
  write_results("gpu_engine_counters",
                {{"what",
                  "every catalogue kernel through the engine: smsp__sass_* counters, predicted and measured; memory: "
                  "instructions of each memory kind, their sectors and shared wavefronts; opcodes: warp instructions "
                  "of the machine code by kind; of a kernel: pairs and how many of them are equal"},
                 {"memory", memory.json()},
                 {"whole_run", whole_run.json()},
                 {"by_line", by_line.json()},
                 {"unexplained", unexplained},
                 {"kernels", kernels},
                 {"differences", differences},
                 {"opcodes", opcodes}});
  fmt::print("{} kernels so far, memory: {} of {}, whole run: {} of {}, by line: {} of {}, unexplained: {}\n",
             kernels.size(), memory.equal, memory.pairs, whole_run.equal, whole_run.pairs, by_line.equal, by_line.pairs,
             unexplained);
}

class EngineCatalogue : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EngineCatalogue, RunsAndEveryDifferenceHasACause) {
  LS_NEEDS_COUNTERS();
  std::map<std::string, Comparison> all;
  const std::vector<fs::path> files = catalogue_files();
  for (std::size_t n = GetParam(); n < files.size(); n += parts) {
    const std::string kernel = files[n].stem().string();
    if (catalogue::has_order_dependent_addresses(kernel)) continue;  // they need not do the same twice
    SCOPED_TRACE(kernel);
    const auto begin = std::chrono::steady_clock::now();
    engine::Session session;
    session.run(request_for(files[n]));
    EXPECT_EQ(session.ending(), Ending::good);
    for (const results::BufferComparison& c : session.hardware().buffers) EXPECT_EQ(c.different, 0u) << c.name;
    for (const results::ClaimInfo& c : session.summary().claims)
      EXPECT_NE(c.result.verdict, claims::Verdict::differs) << c.claim.first_line << ": " << c.result.difference;
    // Every kernel is traced by TracedLaunches and recorded by Activity; that the engine does so, too, is tried on some,
    // and on the one that waits for its grid.
    const bool some = n / parts % 5 == 0 || kernel == "group_grid_sync";
    engine::MeasureRequest wanted;
    wanted.instructions = true, wanted.timing = wanted.activity = wanted.trace = some;
    const results::Measured measured = session.measure(wanted);
    for (const Diagnostic& d : measured.refused) EXPECT_EQ(d.severity, Severity::note) << to_string(d);
    ASSERT_EQ(measured.timing.has_value(), some);
    ASSERT_EQ(measured.trace.has_value(), some);
    if (some) {
      EXPECT_GT(measured.timing->median_us, 0);
      EXPECT_EQ(measured.trace->difference, "");
      EXPECT_EQ(measured.trace->dropped, 0u);
      EXPECT_FALSE(measured.launches.empty());
      EXPECT_FALSE(measured.host_calls.empty());
    }
    EXPECT_FALSE(measured.sass.empty());
    compare_rows(kernel, measured, all[kernel]);
    add_opcodes(kernel, measured, all[kernel]);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    fmt::print("{:<28}{:>6.2f} s  ", kernel, took.count());
    write_comparisons(all);  // each time, so that what is stopped has said what it found
    std::fflush(stdout);
  }
}

INSTANTIATE_TEST_SUITE_P(EngineOnGpu, EngineCatalogue, ::testing::Range(std::size_t{0}, parts));

/// The last buffer of 256 words, as a GPU leaves it.
template <class Value>
void expect_words(const char* file, Value value) {
  engine::Session session;
  session.run(request_for(file));
  ASSERT_EQ(session.ending(), Ending::good)
      << (session.summary().diagnostics.empty() ? "" : to_string(session.summary().diagnostics.front()));
  const engine::Output& y = session.outputs().back();
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, &y.bytes[i * 4], 4);
    EXPECT_EQ(word, value(i)) << i;
  }
}

TEST(EngineOnGpu, AGridThatSynchronisesIsLaunchedCooperatively) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  expect_words("tests/data/gpu/grid_sync.cu", [](std::uint32_t i) { return 3 * (255 - i); });
}

TEST(EngineOnGpu, BlocksOfAClusterReadEachOther) {
  LS_NEEDS_GPU();
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  if (device().major < 9) GTEST_SKIP() << "SKIPPED, needs a GPU with clusters (compute capability 9.0)";
  expect_words("tests/data/gpu/cluster.cu", [](std::uint32_t i) { return 100 * ((i / 32) ^ 1) + i % 32; });
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
