// `counters`: what is counted, by today's names and by those of nvprof, and whether it is predicted or measured only.

#include "profiling/counters/metrics.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/report.h"
#include "app/cli/calculators/calculators.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/numbers.h"

namespace lanescope::cli {
namespace {

struct Row {
  std::string_view name, legacy, unit, formula, source;
  bool predicted = true;
};

std::vector<Row> counter_rows() {
  std::vector<Row> rows;
  for (const counters::Metric& m : counters::metrics()) rows.push_back({m.name, m.legacy, m.unit, m.formula, m.source});
  for (const counters::Ratio& r : counters::ratios()) rows.push_back({r.name, r.legacy, r.unit, r.formula, r.source});
  for (const counters::TimedMetric& t : counters::timed_metrics())
    rows.push_back({t.name, t.legacy, t.unit, t.formula, {}, false});
  return rows;
}

/// The counters of this name of either kind, where there are any, else those whose names contain it.
std::vector<Row> rows_named(const std::string& name) {
  std::vector<Row> exact, part;
  for (const Row& row : counter_rows()) {
    if (row.name == name || (!name.empty() && row.legacy == name)) exact.push_back(row);
    if (row.name.find(name) != row.name.npos || row.legacy.find(name) != row.legacy.npos) part.push_back(row);
  }
  return exact.empty() ? part : exact;
}

}  // namespace

int counters(const CountersOptions& options) {
  Answer answer;
  const std::vector<Row> rows = rows_named(options.name);
  if (rows.empty()) {
    answer.status = bad_input;
    answer.diagnostics = {Diagnostic{
        .message = fmt::format("no counter is called '{}', today or in nvprof", options.name),
        .remedy = "`lanescope counters` lists the known ones; measure --metrics takes any that the GPU has"}};
    return print(answer, options.json);
  }
  answer.json["counters"] = nlohmann::json::array();
  for (const Row& row : rows) {
    nlohmann::json one = {
        {"name", row.name}, {"unit", row.unit}, {"formula", row.formula}, {"predicted", row.predicted}};
    put_known(one, "legacy", row.legacy, "source", row.source);
    answer.json["counters"].push_back(std::move(one));
    answer.text += fmt::format("{}{}, {}\n    {}{}\n", row.name,
                               row.legacy.empty() ? "" : fmt::format(" (nvprof: {})", row.legacy), row.unit,
                               row.formula, row.predicted ? "" : "; needs time: measured only (measure --metrics)");
  }
  answer.text += fmt::format("{}\n", counted(rows.size(), "counter"));
  return print(answer, options.json);
}

}  // namespace lanescope::cli
