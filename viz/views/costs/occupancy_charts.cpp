// Curves over one number of the kernel, and the roofline.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/table.h"
#include "viz/views/costs/occupancy.h"

namespace lanescope::views {
namespace {

constexpr float roof_row_px = 17, roof_rows_narrow = 520;

/// Device memory is the classical roof.
Color roof_color(const Theme& theme, int number) { return number == 0 ? theme.text : theme.axis(number, 3); }

/// Left of the plot of the roofline, for the names of the roofs and the peak.
constexpr float roof_names_px = 98, roof_name_row_px = 12;

/// The name of each roof where its line begins, at the left edge of the plot. Lines that begin closer to each other
/// than their names are high have the names moved apart, each with a stroke to its line; the peak keeps its own place.
/// `begins`: by roof, where its line begins; `ceiling`: where the words of the peak stand.
void name_roofs(Scene& scene, std::span<const RoofInfo> roofs, std::span<const Point> begins, Rect plot, float ceiling,
                const Theme& theme) {
  std::vector<std::size_t> order(roofs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater{}, [&](std::size_t n) { return begins[n].y; });
  std::vector<float> at(roofs.size());
  float next = plot.y + plot.h - 5;  // the lowest name stays above the numbers of the axis
  for (const std::size_t n : order) {
    at[n] = std::min(begins[n].y, next);
    next = at[n] - roof_name_row_px;
  }
  // Where the names would reach that of the peak, there are too many of them for this height: all stand as high as they
  // can.
  float highest = ceiling + roof_name_row_px;
  for (std::size_t k = order.size(); k-- > 0;) {
    at[order[k]] = std::max(at[order[k]], highest);
    highest = at[order[k]] + roof_name_row_px;
  }
  for (const std::size_t n : order) {
    const Id id{.kind = Id::Kind::roofline_roof, .a = static_cast<std::int32_t>(n)};
    const Color ink = roof_color(theme, static_cast<int>(n));
    add_line(scene, {plot.x - 9, at[n]}, {begins[n].x, begins[n].y}, ink, 1.4f, id);
    add_text(scene, {plot.x - 12, at[n]}, roofs[n].memory, roofs[n].lowest ? theme.text : theme.text_dim, type_px::tiny,
             roofs[n].lowest ? Face::sans_bold : Face::sans, Align::right, id, roof_names_px - 18);
  }
}

/// A round step so that about `wanted` of them cover the range.
double round_step(double range, int wanted) {
  const double raw = range / wanted, power = std::pow(10.0, std::floor(std::log10(std::max(raw, 1e-9))));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (step * power >= raw) return step * power;
  return 10 * power;
}

class CurveDrawing {
 public:
  CurveDrawing(Scene& scene, const OccupancyCurveInfo& curve, int number, Rect area, const Theme& theme)
      : scene_(scene), curve_(curve), number_(number), theme_(theme), area_(area) {
    plot_ = {area.x + 42, area.y + 28, area.w - 42 - 12, area.h - 28 - 40};
    first_ = curve.dots.front().x;
    last_ = std::max(curve.dots.back().x, first_ + 1);
  }

  void draw() {
    add_text(scene_, {area_.x + 12, area_.y + 12}, curve_.title + (curve_.unit == "bytes" ? ", bytes" : ""),
             theme_.text, type_px::note, Face::sans_bold, Align::left, {}, area_.w - 24);
    add_box(scene_, plot_, theme_.cell_empty, {.kind = Id::Kind::occupancy_curve, .a = number_}, 2);
    grid();
    steps();
    points();
    if (const OccupancyDot* dot = at(curve_.suggested)) mark(*dot, false);
    if (const OccupancyDot* dot = at(curve_.current)) mark(*dot, true);
    legend();
  }

 private:
  float x(double value) const {
    return plot_.x + plot_.w * static_cast<float>((value - first_) / static_cast<double>(last_ - first_));
  }
  float y(double percent) const { return plot_.y + plot_.h * (1 - static_cast<float>(percent / 100)); }

