#include "viz/views/measured/times.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/times.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {

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
    scene.boxes.push_back(
        {.id = id, .rect = {x, plot.y + plot.h - high, std::max(pitch - 1, 1.0f), high}, .fill = theme.axis(0, 1)});
  }
  const float right = plot.x + pitch * static_cast<float>(s.bins.size());
  scene.lines.push_back(
      {.from = {plot.x, plot.y + plot.h}, .to = {right, plot.y + plot.h}, .color = theme.border, .width = 1});
  const auto mark = [&](double at, Color color, bool dashed) {
    if (s.bin_width <= 0) return;
    const double share = (at - s.first_bin) / (s.bin_width * static_cast<double>(s.bins.size()));
    if (share < 0 || share > 1) return;  // the mean may be among the outliers
    const float x = plot.x + (right - plot.x) * static_cast<float>(share);
    scene.lines.push_back(
        {.from = {x, plot.y - 2}, .to = {x, plot.y + plot.h}, .color = color, .width = 1.5f, .dashed = dashed});
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
