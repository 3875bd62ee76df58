#include "viz/views/measured/live.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr std::size_t most_plots = 12;
constexpr float plot_height = 62, number_height = 122, least_number_width = 230;

struct Series {
  std::string name, unit;
  std::vector<std::optional<double>> measured{}, predicted{};
};

std::vector<std::string> names_of(std::span<const LiveSample> samples, const LiveOptions& options) {
  if (!options.counters.empty()) return options.counters;
  std::vector<std::string> names;
  for (const LiveSample& s : samples)
    for (const MetricRow& row : s.measured.metrics)
      if (row.line == 0 && row.measured.value_or(0) != 0 && names.size() < most_plots &&
          std::find(names.begin(), names.end(), row.name) == names.end())
        names.push_back(row.name);
  return names;
}

std::vector<Series> series_of(std::span<const LiveSample> samples, const LiveOptions& options) {
  std::vector<Series> out;
  Series time{.name = "time of all launches", .unit = "µs"};
  for (const LiveSample& s : samples) {
    time.measured.push_back(s.measured.timing ? std::optional(s.measured.timing->median_us) : std::nullopt);
    time.predicted.push_back(std::nullopt);
  }
  if (std::any_of(time.measured.begin(), time.measured.end(), [](const auto& v) { return v.has_value(); }))
    out.push_back(std::move(time));
  for (const std::string& name : names_of(samples, options)) {
    Series series{.name = name};
    for (const LiveSample& s : samples) {
      const MetricRow* row = results::whole_run(s.measured, name);
      series.measured.push_back(row != nullptr ? row->measured : std::nullopt);
      series.predicted.push_back(row != nullptr ? row->predicted : std::nullopt);
      if (row != nullptr && series.unit.empty()) series.unit = row->unit;
    }
    out.push_back(std::move(series));
  }
  return out;
}

/// Names of counters differ at their ends.
std::string end_of(const std::string& name, int most) {
  const int all = columns(name);
  return all <= most ? name : "…" + name.substr(name.size() - static_cast<std::size_t>(std::max(most - 1, 1)));
}

class LiveDrawing {
 public:
  LiveDrawing(std::span<const LiveSample> samples, const LiveOptions& options, const Theme& theme)
      : samples_(samples), options_(options), theme_(theme), series_(series_of(samples, options)) {
    scene_.width = options.width > 0 ? options.width : 760;
    across_ = std::max(static_cast<int>((scene_.width - table_margin) / least_number_width), 1);
    cell_ = (scene_.width - table_margin) / static_cast<float>(across_);
  }

  Scene draw() {
    float y = 6;
    std::string words =
        fmt::format("{} on {}", counted(samples_.size(), "measurement"), samples_.back().measured.device);
    if (!samples_.back().words.empty()) words += " · now " + samples_.back().words;
    if (const LivePace pace = live_pace(samples_); pace.per_second > 0)
      words +=
          fmt::format(" · {:.0f} per second, {:.0f} ms from a change to its counters", pace.per_second, pace.wait_ms);
    y = draw_paragraph(scene_, words, table_margin, y, scene_.width - 2 * table_margin, theme_.text, type_px::body);
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, y, scene_.width - 2 * table_margin, theme_.warn,
                         type_px::note);
    y += 6;
    for (std::size_t n = 0; n < series_.size(); ++n) {
      const int column = static_cast<int>(n) % across_, row = static_cast<int>(n) / across_;
      plot(series_[n], static_cast<int>(n),
           {table_margin + cell_ * static_cast<float>(column), y + number_height * static_cast<float>(row),
            cell_ - table_margin, number_height - 10});
    }
    const int rows = (static_cast<int>(series_.size()) + across_ - 1) / across_;
    y += number_height * static_cast<float>(rows);
    if (!samples_.back().measured.refused.empty())
      y = draw_refusals(scene_, samples_.back().measured.refused, y, theme_);
    scene_.height = y + 6;
    return std::move(scene_);
  }

 private:
  void plot(const Series& s, int number, Rect cell) {
    const Id id{.kind = Id::Kind::live_plot, .a = number};
    const int fits = static_cast<int>(cell.w / (type_px::tiny * mono_advance));
    add_text(scene_, {cell.x, cell.y + 8}, end_of(s.name, fits), theme_.text, type_px::tiny, Face::mono, Align::left,
             id);
    const Rect area{cell.x, cell.y + 20, cell.w, plot_height};
    add_box(scene_, area, theme_.cell_empty, id, 2);
    double most = 0;
    for (const auto* values : {&s.measured, &s.predicted})
      for (const auto& v : *values) most = std::max(most, v.value_or(0));
    curve(s.predicted, most, area, theme_.text_dim, true);
    curve(s.measured, most, area, theme_.axis(0, 1), false);
    const auto last = [](const std::vector<std::optional<double>>& values) {
      return values.back() ? number_text(*values.back()) : std::string("–");
    };
    std::string words = last(s.measured) + " " + s.unit;
    if (s.predicted.back()) words += ", predicted " + last(s.predicted);
    add_text(scene_, {cell.x, area.y + area.h + 11}, std::move(words), theme_.text, type_px::small, Face::sans,
             Align::left, id, cell.w);
  }

  /// From 0 to the largest; gaps where nothing was measured.
  void curve(const std::vector<std::optional<double>>& values, double most, Rect area, Color color, bool dashed) {
    const auto steps = static_cast<float>(std::max<std::size_t>(values.size() - 1, 1));
    Point before;
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (!values[n]) continue;
      const float share = most > 0 ? static_cast<float>(*values[n] / most) : 0;
      const Point at{area.x + 4 + (area.w - 8) * (values.size() == 1 ? 1 : static_cast<float>(n) / steps),
                     area.y + 4 + (area.h - 8) * (1 - share)};
      if (n > 0 && values[n - 1]) add_line(scene_, before, at, color, 1.6f, {}, dashed);
      if (!dashed && n + 1 == values.size()) add_box(scene_, {at.x - 3, at.y - 3, 6, 6}, color, {}, 3);
      before = at;
    }
  }

  std::span<const LiveSample> samples_;
  const LiveOptions& options_;
  const Theme& theme_;
  std::vector<Series> series_;
  int across_ = 1;
  float cell_ = 0;
  Scene scene_;
};

}  // namespace