  const OccupancyDot* at(int wanted) const {
    if (wanted < 0) return nullptr;
    const OccupancyDot* found = nullptr;  // the last point not beyond it: between points the curve is flat
    for (const OccupancyDot& dot : curve_.dots)
      if (dot.x <= wanted) found = &dot;
    return found;
  }

  void grid() {
    for (const int percent : {0, 50, 100}) {
      add_line(scene_, {plot_.x, y(percent)}, {plot_.x + plot_.w, y(percent)}, theme_.border, 1, {}, percent == 50);
      add_text(scene_, {plot_.x - 6, y(percent)}, fmt::format("{} %", percent), theme_.text_dim, type_px::tiny,
               Face::mono, Align::right);
    }
    const double step = round_step(last_ - first_, 4);
    for (double tick = std::ceil(first_ / step) * step; tick <= last_; tick += step) {
      const std::string words = spaced(static_cast<std::uint64_t>(std::max(tick, 0.0)));
      const float half = static_cast<float>(columns(words)) * mono_advance * type_px::tiny / 2;
      if (x(tick) + half > area_.x + area_.w) continue;
      add_text(scene_, {x(tick), plot_.y + plot_.h + 9}, words, theme_.text_dim, type_px::tiny, Face::mono,
               Align::center);
    }
  }

  // A staircase; stretches of one height are one line.
  void steps() {
    const auto& dots = curve_.dots;
    for (std::size_t n = 0; n < dots.size();) {
      std::size_t end = n + 1;
      while (end < dots.size() && dots[end].percent == dots[n].percent) ++end;
      const double right = end < dots.size() ? dots[end].x : last_;
      line({x(dots[n].x), y(dots[n].percent)}, {x(right), y(dots[n].percent)});
      if (end < dots.size()) line({x(right), y(dots[n].percent)}, {x(right), y(dots[end].percent)});
      n = end;
    }
  }

  void line(Point from, Point to) {
    add_line(scene_, from, to, theme_.text, 1.6f, {.kind = Id::Kind::occupancy_curve, .a = number_});
  }

  // Nothing to see: a strip per point, so that hovering reads the curve.
  void points() {
    for (std::size_t n = 0; n < curve_.dots.size(); ++n) {
      const float left = x(curve_.dots[n].x);
      const float right = n + 1 < curve_.dots.size() ? x(curve_.dots[n + 1].x) : plot_.x + plot_.w + 1;
      scene_.boxes.push_back({.id = {.kind = Id::Kind::occupancy_point, .a = number_, .b = curve_.dots[n].x},
                              .rect = {left, plot_.y, right - left, plot_.h}});
    }
  }

  // The kernel as it is: a filled disc; what is suggested: a ring.
  void mark(const OccupancyDot& dot, bool current) {
    const int value = current ? curve_.current : curve_.suggested;
    const Point p{x(value), y(dot.percent)};
    add_line(scene_, {p.x, plot_.y + plot_.h}, p, current ? theme_.selected : theme_.accent, 1, {}, true);
    scene_.outlines.push_back({.id = {.kind = Id::Kind::occupancy_point, .a = number_, .b = dot.x},
                               .rect = {p.x - 5, p.y - 5, 10, 10},
                               .fill = current ? theme_.selected : theme_.panel,
                               .stroke = current ? theme_.panel : theme_.accent,
                               .stroke_width = 2,
                               .radius = 5});
  }

  void legend() {
    std::string words;
    if (const OccupancyDot* dot = at(curve_.current)) {
      words = fmt::format("now {}: {:.1f} %", spaced(static_cast<std::uint64_t>(curve_.current)), dot->percent);
      if (!dot->limiting.empty()) words += ", " + dot->limiting;
    }
    if (const OccupancyDot* dot = at(curve_.suggested); dot != nullptr && curve_.suggested != curve_.current)
      words += fmt::format("{}ring {}: {:.1f} %", words.empty() ? "" : " · ",
                           spaced(static_cast<std::uint64_t>(curve_.suggested)), dot->percent);
    add_text(scene_, {area_.x + 12, area_.y + area_.h - 10}, std::move(words), theme_.text_dim, type_px::tiny,
             Face::sans, Align::left, {}, area_.w - 16);
  }

