#include "app/cli/answers/answer.h"

#include "app/cli/answers/report.h"
#include "kernels/base/json_fields.h"
#include "results/times.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

std::string number(const std::optional<double>& value) {
  if (!value) return "-";
  const bool whole = *value == static_cast<double>(static_cast<std::int64_t>(*value));
  return whole ? fmt::format("{:.0f}", *value) : fmt::format("{:.3f}", *value);
}

/// 1 where both are 0.
std::string ratio(const results::MetricRow& row) {
  if (!row.predicted || !row.measured) return "";
  if (*row.predicted == 0) return *row.measured == 0 ? "1" : "";
  return fmt::format("{:.4g}", *row.measured / *row.predicted);
}

bool silent(const results::MetricRow& row) { return row.predicted.value_or(0) == 0 && row.measured.value_or(0) == 0; }

void print_buffers(const results::Measured& hardware) {
  for (const results::BufferComparison& c : hardware.buffers)
    if (c.different == 0)
      say("{}: all {} elements equal those of the emulator\n", c.name, c.elements);
    else
      say("{}: {} of {} elements differ from the emulator; element {} is {} on the GPU and {} in the emulator\n",
          c.name, c.different, c.elements, c.first, c.gpu, c.emulator);
}

}  // namespace

void print_measured(const results::Measured& hardware, const results::Measured& measured) {
  say("\non {}, {}, driver for CUDA {}\n", hardware.device, hardware.arch, hardware.driver);
  print_buffers(hardware);
  if (const auto& t = measured.timing)
    say("time of all launches: median {:.2f} us, spread {:.2f} us, least {:.2f} us of {} after {} to warm up\n",
        t->median_us, t->spread_us, t->least_us, t->repetitions, t->warm_up);
  if (const auto& t = measured.timing; t && !t->samples_us.empty()) {
    const results::TimeStatistics s = results::statistics(t->samples_us);
    say("  {}\n", results::words(s));
    if (s.bin_width > 0)
      say("  {:.2f} us {} {:.2f} us\n", s.first_bin, results::histogram_line(s),
          s.first_bin + s.bin_width * static_cast<double>(s.bins.size()));
  }
  if (measured.metrics.empty()) return;
  say("\n{:>14} {:>14} {:>8}  {:<15} {}\n", "predicted", "measured", "ratio", "unit", "counter");
  for (const results::MetricRow& row : measured.metrics) {
    if (row.line > 0 || silent(row)) continue;
    say("{:>14} {:>14} {:>8}  {:<15} {}{}\n", number(row.predicted), number(row.measured), ratio(row), row.unit,
        row.name, row.cause.empty() ? "" : "\n" + std::string(56, ' ') + row.cause);
  }
}

void add_measured(json& out, const results::Measured& hardware, const results::Measured& measured) {
  json gpu = fields("device", hardware.device, "arch", hardware.arch, "driver", hardware.driver);
  for (const results::BufferComparison& c : hardware.buffers) {
    json one = fields("elements", c.elements, "different", c.different);
    if (c.different > 0) one.update(fields("first", c.first, "gpu", c.gpu, "emulator", c.emulator));
    gpu["against_emulator"][c.name] = std::move(one);
  }
  if (const auto& t = measured.timing)
    gpu["time"] = fields("median_us", t->median_us, "spread_us", t->spread_us, "least_us", t->least_us, "most_us",
                         t->most_us, "repetitions", t->repetitions, "warm_up", t->warm_up);
  if (measured.timing && !measured.timing->samples_us.empty()) {
    const results::TimeStatistics s = results::statistics(measured.timing->samples_us);
    gpu["time"].update(fields("mean_us", s.mean, "deviation_us", s.deviation, "first_quartile_us", s.first_quartile,
                              "third_quartile_us", s.third_quartile, "outliers", s.outliers(), "samples_us",
                              measured.timing->samples_us, "histogram",
                              fields("first_us", s.first_bin, "width_us", s.bin_width, "counts", s.bins)));
  }
  put_known(gpu, "passes", measured.passes, "fault", hardware.fault);
  out["gpu"] = std::move(gpu);
  json& total = out["counters"]["total"];
  for (const results::MetricRow& row : measured.metrics) {
    if (!row.measured) continue;
    json& one = total[row.name];
    one["measured"] = *row.measured;
    put_known(one, "unit", row.unit, "predicted", row.predicted, "cause", row.cause);
  }
}

}  // namespace lanescope::cli