Scene live_view(std::span<const LiveSample> samples, const LiveOptions& options, const Theme& theme) {
  const float width = options.width > 0 ? options.width : 760;
  if (samples.empty() && !options.note.empty())
    return refused_view({{.message = options.note}}, "Live", "", width, theme);
  if (samples.empty())
    return refused_view({}, "Live", "Move a slider to run or measure the kernel with other values.", width, theme);
  const auto most = static_cast<std::size_t>(std::max(options.most_samples, 1));
  const auto newest = samples.subspan(samples.size() > most ? samples.size() - most : 0);
  if (series_of(newest, options).empty())
    return refused_view(newest.back().measured.refused, "Live", "The last measurements returned no counters.", width,
                        theme);
  return LiveDrawing(newest, options, theme).draw();
}

LivePace live_pace(std::span<const LiveSample> samples) {
  constexpr double longest_pause_seconds = 0.5;
  constexpr std::size_t fewest = 4, most = 100;
  std::size_t first = samples.size();
  while (first > 0 && samples.size() - first < most &&
         (first == samples.size() || samples[first].at_seconds - samples[first - 1].at_seconds < longest_pause_seconds))
    --first;
  const auto burst = samples.subspan(first);
  if (burst.size() < fewest) return {};
  const double seconds = burst.back().at_seconds - burst.front().at_seconds;
  if (seconds <= 0) return {};
  std::vector<double> waits;
  for (const LiveSample& s : burst) waits.push_back(s.wait_ms);
  std::nth_element(waits.begin(), waits.begin() + static_cast<std::ptrdiff_t>(waits.size() / 2), waits.end());
  return {.per_second = static_cast<double>(burst.size() - 1) / seconds, .wait_ms = waits[waits.size() / 2]};
}

std::string live_csv(std::span<const LiveSample> samples) {
  csv::Table table({"sample", "seconds", "wait_ms", "words", "counter", "unit", "predicted", "measured"});
  const auto number = [](const std::optional<double>& v) { return v ? fmt::format("{}", *v) : std::string(); };
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const LiveSample& s = samples[n];
    const std::string at = fmt::format("{:.4f}", s.at_seconds), wait = fmt::format("{:.2f}", s.wait_ms);
    if (s.measured.timing)
      table.row(n, at, wait, s.words, "time_of_all_launches", "us", "", s.measured.timing->median_us);
    for (const MetricRow& row : s.measured.metrics)
      if (row.line == 0 && row.measured)
        table.row(n, at, wait, s.words, row.name, row.unit, number(row.predicted), number(row.measured));
  }
  return table.text();
}

}  // namespace lanescope::views