  Scene& scene_;
  const OccupancyCurveInfo& curve_;
  int number_;
  const Theme& theme_;
  Rect area_, plot_;
  int first_ = 0, last_ = 1;
};

}  // namespace

float draw_curve(Scene& scene, const OccupancyCurveInfo& curve, int number, Rect area, const Theme& theme) {
  if (!curve.dots.empty()) CurveDrawing(scene, curve, number, area, theme).draw();
  return area.y + area.h;
}

namespace {

/// Few documents have rates of L2: the source of this GPU's rate is shown.
std::string roof_note(const RoofInfo& roof) { return roof.memory == "L2" ? "L2: " + roof.source : std::string(); }

}  // namespace

float roof_rows_height(std::span<const RoofInfo> roofs, float width) {
  float height = roofs.empty() ? 0.0f : roof_row_px * static_cast<float>(roofs.size() + 1);
  for (const RoofInfo& r : roofs)
    if (const std::string note = roof_note(r); !note.empty())
      height += 4 + type_px::tiny * 1.45f * static_cast<float>(wrapped(note, width - 24, type_px::tiny).size());
  return height;
}

void draw_roof_rows(Scene& scene, std::span<const RoofInfo> roofs, Rect area, const Theme& theme) {
  if (roofs.empty()) return;
  const float rights[] = {0.40f, 0.61f, 0.80f, 1.0f};
  const auto at = [&](int column, float y, std::string words, Color color, Face face) {
    add_text(scene, {area.x + 12 + (area.w - 24) * rights[column], y}, std::move(words), color, type_px::tiny, face,
             Align::right, {}, (area.w - 24) * 0.22f);
  };
  float y = area.y + roof_row_px / 2;
  // A name and a number share the first column; the lowest roof is named above.
  if (std::ranges::any_of(roofs, &RoofInfo::lowest))
    add_text(scene, {area.x + 12, y}, area.w < roof_rows_narrow ? "bold: lowest" : "bold: the lowest roof",
             theme.text_dim, type_px::tiny, Face::sans, Align::left, {}, (area.w - 24) * 0.25f);
  at(0, y, "peak, GB/s", theme.text_dim, Face::sans);
  at(1, y, "achieved", theme.text_dim, Face::sans);
  at(2, y, area.w < roof_rows_narrow ? "op/byte" : "operations/byte", theme.text_dim, Face::sans);
  at(3, y, "at most, Gop/s", theme.text_dim, Face::sans);
  for (std::size_t n = 0; n < roofs.size(); ++n) {
    const RoofInfo& r = roofs[n];
    y += roof_row_px;
    const Id id{.kind = Id::Kind::roofline_roof, .a = static_cast<std::int32_t>(n)};
    scene.boxes.push_back({.id = id, .rect = {area.x, y - roof_row_px / 2, area.w, roof_row_px}});
    add_box(scene, {area.x + 12, y - 1.5f, 14, 3}, roof_color(theme, static_cast<int>(n)));
    const float room = (area.w - 24) * rights[0] - 20 - 44;
    const float size = type_px::note * std::min(1.0f, room / (sans_width(r.memory, type_px::note) * 1.08f));
    add_text(scene, {area.x + 32, y}, r.memory, r.lowest ? theme.text : theme.text_dim, size,
             r.lowest ? Face::sans_bold : Face::sans, Align::left, id, room);
    at(0, y, number_text(std::round(r.gb_per_s)), theme.text, Face::mono);
    at(1, y,
       r.achieved_gb_per_s ? fmt::format("{} ({:.0f} %)", number_text(std::round(*r.achieved_gb_per_s)),
                                         100 * *r.achieved_gb_per_s / r.gb_per_s)
                           : "not measured",
       r.achieved_gb_per_s ? theme.text : theme.text_faint, r.achieved_gb_per_s ? Face::mono : Face::sans);
    const bool point = r.attainable_gop_per_s > 0;
    at(2, y,
       point         ? number_text(r.operations_per_byte)
       : r.bytes > 0 ? "no operations"
                     : "not used",
       point ? theme.text : theme.text_faint, point ? Face::mono : Face::sans);
    if (r.attainable_gop_per_s > 0) at(3, y, number_text(std::round(r.attainable_gop_per_s)), theme.text, Face::mono);
  }
  y += roof_row_px / 2;
  for (const RoofInfo& r : roofs)
    if (const std::string note = roof_note(r); !note.empty()) {
      y += 4;
      for (std::string& line : wrapped(note, area.w - 24, type_px::tiny)) {
        add_text(scene, {area.x + 12, y + type_px::tiny * 0.7f}, std::move(line), theme.text_dim, type_px::tiny,
                 Face::sans, Align::left, {}, area.w - 24);
        y += type_px::tiny * 1.45f;
      }
    }
}

// Both axes are logarithmic: bandwidth is then a line of slope one and the peak is level. Every memory has a roof and,
// where the kernel moves bytes there, a point at the operations for each of them: the lowest point is what holds the
// kernel.
float draw_roofline(Scene& scene, const RooflineInfo& r, std::span<const RoofInfo> roofs, Rect area,
                    const Theme& theme) {
  const float rows = roof_rows_height(roofs, area.w);
  const float legend_line = 14, legend_y = area.y + area.h - rows - 10 - (r.measured ? legend_line : 0);
  const float names = roofs.empty() ? 66 : roof_names_px;
  const Rect plot{area.x + names, area.y + 28, area.w - names - 14, legend_y - 32 - area.y - 28};
  add_text(scene, {area.x + 12, area.y + 12}, "Roofline", theme.text, type_px::note, Face::sans_bold);
  add_text(scene, {area.x + area.w - 12, area.y + 12}, "operations per second over operations per byte", theme.text_dim,
           type_px::tiny, Face::sans, Align::right);
  if (r.ridge_operations_per_byte <= 0 || r.peak_gop_per_s <= 0) return area.y + area.h;
  const auto shown = [&](double intensity) {
    return std::isfinite(intensity) ? intensity : r.ridge_operations_per_byte * 64;
  };
  const double intensity = shown(r.operations_per_byte);
  double least = std::min(intensity, r.ridge_operations_per_byte),
         most = std::max(intensity, r.ridge_operations_per_byte);
  for (const RoofInfo& roof : roofs) {
    least = std::min(least, r.peak_gop_per_s / roof.gb_per_s);
    if (roof.attainable_gop_per_s <= 0) continue;
    least = std::min(least, shown(roof.operations_per_byte)), most = std::max(most, shown(roof.operations_per_byte));
  }
  const double low = std::floor(std::log10(std::max(least, 1e-3)) - 0.3);
  const double high = std::ceil(std::log10(most) + 0.3);
  const double top = std::log10(r.peak_gop_per_s) + 0.25;
  const double bottom = std::log10(std::pow(10, low) * r.bandwidth_gb_per_s);
  const auto at = [&](double x, double gop) {
    const double u = (std::log10(x) - low) / (high - low), v = (std::log10(gop) - bottom) / (top - bottom);
    return Point{plot.x + plot.w * static_cast<float>(std::clamp(u, 0.0, 1.0)),
                 plot.y + plot.h * (1 - static_cast<float>(std::clamp(v, 0.0, 1.0)))};
  };
  add_box(scene, plot, theme.cell_empty, {}, 2);
  for (double decade = low; decade <= high; ++decade) {
    const double x = std::pow(10, decade);
    const std::string words = number_text(x);
    const float half = static_cast<float>(columns(words)) * mono_advance * type_px::tiny / 2;
    const float middle = std::min(at(x, r.peak_gop_per_s).x, area.x + area.w - half - 1);
    add_text(scene, {middle, plot.y + plot.h + 9}, words, theme.text_dim, type_px::tiny, Face::mono, Align::center);
  }
  const auto roof_line = [&](Point from, Point to, Color color) { add_line(scene, from, to, color, 1.8f); };
  // From the left edge, where the line may be above the floor of the plot.
  const auto slope_begin = [&](double gb_per_s) { return at(std::pow(10, low), std::pow(10, low) * gb_per_s); };
  const auto slope = [&](double gb_per_s, Color color) {
    roof_line(slope_begin(gb_per_s), at(r.peak_gop_per_s / gb_per_s, r.peak_gop_per_s), color);
  };
  if (roofs.empty()) slope(r.bandwidth_gb_per_s, theme.text);
  for (std::size_t n = roofs.size(); n-- > 0;) slope(roofs[n].gb_per_s, roof_color(theme, static_cast<int>(n)));
  const double first_ridge = roofs.empty()
                                 ? r.ridge_operations_per_byte
                                 : r.peak_gop_per_s / std::ranges::max(roofs, {}, &RoofInfo::gb_per_s).gb_per_s;
  const Point flat = at(first_ridge, r.peak_gop_per_s);
  roof_line(flat, {plot.x + plot.w, flat.y}, theme.text);
  add_text(scene, {plot.x - 6, flat.y}, fmt::format("{} Top/s", number_text(r.peak_gop_per_s / 1000)), theme.text_dim,
           type_px::tiny, Face::mono, Align::right, {}, names - 2);
  std::vector<Point> begins;
  for (const RoofInfo& roof : roofs) begins.push_back(slope_begin(roof.gb_per_s));
  name_roofs(scene, roofs, begins, plot, flat.y, theme);
  const Point point = at(intensity, r.attainable_gop_per_s);
  add_line(scene, {point.x, plot.y + plot.h}, point, theme.selected, 1, {}, true);
  for (std::size_t n = 0; n < roofs.size(); ++n) {
    const RoofInfo& roof = roofs[n];
    if (roof.attainable_gop_per_s <= 0) continue;
    const Point p = at(shown(roof.operations_per_byte), roof.attainable_gop_per_s);
    if (n == 0 && !roof.counted) continue;  // device memory: the kernel's own point below
    add_box(scene, {p.x - 4.5f, p.y - 4.5f, 9, 9}, roof_color(theme, static_cast<int>(n)),
            {.kind = Id::Kind::roofline_roof, .a = static_cast<std::int32_t>(n), .b = 1}, 1, theme.panel, 1.5f);
  }
  add_box(scene, {point.x - 6, point.y - 6, 12, 12}, theme.selected, {.kind = Id::Kind::roofline_point}, 6, theme.panel,
          2);
  const auto legend = [&](float y, std::string words) {
    add_text(scene, {area.x + 12, y}, std::move(words), theme.text_dim, type_px::tiny, Face::sans, Align::left, {},
             area.w - 16);
  };
  legend(legend_y,
         fmt::format("{}{} operations per byte, at most {} Gop/s: {} bound",
                     std::ranges::any_of(roofs, &RoofInfo::counted) ? "predicted, all from device memory: " : "",
                     number_text(r.operations_per_byte), number_text(std::round(r.attainable_gop_per_s)),
                     r.compute_bound ? "compute" : "memory"));
  if (r.measured) {
    // A ring, where the prediction is a disc; what it stays below its roof is the dashed line between them.
    const Point m = at(std::clamp(r.measured->operations_per_byte, std::pow(10, low), std::pow(10, high)),
                       std::max(r.measured->gop_per_s, std::pow(10, bottom)));
    add_line(scene, point, m, theme.accent, 1, {}, true);
    add_box(scene, {m.x - 6, m.y - 6, 12, 12}, theme.panel, {.kind = Id::Kind::roofline_measured}, 6, theme.accent,
            2.5f);
    legend(legend_y + legend_line,
           fmt::format("ring: measured, {} operations per byte{}, {} Gop/s: {:.0f} % of {}",
                       number_text(r.measured->operations_per_byte),
                       r.measured->memory.empty() ? "" : " of " + r.measured->memory,
                       number_text(std::round(r.measured->gop_per_s)),
                       100 * r.measured->gop_per_s /
                           (r.measured->memory.empty() ? r.attainable_gop_per_s : r.measured->attainable_gop_per_s),
                       r.measured->memory.empty() ? "the maximum" : "that roof's limit"));
  }
  draw_roof_rows(scene, roofs, {area.x, area.y + area.h - rows, area.w, rows}, theme);
  return area.y + area.h;
}

}  // namespace lanescope::views
