// Measurements that published courses and notes made on other GPUs, repeated here: which of their ratios
// hold, and the counters that explain why.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "app/engine/prepare/execution.h"
#include "kernels/gpu/driver.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/reference_claims.h"
#include "tests/gpu/reference_kernels.h"

namespace lanescope::gpu_test {
namespace {

using json = nlohmann::ordered_json;

constexpr int warm_up = 5, repetitions = 30;
constexpr const char* library = "rmse_library f32";

struct Outcome {
  std::string size;
  double median_us = 0, spread_us = 0, useful_bytes = 0;
  int registers = 0, shared_bytes = 0;
  std::optional<std::size_t> grids{};  ///< that its kernels launch; its counters are not compared then
  std::map<std::string, double> counters;
};

/// Kernels with their statements, timed and counted together.
struct Chapter {
  const char* results;
  std::vector<Variant> (*variants)(const Scale&);
  std::span<const Claim> (*claims)();
  std::vector<std::string> (*counters)();
};
constexpr Chapter chapters[] = {{"gpu_references", reference_variants, claims, reference_counters},
                                {"gpu_course_references", course_variants, course_claims, course_counters}};

double rounded(double value) {
  return std::abs(value) < 1e6 ? std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr) : std::round(value);
}

/// Bytes that have to move over the time it took.
double useful_gb_per_s(const Outcome& run) { return run.useful_bytes / run.median_us / 1e3; }

json row_of(const std::string& name, const Outcome& run) {
  json row{
      {"name", name}, {"size", run.size}, {"median_us", rounded(run.median_us)}, {"spread_us", rounded(run.spread_us)}};
  if (run.useful_bytes > 0) row["useful_gb_per_s"] = rounded(useful_gb_per_s(run));
  if (run.registers > 0) row["registers"] = run.registers;
  if (run.shared_bytes > 0) row[std::string(shared_bytes)] = run.shared_bytes;
  if (run.grids) row[std::string(launched_grids)] = *run.grids;
  for (const auto& [counter, value] : run.counters) row["counters"][counter] = rounded(value);
  return row;
}

bool is_count(std::string_view name) { return name.ends_with(".sum"); }

/// Counts of all launches together; a ratio only where there is one launch.
std::map<std::string, double> counters_of(const cupti::Measurement& m) {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < m.metrics.size(); ++i) {
    const auto value = m.total(m.metrics[i]);
    if (value && std::isfinite(*value) && (is_count(m.metrics[i]) || m.values.size() == 1))
      values[m.metrics[i]] = *value;
  }
  return values;
}

void run_variant(const Variant& variant, const std::vector<std::string>& metrics,
                 std::map<std::string, Outcome>& runs) {
  engine::Prepared prepared = prepare(variant, device().arch());
  ASSERT_TRUE(prepared.ready) << (prepared.diagnostics.empty() ? "" : to_string(prepared.diagnostics.front()));
  const bool recursive = gpu::needs_device_runtime(prepared.plain.ptx);
  if (recursive && gpu::device_runtime_library().empty()) {
    fmt::print("SKIPPED, its kernels launch kernels, and libcudadevrt.a is not here: {}\n", variant.name);
    return;
  }
  const std::vector<trace::Launch> launches = engine::host_launches(prepared.plain);
  Buffers after = prepared.buffers;  // run here: hundreds of megabytes need not cross a pipe, and nothing faults
  const auto result = gpu::run(prepared.plain.ptx, launches, after, {.warm_up = warm_up, .repetitions = repetitions});
  ASSERT_TRUE(result) << to_string(result.error().front());
  ASSERT_EQ(result->fault, "");
  EXPECT_EQ(variant.wrong(prepared.buffers, after), "");
  Outcome run{.size = variant.size,
              .median_us = 1e3 * result->timing.median(),
              .spread_us = 1e3 * result->timing.spread(),
              .useful_bytes = variant.useful_bytes,
              .registers = result->resources.registers,
              .shared_bytes = result->resources.shared_bytes + static_cast<int>(launches.front().dynamic_shared_bytes),
              .counters = {}};
  if (recursive) {
    run.grids = variant.launched_grids;
    runs[variant.name] = std::move(run);
    return;
  }
  const auto measured = measure_apart(
      {.ptx = prepared.plain.ptx, .launches = launches, .buffers = std::move(prepared.buffers), .metrics = metrics});
  ASSERT_TRUE(measured) << to_string(measured.error().front());
  run.counters = counters_of(*measured);
  runs[variant.name] = std::move(run);
}

