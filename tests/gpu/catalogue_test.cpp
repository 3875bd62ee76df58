// Every catalogue kernel on a real GPU: the same outputs as the emulator's (of kernels that are wrong on purpose, outputs
// that some order of their threads leaves), and predicted counters beside measured ones.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/engine/prepare/prepare.h"
#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/gpu/driver.h"
#include "tests/catalogue/order_dependent.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

namespace fs = std::filesystem;

std::string stem(const fs::path& file) { return file.stem().string(); }
std::string text_of(const fs::path& file) { return read_file(file.string()).value_or(""); }

/// The same launch plan for emulator and GPU.
struct Plan {
  engine::RunRequest request;
  engine::Prepared prepared;
  std::string ptx;
};

Plan plan_of(const fs::path& file) {
  Plan plan;
  plan.request = {
      .file = file.string(),
      .text = text_of(file),
      .arch = text_of(file).find("\narch = ") != std::string::npos ? "" : device().arch(),  // the file's own
      .probed_run = false,
      .launch_file = {},
      .launch_text = {}};
  plan.prepared = engine::prepare(
      plan.request, [](std::string_view) {}, nullptr);
  if (!plan.prepared.ready) return plan;
  const compile::Options options{.arch = plan.prepared.arch, .extra = {}};
  if (auto outcome = compile::compile(*plan.prepared.source, compile::Variant::plain, options))
    plan.ptx = outcome->compiled.ptx;
  return plan;
}

std::vector<std::string> hardware_metrics() {
  std::vector<std::string> names;
  for (const counters::Metric& m : counters::metrics())
    if (!m.name.starts_with("lanescope__")) names.emplace_back(m.name);
  return names;
}

catalogue::Contents contents_of(const std::vector<trace::Buffer>& buffers) {
  return [&](std::string_view name) {
    const auto found = std::ranges::find(buffers, name, &trace::Buffer::name);
    if (found == buffers.end()) return std::vector<std::byte>();
    return std::vector<std::byte>(found->bytes.begin(), found->bytes.end());
  };
}

/// Kernels whose machine code does not have the memory instructions of the PTX.
bool is_changed_by_the_assembler(const std::string& kernel, std::string_view counter) {
  // Loads of both sides of a branch become one; so do loads of the read-only path, with any stores between them.
  return (kernel == "assume_convergence" || kernel == "assume_lockstep" || kernel == "read_ldg") &&
         (counter.find("global_ld") != std::string_view::npos ||
          counter.find("global_op_ld") != std::string_view::npos);
}

/// A kernel that is wrong on purpose, by its own comment, in a way that lets hardware decide what it writes.
bool is_undecided(const std::string& text) {
  for (const char* rule : {"warp-sync-missing", "assumed-convergence", "barrier-missing", "barrier-divergent",
                           "global-unordered", "write-overlap"}) {
    const std::size_t at = text.find("lanescope: expect");
    for (std::size_t from = at; from != std::string::npos; from = text.find("lanescope: expect", from + 1))
      if (text.substr(from, text.find('\n', from) - from).find(rule) != std::string::npos) return true;
  }
  return false;
}

class Catalogue : public ::testing::TestWithParam<fs::path> {};

