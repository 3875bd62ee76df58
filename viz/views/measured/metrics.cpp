#include "viz/views/measured/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/times.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/elements.h"
#include "viz/views/base/table.h"
#include "viz/views/costs/heat.h"

namespace lanescope::views {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool matches(const MetricRow& row, const std::string& filter) {
  return has_words(row.name + " " + row.legacy + " " + row.group + " " + row.unit + " " + row.formula, filter);
}

bool silent(const MetricRow& row) { return row.predicted.value_or(0) == 0 && row.measured.value_or(0) == 0; }
bool differs(const MetricRow& row) { return row.predicted && row.measured && *row.predicted != *row.measured; }

std::string metric_text(const std::optional<double>& value) { return value ? number_text(*value) : "–"; }
std::string ratio_text(const MetricRow& row) {
  const auto ratio = measured_ratio(row);
  return ratio ? fmt::format("{:.4g}", *ratio) : std::string("–");
}

constexpr float number_width = 92, sign_width = 18, line_height = 16;
/// Beyond it, numbers would be too far from their names.
constexpr float widest = 1040;

class MetricsDrawing {
 public:
  MetricsDrawing(const Measured& measured, const Measured* baseline, const Selection& selection,
                 const MetricsOptions& options, const Theme& theme)
      : measured_(measured), baseline_(baseline), selection_(selection), options_(options), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 820;
    right_ = std::min(scene_.width, widest) - table_margin;
    float x = right_;
    if (baseline_ != nullptr) delta_ = x, x -= number_width;
    ratio_ = x, measured_x_ = x - 70, predicted_ = measured_x_ - number_width;
    name_room_ = predicted_ - number_width - table_margin - sign_width;
  }

  Scene draw() {
    float y = head();
    const std::vector<std::size_t> rows = metric_rows(measured_, options_);
    if (!rows.empty()) y = headings(y);
    std::string group;
    for (const std::size_t n : rows) {
      const MetricRow& row = measured_.metrics[n];
      if (row.group != group) y = group_heading(group = row.group, y);
      y = draw(row, n, y);
    }
    y = foot(rows.size(), y);
    if (!measured_.refused.empty()) y = draw_refusals(scene_, measured_.refused, y + 6, theme_);
    scene_.height = y + 8;
    return std::move(scene_);
  }