/// Stores the measurement that $LANESCOPE_RMSE_BASELINE (see run.sh) prints for so many elements.
void run_library(const std::string& program, std::uint32_t side, const std::string& which,
                 std::map<std::string, Outcome>& runs) {
  std::FILE* pipe = ::popen(fmt::format("'{}' {}", program, side * side).c_str(), "r");
  ASSERT_TRUE(pipe);
  char line[512] = "";
  const bool read = std::fgets(line, sizeof line, pipe);
  ASSERT_EQ(::pclose(pipe), 0) << line;
  ASSERT_TRUE(read);
  const json said = json::parse(line);
  runs[fmt::format("{}, {}", library, which)] = {.size = fmt::format("{0}x{0}", side),
                                                 .median_us = said.at("median_us"),
                                                 .spread_us = said.at("spread_us"),
                                                 .useful_bytes = 8.0 * side * side,
                                                 .counters = {}};
}

/// "l1tex__...: 64 against 4", of the counters that both runs have.
std::string why(const Claim& claim, Outcome slow, Outcome fast) {
  for (Outcome* run : {&slow, &fast}) {
    run->counters[std::string(useful_rate)] = useful_gb_per_s(*run);
    run->counters[std::string(shared_bytes)] = run->shared_bytes;
    run->counters[std::string(launched_grids)] = static_cast<double>(run->grids.value_or(0));
  }
  std::string words;
  for (const std::string_view reason : claim.reasons) {
    const auto a = slow.counters.find(std::string(reason)), b = fast.counters.find(std::string(reason));
    if (a == slow.counters.end() || b == fast.counters.end()) continue;
    if (a->second == 0 && b->second == 0) continue;
    words += fmt::format("{}{}: {:.6g} against {:.6g}", words.empty() ? "" : "; ", reason, a->second, b->second);
  }
  return words;
}

json judged(const Claim& claim, const Outcome& slow, const Outcome& fast) {
  const double ratio = slow.median_us / fast.median_us;
  json source{{"document", claim.origin.document}, {"states", claim.states}};
  if (!claim.origin.gpu.empty()) source["gpu"] = claim.origin.gpu;
  if (claim.slow_us > 0) source["slow_us"] = claim.slow_us, source["fast_us"] = claim.fast_us;
  if (claim.ratio > 0) source["ratio"] = claim.ratio;
  json here{{"slow", claim.slow},
            {"fast", claim.fast},
            {"slow_us", rounded(slow.median_us)},
            {"fast_us", rounded(fast.median_us)},
            {"ratio", rounded(ratio)}};
  const auto a = slow.counters.find("gpu__time_duration.sum"), b = fast.counters.find("gpu__time_duration.sum");
  if (a != slow.counters.end() && b != fast.counters.end() && b->second > 0)
    here["ratio_by_hardware_clock"] = rounded(a->second / b->second);
  return {{"experiment", claim.experiment},
          {"source", source},
          {"here", here},
          {"criterion", criterion_words(claim.criterion, claim.ratio)},
          {"holds", holds(claim.criterion, claim.ratio, ratio)},
          {"why", why(claim, slow, fast)}};
}

TEST(References, EveryStatementNamesRunsThatThereAre) {
  std::set<std::string> names{std::string(library) + ", source size", std::string(library) + ", large"};
  for (const Chapter& chapter : chapters) {
    for (const Variant& variant : chapter.variants(small_scale()))
      EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    const auto counters = chapter.counters();
    for (const Claim& claim : chapter.claims()) {
      EXPECT_TRUE(names.contains(std::string(claim.slow))) << claim.slow;
      EXPECT_TRUE(names.contains(std::string(claim.fast))) << claim.fast;
      for (const std::string_view reason : claim.reasons) {
        const bool counted = reason != useful_rate && reason != shared_bytes && reason != launched_grids;
        EXPECT_TRUE(!counted || std::find(counters.begin(), counters.end(), reason) != counters.end()) << reason;
      }
    }
  }
}

TEST(References, CriteriaAskForHalfOfTheEffect) {
  EXPECT_TRUE(holds(Criterion::half_of_effect, 3, 2));
  EXPECT_FALSE(holds(Criterion::half_of_effect, 3, 1.9));
  EXPECT_TRUE(holds(Criterion::same, 1, 1.09));
  EXPECT_FALSE(holds(Criterion::same, 1, 0.85));
  EXPECT_FALSE(holds(Criterion::faster, 0, 1.02));
  EXPECT_TRUE(holds(Criterion::not_slower, 0, 0.98));
}

