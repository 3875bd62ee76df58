#include "app/engine/hardware/measure.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "profiling/counters/explain.h"

namespace lanescope::engine {

results::MetricRow metric_row(const counters::Metric& m) {
  return {.name = std::string(m.name),
          .legacy = std::string(m.legacy),
          .unit = std::string(m.unit),
          .group = metric_group(m.name),
          .formula = std::string(m.formula)};
}

std::vector<results::MetricRow> predicted_rows(const counters::Counts& counts) {
  std::vector<results::MetricRow> rows;
  for (const counters::Metric& m : counters::metrics()) {
    rows.push_back(metric_row(m));
    rows.back().predicted = static_cast<double>(m.value(counts));
  }
  for (const counters::Ratio& r : counters::ratios())
    rows.push_back({.name = std::string(r.name),
                    .legacy = std::string(r.legacy),
                    .unit = std::string(r.unit),
                    .group = metric_group(r.name),
                    .formula = std::string(r.formula),
                    .predicted = r.value(counts)});
  return rows;
}

results::MetricRow asked_row(const std::string& name) {
  const std::string current(counters::current_name(name));
  for (const counters::TimedMetric& t : counters::timed_metrics())
    if (t.name == current)
      return {.name = current,
              .legacy = std::string(t.legacy),
              .unit = std::string(t.unit),
              .group = metric_group(current),
              .formula = std::string(t.formula)};
  return {.name = current, .group = metric_group(current)};
}

void explain_rows(std::vector<results::MetricRow>& rows) {
  const auto pair = [&](std::string_view name) -> std::optional<counters::Pair> {
    const auto row = std::ranges::find(rows, name, &results::MetricRow::name);
    if (row == rows.end() || !row->predicted || !row->measured) return std::nullopt;
    return counters::Pair{*row->predicted, *row->measured};
  };
  for (results::MetricRow& row : rows) row.cause = counters::explain(row.name, pair).words;
}

std::string metric_group(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> groups[] = {
      {"mem_global", "global memory"}, {"op_global", "global memory"},
      {"mem_shared", "shared memory"}, {"op_shared", "shared memory"},
      {"ldgsts", "shared memory"},     {"mem_local", "local memory"},
      {"op_local", "local memory"},    {"constant", "constant memory"},
      {"branch", "branches"},          {"inst_executed", "instructions"},
      {"dram__", "device memory"},     {"lts__", "L2"},
      {"warps_active", "occupancy"},   {"stalled", "stalls"}};
  for (const auto& [part, group] : groups)
    if (name.find(part) != name.npos) return std::string(group);
  return "other";
}

}  // namespace lanescope::engine