 private:
  float head() {
    float y = 10;
    if (!measured_.device.empty())
      y = draw_paragraph(scene_, device_text(), table_margin, y, scene_.width - 2 * table_margin, theme_.text,
                         type_px::body);
    if (measured_.timing) {
      y = draw_paragraph(scene_, time_text(), table_margin, y, room(), theme_.text, type_px::body);
      if (options_.line == 0)
        y = draw_times(scene_, *measured_.timing, {table_margin, y + 2, std::min(room(), 520.0f), times_height},
                       theme_);
    }
    if (!options_.conclusion.empty())
      y = draw_paragraph(scene_, options_.conclusion, table_margin, y, room(), theme_.text, type_px::body);
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, y, room(), theme_.warn, type_px::note);
    if (!measured_.fault.empty())
      y = draw_paragraph(scene_, fault_text(), table_margin, y, room(), theme_.bad, type_px::body);
    return y + 4;
  }
  float room() const { return scene_.width - 2 * table_margin; }

  std::string device_text() const {
    std::string words = measured_.device;
    if (!measured_.arch.empty()) words += " · " + measured_.arch;
    if (measured_.passes > 0)
      words += " · " + fmt::format("{} {}", measured_.passes, measured_.passes == 1 ? "pass" : "passes");
    return options_.line > 0 ? words + " · " + options_.lines.words(options_.line) : words + " · whole run";
  }

  std::string time_text() const {
    const TimingInfo& t = *measured_.timing;
    std::string words = fmt::format("median {:.2f} µs, middle half of {} runs within {:.2f} µs, minimum {:.2f} µs",
                                    t.median_us, t.repetitions, t.spread_us, t.least_us);
    if (baseline_ != nullptr && baseline_->timing && baseline_->timing->median_us > 0)
      words += fmt::format("; baseline {:.2f} µs ({:+.1f} %)", baseline_->timing->median_us,
                           100 * (t.median_us / baseline_->timing->median_us - 1));
    return words;
  }

  std::string fault_text() const {
    std::string words = "The launch failed: " + measured_.fault;
    if (measured_.fault_line > 0) words += "; " + options_.lines.words(measured_.fault_line);
    if (!measured_.fault_source.empty()) words += " (" + measured_.fault_source + ")";
    return words + ".";
  }

  float headings(float y) {
    const auto heading = [&](float right, std::string words) {
      add_text(scene_, {right, y + 10}, std::move(words), theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    };
    heading(predicted_, "predicted"), heading(measured_x_, "measured"), heading(ratio_, "ratio");
    if (baseline_ != nullptr) heading(delta_, "to baseline");
    return y + 20;
  }

  float group_heading(const std::string& group, float y) {
    add_text(scene_, {table_margin, y + 12}, group, theme_.text, type_px::note, Face::sans_bold);
    add_line(scene_, {table_margin, y + 22}, {right_, y + 22}, theme_.border);
    return y + 26;
  }

  float draw(const MetricRow& row, std::size_t n, float y) {
    const Id id{.kind = Id::Kind::metric_row, .a = static_cast<std::int32_t>(n), .b = row.line};
    const float text_x = table_margin + sign_width;
    const std::vector<std::string> cause = wrapped(row.cause, scene_.width - text_x - table_margin, type_px::small);
    const float height = 38 + static_cast<float>(cause.size()) * line_height;
    add_box(scene_, {0, y, scene_.width, height},
            row.line > 0 && row.line == selection_.line && options_.line < 0 ? theme_.row_highlight : Color{}, id);
    sign(row, {table_margin + 5, y + 11});
    const int fits = static_cast<int>(name_room_ / (type_px::code * mono_advance));
    add_text(scene_, {text_x, y + 11}, cut(row.name, std::max(fits, 8)), theme_.text, type_px::code, Face::mono,
             Align::left, id);
    second_line(row, id, text_x, y + 27);
    numbers(row, id, y + 11);
    float at = y + 42;
    for (const std::string& line : cause) {
      add_text(scene_, {text_x, at}, line, theme_.warn, type_px::small, Face::sans, Align::left, id);
      at += line_height;
    }
    return y + height;
  }

  void second_line(const MetricRow& row, const Id& id, float x, float y) {
    std::string words = row.legacy;
    for (const std::string& part : {row.unit, row.formula})
      if (!part.empty()) words += (words.empty() ? "" : " · ") + part;
    const float room = predicted_ - number_width - 10 - x;
    add_text(scene_, {x, y}, cut(words, std::max(static_cast<int>(room / (type_px::small * 0.62f)), 8)),
             theme_.text_dim, type_px::small, Face::sans, Align::left, id);
  }

  void numbers(const MetricRow& row, const Id& id, float y) {
    const auto number = [&](float right, std::string words, bool quiet) {
      add_text(scene_, {right, y}, std::move(words), quiet ? theme_.text_dim : theme_.text, type_px::code, Face::mono,
               Align::right, id);
    };
    number(predicted_, metric_text(row.predicted), true);
    number(measured_x_, metric_text(row.measured), false);
    number(ratio_, ratio_text(row), !differs(row));
    if (baseline_ == nullptr) return;
    const MetricRow* before = same_metric(*baseline_, row);
    if (before == nullptr || !before->measured || !row.measured) return number(delta_, "–", true);
    if (*before->measured == 0) return number(delta_, *row.measured == 0 ? "same" : "from 0", *row.measured == 0);
    const double change = 100 * (*row.measured / *before->measured - 1);
    number(delta_, change == 0 ? "same" : fmt::format("{:+.1f} %", change), change == 0);
  }

  /// Disc: equal. Square: differs. Ring: one of the two is unknown.
  void sign(const MetricRow& row, Point at) {
    const auto verdict = !row.predicted || !row.measured ? claims::Verdict::unchecked
                         : differs(row)                  ? claims::Verdict::differs
                                                         : claims::Verdict::holds;
    add_verdict_sign(scene_, {}, at, 8, verdict, theme_);
  }

  float foot(std::size_t shown, float y) {
    MetricsOptions all = options_;
    all.silent = true, all.filter.clear(), all.only_differences = false;
    const std::size_t hidden = metric_rows(measured_, all).size() - shown;
    std::string words = counted(shown, "counter");
    if (hidden > 0)
      words += fmt::format(" · {} not shown: predicted and measured 0{}{}", spaced(hidden),
                           options_.only_differences ? ", or equal" : "",
                           options_.filter.empty() ? "" : fmt::format(", or without '{}'", options_.filter));
    if (options_.line > 0 && shown + hidden == 0)
      words = options_.lines.in_header(options_.line) ? options_.lines.words(options_.line) + " has no counters."
                                                      : fmt::format("Line {} has no counters.", options_.line);
    return draw_paragraph(scene_, words, table_margin, y + 8, room(), theme_.text_dim, type_px::note);
  }

  const Measured& measured_;
  const Measured* baseline_;
  const Selection& selection_;
  const MetricsOptions& options_;
  const Theme& theme_;
  float right_ = 0, predicted_ = 0, measured_x_ = 0, ratio_ = 0, delta_ = 0, name_room_ = 0;
  Scene scene_;
};

}  // namespace

