#include "viz/views/measured/measured.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float stream_height = 24, stream_label_width = 66, axis_height = 18, narrowest_call = 1.5f;

double end_us(const LaunchRow& l) { return l.start_us + l.duration_us; }

/// Key of a record that is equal in every repetition, unlike starts and durations.
auto shape_of(const LaunchRow& l) {
  return std::make_tuple(l.kernel, l.stream, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z);
}
using Shapes = std::vector<decltype(shape_of(LaunchRow{}))>;

Shapes shapes_of(std::span<const LaunchRow> launches) {
  Shapes out;
  for (const LaunchRow& l : launches) out.push_back(shape_of(l));
  std::sort(out.begin(), out.end());
  return out;
}

/// Whether the launches are repetitions of `count`, each over before the next begins.
bool repeat(std::span<const LaunchRow> launches, std::size_t count) {
  const Shapes shapes = shapes_of(launches.first(count));
  for (std::size_t first = count; first < launches.size(); first += count) {
    for (std::size_t n = first - count; n < first; ++n)
      if (end_us(launches[n]) > launches[first].start_us) return false;
    if (shapes_of(launches.subspan(first, count)) != shapes) return false;
  }
  return true;
}

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double n : {1.0, 2.0, 5.0})
    if (n * power >= least) return n * power;
  return 10 * power;
}

class StreamLanesDrawing {
 public:
  StreamLanesDrawing(Scene& scene, const Measured& measured, const Theme& theme)
      : scene_(scene), all_(measured.launches), theme_(theme), repetition_(last_repetition(all_)) {
    shown_ = all_.subspan(repetition_.first, repetition_.count);
    for (const LaunchRow& l : shown_) {
      streams_.try_emplace(l.stream);
      kernels_.try_emplace(l.kernel, static_cast<int>(kernels_.size()));
    }
    int lane = 0;
    for (auto& [stream, at] : streams_) at = lane++;
    begin_us_ = shown_.front().start_us;
    overlap_ = overlap(shown_);
    left_ = table_margin + stream_label_width;
    pixels_per_us_ = overlap_.whole_us > 0 ? (scene.width - table_margin - left_) / overlap_.whole_us : 0;
  }

  float draw(float y) {
    std::string title =
        fmt::format("Streams · {} in {}", launches_text(shown_.size()), duration_text(overlap_.whole_us));
    add_text(scene_, {table_margin, y + 14}, std::move(title), theme_.text, type_px::title, Face::sans_bold);
    top_ = y + 26;
    lanes();
    for (std::size_t n = 0; n < shown_.size(); ++n) mark(n);
    axis();
    std::string foot = overlap_.at_once_us > 0
                           ? fmt::format("Launches of several streams overlap for {} of {}.",
                                         duration_text(overlap_.at_once_us), duration_text(overlap_.whole_us))
                           : "No two streams run at the same time.";
    if (repetition_.repetitions > 1)
      foot += fmt::format(" The last of {} identical repetitions is shown.", repetition_.repetitions);
    return draw_paragraph(scene_, foot, table_margin, bottom() + axis_height + 6, scene_.width - 2 * table_margin,
                          theme_.text_faint, type_px::tiny);
  }

 private:
  static std::string launches_text(std::size_t n) { return spaced(n) + (n == 1 ? " launch" : " launches"); }
  float x(double us) const { return left_ + static_cast<float>((us - begin_us_) * pixels_per_us_); }
  float bottom() const { return top_ + static_cast<float>(streams_.size()) * stream_height; }

  void lanes() {
    for (const auto& [stream, lane] : streams_) {
      const float y = top_ + static_cast<float>(lane) * stream_height;
      add_box(scene_, {left_, y + 1, scene_.width - table_margin - left_, stream_height - 2}, theme_.cell_empty, {}, 2);
      add_text(scene_, {left_ - 8, y + stream_height / 2}, fmt::format("stream {}", stream), theme_.text_dim,
               type_px::small, Face::mono, Align::right);
    }
  }

