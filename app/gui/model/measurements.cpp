#include "app/gui/model/measurements.h"

#include <algorithm>
#include <utility>

#include "app/engine/wire/measured_file.h"

namespace lanescope::gui {
namespace {

template <class T>
void replace(std::vector<T>& before, std::vector<T>& next) {
  if (!next.empty()) before = std::move(next);
}

/// The whole run's rows come with the counters, a line's with the instructions.
void replace_metrics(std::vector<results::MetricRow>& before, const std::vector<results::MetricRow>& next) {
  const auto of_run = [](const results::MetricRow& row) { return row.line == 0; };
  std::vector<results::MetricRow> rows;
  for (const bool whole : {true, false}) {
    const bool fresh = std::any_of(next.begin(), next.end(), [&](const auto& row) { return of_run(row) == whole; });
    for (const results::MetricRow& row : fresh ? next : before)
      if (of_run(row) == whole) rows.push_back(row);
  }
  before = std::move(rows);
}

}  // namespace

results::Measured merged(results::Measured before, results::Measured next) {
  if (!next.device.empty()) {
    before.device = next.device, before.arch = next.arch.empty() ? before.arch : next.arch;
    before.driver = next.driver.empty() ? before.driver : next.driver;
    before.multiprocessors = std::max(before.multiprocessors, next.multiprocessors);
  }
  before.refused = std::move(next.refused);
  before.fault = next.fault, before.fault_line = next.fault_line, before.fault_source = next.fault_source;
  if (next.timing) before.timing = next.timing;
  if (next.trace) before.trace = next.trace;
  if (next.passes > 0) before.passes = next.passes;
  replace_metrics(before.metrics, next.metrics);
  replace(before.buffers, next.buffers), replace(before.sass, next.sass), replace(before.opcodes, next.opcodes);
  replace(before.stalls, next.stalls), replace(before.launches, next.launches);
  replace(before.host_calls, next.host_calls);
  return before;
}

void Measurements::take(results::Measured answer) {
  const bool same_text = have && text == asked_text;
  last = same_text ? merged(std::move(last), std::move(answer)) : std::move(answer);
  text = asked_text, have = true, under_way = false;
  ++version;
}

void LiveMode::take(views::LiveSample sample) {
  constexpr std::size_t most_samples = 400;
  if (samples.size() == most_samples) samples.erase(samples.begin());
  samples.push_back(std::move(sample));
  refused.clear();
}

void Measurements::refuse(std::string reason) {
  results::Measured answer;
  answer.refused.push_back({.message = std::move(reason), .remedy = "run it again"});
  take(std::move(answer));
}

void Measurements::keep_as_baseline() {
  baseline = last;
  ++version;
}

void Measurements::add_variant() {
  std::string unique = name;
  for (int n = 2; std::any_of(variants.begin(), variants.end(), [&](const auto& v) { return v.name == unique; }); ++n)
    unique = name + " " + std::to_string(n);
  variants.push_back(
      {.name = std::move(unique), .measured = last, .limit_gb_per_s = engine::bandwidth_limit_gb_per_s(last.device)});
  ++version;
}

std::string Measurements::stale_words(const std::string& text_now) const {
  if (!have || text == text_now) return {};
  return "This measurement belongs to the text before the last edits. Measure again.";
}

}  // namespace lanescope::gui