Measured predictions(const Summary& summary) {
  const auto group = [](std::string_view counter) {
    return counter.starts_with("global")                                  ? "global memory"
           : counter.starts_with("shared") || counter.starts_with("bank") ? "shared memory"
                                                                          : "instructions";
  };
  Measured out;
  for (const LineCounters& line : summary.counters)
    for (const HeatCounter& c : heat_counters()) {
      if (c.ratio && c.value(line) == 0) continue;  // of nothing
      out.metrics.push_back({.name = std::string(c.name),
                             .unit = std::string(c.unit),
                             .group = group(c.name),
                             .line = line.line,
                             .predicted = c.value(line)});
    }
  return out;
}

bool has_words(std::string_view text, std::string_view filter) {
  const std::string all = lower(text);
  while (!filter.empty()) {
    const std::size_t end = std::min(filter.find(' '), filter.size());
    if (all.find(lower(filter.substr(0, end))) == all.npos) return false;
    filter.remove_prefix(std::min(end + 1, filter.size()));
  }
  return true;
}

std::vector<std::size_t> metric_rows(const Measured& measured, const MetricsOptions& options) {
  std::vector<std::string> groups;
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < measured.metrics.size(); ++n) {
    const MetricRow& row = measured.metrics[n];
    if (options.line >= 0 && row.line != options.line) continue;
    if (!matches(row, options.filter) || (options.only_differences && !differs(row))) continue;
    if (!options.silent && silent(row)) continue;
    rows.push_back(n);
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) groups.push_back(row.group);
  }
  const auto rank = [&](std::size_t n) {
    return std::find(groups.begin(), groups.end(), measured.metrics[n].group) - groups.begin();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return rows;
}

Scene metrics_view(const Measured& measured, const Measured* baseline, const Selection& selection,
                   const MetricsOptions& options, const Theme& theme) {
  if (measured.metrics.empty() && !measured.timing && measured.fault.empty())
    return refused_view(measured.refused, "Counters",
                        "Measure on the GPU to see measured values beside the predicted ones.",
                        options.width > 0 ? options.width : 820, theme);
  return MetricsDrawing(measured, baseline, selection, options, theme).draw();
}

std::string metric_tooltip(const Measured& measured, const Id& id) {
  if (id.kind != Id::Kind::metric_row || id.a < 0 || id.a >= static_cast<int>(measured.metrics.size())) return {};
  const MetricRow& row = measured.metrics[static_cast<std::size_t>(id.a)];
  std::string words = row.name;
  if (!row.legacy.empty()) words += fmt::format(" (once {})", row.legacy);
  if (row.line > 0) words += fmt::format(", line {}", row.line);
  words +=
      fmt::format("\npredicted {}, measured {} {}", metric_text(row.predicted), metric_text(row.measured), row.unit);
  if (!row.formula.empty()) words += "\n" + row.formula;
  if (!row.cause.empty()) words += "\n" + row.cause;
  return words;
}

std::optional<double> measured_ratio(const MetricRow& row) {
  if (!row.predicted || !row.measured) return std::nullopt;
  if (*row.predicted == 0) return *row.measured == 0 ? std::optional(1.0) : std::nullopt;
  return *row.measured / *row.predicted;
}

const MetricRow* same_metric(const Measured& measured, const MetricRow& row) {
  const auto found = std::find_if(measured.metrics.begin(), measured.metrics.end(),
                                  [&](const MetricRow& m) { return m.name == row.name && m.line == row.line; });
  return found == measured.metrics.end() ? nullptr : &*found;
}

std::vector<std::pair<int, double>> measured_by_line(const Measured& measured, std::string_view name) {
  std::vector<std::pair<int, double>> out;
  for (const MetricRow& row : measured.metrics)
    if (row.line > 0 && row.name == name && row.measured) out.emplace_back(row.line, *row.measured);
  return out;
}

std::vector<std::pair<int, double>> predicted_by_line(const Measured& measured, std::string_view name) {
  std::vector<std::pair<int, double>> out;
  for (const MetricRow& row : measured.metrics)
    if (row.line > 0 && row.name == name && row.predicted) out.emplace_back(row.line, *row.predicted);
  return out;
}