  void mark(std::size_t n) {
    const LaunchRow& l = shown_[n];
    const Id id{.kind = Id::Kind::launch_mark, .a = static_cast<std::int32_t>(repetition_.first + n)};
    const float y = top_ + static_cast<float>(streams_.at(l.stream)) * stream_height;
    const float from = x(l.start_us), to = x(end_us(l));
    const Rect rect{from, y + 3, std::max(to - from, narrowest_call), stream_height - 6};
    const Color fill = theme_.axis(kernels_.at(l.kernel), static_cast<int>(kernels_.size()));
    add_box(scene_, rect, fill, id, 2, rect.w > 6 ? theme_.panel : Color{});
    const int fits = static_cast<int>((rect.w - 8) / (type_px::small * mono_advance));
    if (fits < 3) return;  // the tooltip says it
    add_text(scene_, center(rect), cut(l.kernel, fits), text_on(fill), type_px::small, Face::mono, Align::center, id);
  }

  void axis() {
    if (pixels_per_us_ <= 0) return;
    constexpr double least_px = 84;
    const double step = round_step(least_px / pixels_per_us_);
    for (int tick = 0; tick * step <= overlap_.whole_us; ++tick) {
      const float at = left_ + static_cast<float>(tick * step * pixels_per_us_);
      add_line(scene_, {at, bottom()}, {at, bottom() + 4}, theme_.text_faint);
      std::string words = tick == 0 ? "0" : duration_text(tick * step);
      const float half = sans_width(words, type_px::tiny) / 2;
      const bool cut_off = at + half > scene_.width - 2;
      add_text(scene_, {cut_off ? scene_.width - 2 : at, bottom() + 11}, std::move(words), theme_.text_dim,
               type_px::tiny, Face::sans, cut_off ? Align::right : Align::center);
    }
  }

  Scene& scene_;
  std::span<const LaunchRow> all_, shown_{};
  const Theme& theme_;
  Repetition repetition_;
  std::map<std::uint32_t, int> streams_;  ///< lane by stream
  std::map<std::string, int> kernels_;    ///< number of the colour
  Overlap overlap_;
  double begin_us_ = 0, pixels_per_us_ = 0;
  float left_ = 0, top_ = 0;
};

}  // namespace

bool in_several_streams(const Measured& measured) {
  return std::any_of(measured.launches.begin(), measured.launches.end(),
                     [&](const LaunchRow& l) { return l.stream != measured.launches.front().stream; });
}

Repetition last_repetition(std::span<const LaunchRow> launches) {
  for (std::size_t count = 1; count < launches.size(); ++count)
    if (launches.size() % count == 0 && repeat(launches, count))
      return {.first = launches.size() - count, .count = count, .repetitions = launches.size() / count};
  return {.first = 0, .count = launches.size()};
}

Overlap overlap(std::span<const LaunchRow> launches) {
  if (launches.empty()) return {};
  // Every start and end in order; ends first, so that touching intervals do not overlap.
  std::vector<std::tuple<double, int, std::uint32_t>> events;
  for (const LaunchRow& l : launches) {
    events.emplace_back(l.start_us, 1, l.stream);
    events.emplace_back(end_us(l), -1, l.stream);
  }
  std::sort(events.begin(), events.end());
  Overlap out{.whole_us = std::get<0>(events.back()) - std::get<0>(events.front())};
  std::map<std::uint32_t, int> running;
  double before = std::get<0>(events.front());
  for (const auto& [at, change, stream] : events) {
    const auto busy = std::count_if(running.begin(), running.end(), [](const auto& r) { return r.second > 0; });
    if (busy > 1) out.at_once_us += at - before;
    before = at;
    running[stream] += change;
  }
  return out;
}

float draw_stream_lanes(Scene& scene, const Measured& measured, float y, const Theme& theme) {
  return StreamLanesDrawing(scene, measured, theme).draw(y);
}

std::string launch_mark_tooltip(const Measured& measured, const Id& id) {
  if (id.kind != Id::Kind::launch_mark || id.a < 0 || id.a >= static_cast<int>(measured.launches.size())) return {};
  const LaunchRow& l = measured.launches[static_cast<std::size_t>(id.a)];
  const double begin_us = measured.launches[last_repetition(measured.launches).first].start_us;
  return fmt::format("{} in stream {}\n{} from {} on", l.kernel, l.stream, duration_text(l.duration_us),
                     duration_text(l.start_us - begin_us));
}

std::string duration_text(double us) {
  if (us >= 1e6) return fmt::format("{:.3g} s", us * 1e-6);
  if (us >= 1e3) return fmt::format("{:.3g} ms", us * 1e-3);
  return fmt::format("{:.3g} µs", us);
}

}  // namespace lanescope::views