TEST(References, TheChipHasTheCounters) {
  const auto plan = cupti::plan_passes("GH100", course_counters());  // those of the others among them
  if (!plan) GTEST_SKIP() << "SKIPPED, needs CUPTI: " << to_string(plan.error().front());
  EXPECT_EQ(plan->unknown, std::vector<std::string>{});
}

/// The oracle of the large runs, tried on small ones.
void compute_the_same_in_the_emulator(const std::vector<Variant>& all) {
  for (const Variant& variant : all) {
    SCOPED_TRACE(variant.name);
    const engine::Prepared prepared = prepare(variant, "sm_90");
    ASSERT_TRUE(prepared.ready) << (prepared.diagnostics.empty() ? "" : to_string(prepared.diagnostics.front()));
    const engine::PlainRun run = engine::run_plain(prepared.plain, prepared.buffers, {});
    ASSERT_TRUE(run.refused.empty()) << to_string(run.refused.front());
    ASSERT_TRUE(run.faults.empty()) << run.faults.front().message;
    EXPECT_EQ(variant.wrong(prepared.buffers, run.buffers), "");
    if (!variant.wrong(prepared.buffers, prepared.buffers).empty()) continue;
    ADD_FAILURE() << "what a launch has to do is done before it";
  }
}

TEST(References, KernelsComputeTheSameInTheEmulator) {
  compute_the_same_in_the_emulator(reference_variants(small_scale()));
}

TEST(References, KernelsOfTheCoursesComputeTheSameInTheEmulator) {
  compute_the_same_in_the_emulator(course_variants(small_scale()));
}

void add_library_runs(const Scale& scale, std::map<std::string, Outcome>& runs, json& run_rows) {
  const char* program = std::getenv("LANESCOPE_RMSE_BASELINE");
  if (!program || !*program) {
    fmt::print("SKIPPED: the library's sum, which needs nvcc and CUB (tests/gpu/run.sh builds it)\n");
    return;
  }
  for (const auto& [side, which] : {std::pair{scale.rmse_side, "source size"}, {scale.large_side, "large"}}) {
    run_library(program, side, which, runs);
    const std::string name = fmt::format("{}, {}", library, which);
    if (runs.contains(name)) run_rows.push_back(row_of(name, runs[name]));
  }
}

void time_and_count(const Chapter& chapter) {
  const Scale scale = full_scale(static_cast<std::uint32_t>(device().multiprocessors));
  std::map<std::string, Outcome> runs;
  json run_rows = json::array(), rows = json::array();
  const std::vector<std::string> metrics = chapter.counters();
  for (const Variant& variant : chapter.variants(scale)) {
    SCOPED_TRACE(variant.name);
    const auto begin = std::chrono::steady_clock::now();
    run_variant(variant, metrics, runs);
    if (!runs.contains(variant.name)) continue;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    fmt::print("{:<40}{:>12.2f} us{:>10.2f}  ({:.1f} s)\n", variant.name, runs[variant.name].median_us,
               runs[variant.name].spread_us, took.count());
    std::fflush(stdout);
    run_rows.push_back(row_of(variant.name, runs[variant.name]));
  }
  if (chapter.variants == reference_variants) add_library_runs(scale, runs, run_rows);

  std::size_t held = 0;
  for (const Claim& claim : chapter.claims()) {
    const auto slow = runs.find(std::string(claim.slow)), fast = runs.find(std::string(claim.fast));
    if (slow == runs.end() || fast == runs.end()) continue;
    rows.push_back(judged(claim, slow->second, fast->second));
    held += rows.back()["holds"].get<bool>();
    fmt::print("{} {:>8.3f}  {}\n", rows.back()["holds"].get<bool>() ? "holds     " : "holds not ",
               rows.back()["here"]["ratio"].get<double>(), claim.experiment);
  }
  write_results(chapter.results,
                {{"what",
                  "statements of courses and notes about the speed of one kernel against another, tried here; "
                  "times by events around a launch, medians, spread between the quartiles"},
                 {"warm_up", warm_up},
                 {"repetitions", repetitions},
                 {"hold", held},
                 {"of", rows.size()},
                 {"statements", rows},
                 {"runs", run_rows}});
}

TEST(References, TimedAndCounted) {
  LS_NEEDS_COUNTERS();
  time_and_count(chapters[0]);
}

TEST(References, OfTheCoursesTimedAndCounted) {
  LS_NEEDS_COUNTERS();
  time_and_count(chapters[1]);
}

}  // namespace
}  // namespace lanescope::gpu_test