TEST_P(Catalogue, WritesWhatTheEmulatorWrites) {
  LS_NEEDS_GPU();
  Plan plan = plan_of(GetParam());
  ASSERT_TRUE(plan.prepared.ready && !plan.ptx.empty());
  engine::Session session;
  session.run(plan.request);
  ASSERT_EQ(session.ending(), engine::Ending::good);
  if (gpu::needs_device_runtime(plan.ptx) && gpu::device_runtime_library().empty())
    GTEST_SKIP() << "its kernels launch kernels, and libcudadevrt.a is not here: nothing of it was checked on this GPU";
  auto buffers = plan.prepared.buffers;
  const auto result = gpu::run(plan.ptx, engine::host_launches(plan.prepared.plain), buffers,
                               {.cooperative = plan.prepared.plain.cooperative});
  ASSERT_TRUE(result) << to_string(result.error().front());
  ASSERT_EQ(result->fault, "");
  if (const auto* k = catalogue::find_order_dependent(stem(GetParam()))) {
    EXPECT_EQ(k->objection(contents_of(plan.prepared.buffers), contents_of(buffers)), "");
    return;
  }
  for (const engine::Output& output : session.outputs())
    for (const trace::Buffer& buffer : buffers)
      if (buffer.name == output.name) {
        const bool equal = buffer.bytes == output.bytes;
        if (is_undecided(plan.request.text))
          fmt::print("{} of {}, which is not decided: {}\n", output.name, stem(GetParam()),
                     equal ? "equal" : "differs");
        else
          EXPECT_TRUE(equal) << output.name << " differs";
      }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Catalogue, ::testing::ValuesIn(catalogue_files()),
                         [](const auto& info) { return stem(info.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Catalogue);

struct Score {
  std::size_t equal = 0, total = 0;
};

/// A row per kernel and counter.
void compare_counters(const fs::path& file, nlohmann::ordered_json& rows, std::map<std::string, Score>& scores) {
  const Plan plan = plan_of(file);
  ASSERT_TRUE(plan.prepared.ready && !plan.ptx.empty()) << file;
  if (!plan.prepared.grids.empty()) {
    fmt::print("{}: its kernels launch kernels, so its counters are not compared\n", stem(file));
    return;
  }
  engine::Session session;
  session.run(plan.request);
  const auto measured = measure_apart({.ptx = plan.ptx,
                                       .launches = plan.prepared.plain.launches,
                                       .buffers = plan.prepared.buffers,
                                       .metrics = hardware_metrics(),
                                       .cooperative = plan.prepared.plain.cooperative});
  ASSERT_TRUE(measured) << file << ": " << to_string(measured.error().front());
  for (const counters::Metric& m : counters::metrics()) {
    const auto value = measured->total(m.name);
    if (!value) continue;
    const std::uint64_t predicted = m.value(session.counters().total);
    const bool equal = *value == static_cast<double>(predicted);
    rows.push_back(nlohmann::ordered_json{{"kernel", stem(file)},
                                          {"counter", std::string(m.name)},
                                          {"predicted", predicted},
                                          {"measured", *value},
                                          {"equal", equal}});
    Score& score = scores[std::string(m.name)];
    ++score.total, score.equal += equal;
    // How often blocks ask whether all others have come to the barrier of the grid is not the same in two runs.
    if (plan.prepared.plain.cooperative) continue;
    // Memory instructions of plain kernels are the same in PTX and machine code, and their addresses are known, unless the
    // order of atomics gives them.
    const bool exact = !catalogue::has_order_dependent_addresses(stem(file)) &&
                       !is_changed_by_the_assembler(stem(file), m.name) &&
                       (m.name.starts_with("smsp__sass_l1tex") || m.name.starts_with("smsp__sass_inst_executed_op"));
    if (exact) {
      EXPECT_EQ(*value, static_cast<double>(predicted)) << stem(file) << " " << m.name;
    }
  }
}

TEST(CatalogueCounters, MeasuredBesidePredicted) {
  LS_NEEDS_COUNTERS();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), shares;
  std::map<std::string, Score> scores;
  for (const fs::path& file : catalogue_files()) compare_counters(file, rows, scores);
  Score all;
  for (const auto& [name, score] : scores) {
    shares[name] = {{"equal", score.equal}, {"of", score.total}};
    all.equal += score.equal, all.total += score.total;
    fmt::print("{:<64}{:>4} of {:<4}\n", name, score.equal, score.total);
  }
  fmt::print("exactly equal: {} of {}\n", all.equal, all.total);
  write_results("gpu_catalogue_counters",
                {{"what", "counters of every catalogue kernel, all launches: predicted and measured"},
                 {"equal", all.equal},
                 {"of", all.total},
                 {"by_counter", shares},
                 {"rows", rows}});
}

}  // namespace
}  // namespace lanescope::gpu_test