std::vector<std::string> counters_by_line(const Measured& measured) {
  std::vector<std::string> out;
  for (const MetricRow& row : measured.metrics)
    if (row.line > 0 && row.measured && std::find(out.begin(), out.end(), row.name) == out.end())
      out.push_back(row.name);
  return out;
}

std::string metrics_csv(const Measured& measured, const Measured* baseline) {
  csv::Table table(
      {"line", "group", "name", "older_name", "unit", "predicted", "measured", "ratio", "baseline", "cause"});
  const auto text = [](const std::optional<double>& v) { return v ? fmt::format("{}", *v) : std::string(); };
  for (const MetricRow& row : measured.metrics) {
    const MetricRow* before = baseline != nullptr ? same_metric(*baseline, row) : nullptr;
    table.row(row.line, row.group, row.name, row.legacy, row.unit, text(row.predicted), text(row.measured),
              text(measured_ratio(row)), before != nullptr ? text(before->measured) : std::string(), row.cause);
  }
  return table.text();
}

float draw_times(Scene& scene, const results::TimingInfo& timing, Rect area, const Theme& theme) {
  const results::TimeStatistics s = results::statistics(timing.samples_us);
  if (s.count == 0) return area.y;
  const Rect plot{area.x, area.y + 18, area.w, times_height - 18 - 34};
  add_text(
      scene, {area.x, area.y + 6},
      fmt::format("mean {:.2f} ± {:.2f} µs, maximum {:.2f} µs{}", s.mean, s.deviation, s.most,
                  s.outliers() == 0 ? "" : fmt::format(", {} outlier{}", s.outliers(), s.outliers() == 1 ? "" : "s")),
      theme.text_dim, type_px::note, Face::sans, Align::left, {}, area.w);
  const std::size_t most = std::ranges::max(s.bins);
  const float pitch = std::min(plot.w / static_cast<float>(s.bins.size()), 60.0f);
  for (std::size_t n = 0; n < s.bins.size(); ++n) {
    const Id id{.kind = Id::Kind::time_bin, .a = static_cast<std::int32_t>(n)};
    const float x = plot.x + pitch * static_cast<float>(n);
    scene.boxes.push_back({.id = id, .rect = {x, plot.y, pitch, plot.h}});
    if (s.bins[n] == 0) continue;
    // A bin with a sample is seen, however many the others have.
    const float high = std::max(plot.h * static_cast<float>(s.bins[n]) / static_cast<float>(most), 2.0f);
    add_box(scene, {x, plot.y + plot.h - high, std::max(pitch - 1, 1.0f), high}, theme.axis(0, 1), id);
  }
  const float right = plot.x + pitch * static_cast<float>(s.bins.size());
  add_line(scene, {plot.x, plot.y + plot.h}, {right, plot.y + plot.h}, theme.border);
  const auto mark = [&](double at, Color color, bool dashed) {
    if (s.bin_width <= 0) return;
    const double share = (at - s.first_bin) / (s.bin_width * static_cast<double>(s.bins.size()));
    if (share < 0 || share > 1) return;  // the mean may be among the outliers
    const float x = plot.x + (right - plot.x) * static_cast<float>(share);
    add_line(scene, {x, plot.y - 2}, {x, plot.y + plot.h}, color, 1.5f, {}, dashed);
  };
  mark(s.median, theme.text, false), mark(s.mean, theme.text, true);
  const float y = plot.y + plot.h + 9;
  add_text(scene, {plot.x, y}, fmt::format("{:.2f} µs", s.first_bin), theme.text_dim, type_px::tiny, Face::mono);
  if (s.bin_width > 0)
    add_text(scene, {std::max(right, plot.x + 120), y},
             fmt::format("{:.2f} µs", s.first_bin + s.bin_width * static_cast<double>(s.bins.size())), theme.text_dim,
             type_px::tiny, Face::mono, Align::right);
  std::string legend = "line: median · dashed: mean";
  if (s.outliers() > 0) legend += " · without the outliers";
  add_text(scene, {plot.x, y + 13}, legend, theme.text_dim, type_px::tiny, Face::sans, Align::left, {}, area.w);
  return area.y + times_height;
}

std::string time_tooltip(const results::TimingInfo& timing, const Id& id) {
  const results::TimeStatistics s = results::statistics(timing.samples_us);
  if (id.kind != Id::Kind::time_bin || id.a < 0 || static_cast<std::size_t>(id.a) >= s.bins.size()) return {};
  const double from = s.first_bin + s.bin_width * id.a;
  return fmt::format("{} of {} launches between {:.2f} and {:.2f} µs", s.bins[static_cast<std::size_t>(id.a)], s.count,
                     from, from + s.bin_width);
}

}  // namespace lanescope::views
