#include "profiling/counters/metrics.h"
#include "kernels/base/read_file.h"

#include <gtest/gtest.h>

#include <set>

#include "profiling/counters/counters.h"

namespace lanescope::counters {
namespace {

std::string documentation() { return read_file(std::string(LANESCOPE_SOURCE_DIR) + "/docs/counters.md").value_or(""); }

TEST(Metrics, NamesAreDistinctAndNothingIsUnexplained) {
  std::set<std::string_view> names, legacy;
  const auto look = [&](const auto& row) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.legacy.empty() || legacy.insert(row.legacy).second) << row.legacy;
    EXPECT_FALSE(row.unit.empty() || row.formula.empty() || row.source.empty()) << row.name;
  };
  for (const Metric& m : metrics()) look(m);
  for (const Ratio& r : ratios()) look(r);
}

const Ratio* find_ratio(std::string_view name) {
  for (const Ratio& r : ratios())
    if (r.name == name || r.legacy == name) return &r;
  return nullptr;
}

TEST(Metrics, ReferencesNamesAreKnown) {
  for (const char* name : {"gld_efficiency", "gst_efficiency", "gld_transactions_per_request", "shared_efficiency",
                           "shared_load_transactions_per_request", "branch_efficiency", "warp_execution_efficiency"})
    EXPECT_NE(find_ratio(name), nullptr) << name;
  for (const char* name : {"branch", "divergent_branch", "gld_transactions", "shared_load_transactions"})
    EXPECT_NE(find_metric(name), nullptr) << name;
  EXPECT_EQ(find_metric("divergent_branch")->name, "smsp__sass_branch_targets_threads_divergent.sum");
  EXPECT_EQ(find_metric(""), nullptr);
  EXPECT_EQ(find_ratio("achieved_occupancy"), nullptr) << "needs time; nothing here has any";
}

// Every name, unit, formula and source stands in docs/counters.md as it stands here.
TEST(Metrics, AreDocumented) {
  const std::string text = documentation();
  const auto row = [](const auto& r) {
    return "| `" + std::string(r.name) + "` | " + (r.legacy.empty() ? "" : "`" + std::string(r.legacy) + "`") + " | " +
           std::string(r.unit) + " | " + std::string(r.formula) + " | " + std::string(r.source) + " |";
  };
  for (const Metric& m : metrics()) EXPECT_NE(text.find(row(m)), std::string::npos) << row(m);
  for (const Ratio& r : ratios()) EXPECT_NE(text.find(row(r)), std::string::npos) << row(r);
  for (const TimedMetric& t : timed_metrics()) {
    const std::string line = "| `" + std::string(t.name) + "` | `" + std::string(t.legacy) + "` | " +
                             std::string(t.unit) + " | " + std::string(t.formula) + " |";
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

// Every legacy name leads to one of today's; today's names, and names that are not known, stay what they are.
TEST(Metrics, LegacyNamesBecomeTodays) {
  std::set<std::string_view> names, legacy;
  const auto look = [&](const auto& row) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(current_name(row.name), row.name);
    if (row.legacy.empty()) return;
    EXPECT_TRUE(legacy.insert(row.legacy).second) << row.legacy;
    EXPECT_EQ(current_name(row.legacy), row.name);
  };
  for (const Metric& m : metrics()) look(m);
  for (const Ratio& r : ratios()) look(r);
  for (const TimedMetric& t : timed_metrics()) look(t);
  for (const char* name :
       {"branch_efficiency", "stall_sync", "dram_read_throughput", "achieved_occupancy", "gld_throughput",
        "gst_throughput", "gld_efficiency", "gst_efficiency", "branch", "divergent_branch"})
    EXPECT_TRUE(legacy.contains(name)) << name << " of the execution model, 6.3";
  for (const char* name : {"", "lts__t_bytes.sum", "stall", "STALL_SYNC"}) EXPECT_EQ(current_name(name), name);
}

TEST(Ratios, OfNothingAreAbsent) {
  for (const Ratio& r : ratios()) EXPECT_FALSE(r.value(Counts{})) << r.name;
}

double value(std::string_view name, const Counts& counts) { return find_ratio(name)->value(counts).value(); }

// A warp that reads a column of floats: 128 bytes requested, 32 sectors moved. One word for all lanes: 128 bytes asked
// for lane by lane, 4 distinct, one sector. The hardware's efficiency then exceeds 100 %; the bus utilisation does not.
TEST(Ratios, ByHand) {
  const Counts column{
      .global_load = {.requests = 1, .sectors = 32, .bytes_wanted = 128, .bytes_moved = 1024, .bytes_requested = 128}};
  EXPECT_EQ(value("gld_efficiency", column), 12.5);
  EXPECT_EQ(value("gld_transactions_per_request", column), 32);
  const Counts broadcast{
      .global_load = {.requests = 1, .sectors = 1, .bytes_wanted = 4, .bytes_moved = 32, .bytes_requested = 128}};
  EXPECT_EQ(value("gld_efficiency", broadcast), 400);
  EXPECT_EQ(value("lanescope__bus_utilisation_mem_global.pct", broadcast), 12.5);
  const Counts conflicts{.shared_load = {.requests = 2, .wavefronts = 64, .bytes_requested = 256}};
  EXPECT_EQ(value("shared_efficiency", conflicts), 3.125);
  EXPECT_EQ(value("shared_load_transactions_per_request", conflicts), 32);
  const Counts branches{.instructions = 10, .thread_instructions = 160, .branches = 8, .divergent_branches = 2};
  EXPECT_EQ(value("branch_efficiency", branches), 75);
  EXPECT_EQ(value("warp_execution_efficiency", branches), 50);
}

}  // namespace
}  // namespace lanescope::counters
