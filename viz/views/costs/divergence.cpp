#include "viz/views/costs/warps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/drawing.h"

namespace lanescope::views {
namespace {

constexpr float divergence_margin = 12, line_label_width = 66, mean_width = 82, bar_row_height = 34, line_gap = 6,
                divergence_heading = 28, lines_row = 20, lines_heading = 24;

struct Bar {
  std::uint64_t instructions = 0, lanes = 0;
  std::int32_t first_step = -1;
  bool now = false;
  double mean() const {
    return static_cast<double>(lanes) / static_cast<double>(std::max<std::uint64_t>(instructions, 1));
  }
};

/// Never rounded up to a full warp that it was not.
std::string mean_text(const DivergenceSums& sums) {
  const double mean = sums.mean_lanes();
  if (sums.lost_lanes() > 0 && mean > 31.94) return fmt::format("{:.2f} of 32", std::min(mean, 31.99));
  return fmt::format("{:.1f} of 32", mean);
}

class DivergenceDrawing : Drawing<DivergenceOptions> {
 public:
  DivergenceDrawing(const Summary& summary, const Moment& moment, const Selection& selection,
                    const DivergenceOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme}, step_(selection.step >= 0 ? selection.step : moment.step) {
    scene_.width = options.width > 0 ? options.width : 840;
    known_ = summary.active_masks.size() == summary.timeline.size() && !summary.timeline.empty();
    if (known_) gather();
  }

  Scene draw() {
    float y = 0;
    if (known_) y = bars();
    if (!summary_.divergence.empty()) y = table(y + 6);
    scene_.height = y + 8;
    return std::move(scene_);
  }

 private:
  void gather() {
    warps_ = std::min(std::max(static_cast<int>(summary_.warps) - options_.first_warp, 0), options_.most_warps);
    std::vector<std::uint64_t> counts(std::max<std::size_t>(summary_.warps, 1), 0);
    for (const TimelineMark& mark : summary_.timeline) {
      if (mark.warp >= counts.size()) counts.resize(mark.warp + 1u, 0);
      ++counts[mark.warp];
    }
    const auto longest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
    first_ = std::max(options_.first, 0.0);
    const double last = std::max(options_.last < 0 ? longest : options_.last, first_ + 1);
    const float room = scene_.width - line_label_width - mean_width - divergence_margin;
    const auto slots =
        static_cast<int>(std::clamp(std::min(last - first_, static_cast<double>(room / 3)), 1.0, 4096.0));
    per_bar_ = std::ceil((last - first_) / slots);
    slots_ = static_cast<int>(std::ceil((last - first_) / per_bar_));
    pitch_ = std::min(room / static_cast<float>(slots_), 22.0f);
    bars_.assign(static_cast<std::size_t>(warps_) * static_cast<std::size_t>(slots_), {});
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t n = 0; n < summary_.timeline.size(); ++n) {
      const TimelineMark& mark = summary_.timeline[n];
      const auto column = static_cast<double>(counts[mark.warp]++);
      const int row = static_cast<int>(mark.warp) - options_.first_warp;
      if (row < 0 || row >= warps_ || column < first_ || column >= last) continue;
      Bar& bar = bars_[static_cast<std::size_t>(row) * slots_ + static_cast<std::size_t>((column - first_) / per_bar_)];
      if (bar.first_step < 0) bar.first_step = static_cast<std::int32_t>(mark.step);
      ++bar.instructions;
      bar.lanes += static_cast<std::uint64_t>(std::popcount(summary_.active_masks[n]));
      bar.now |= mark.step == step_;
    }
  }

  float bars() {
    add_text(scene_, {divergence_margin, 14}, "Active lanes", theme_.text, type_px::title, Face::sans_bold);
    add_text(scene_, {scene_.width - divergence_margin, 14},
             per_bar_ > 1
                 ? fmt::format("a bar is the mean of {} instructions", spaced(static_cast<std::uint64_t>(per_bar_)))
                 : std::string("a bar is one instruction"),
             theme_.text_dim, type_px::note, Face::sans, Align::right);
    float y = divergence_heading;
    for (int row = 0; row < warps_; ++row) {
      warp_row(row, y);
      y += bar_row_height + line_gap;
    }
    return y;
  }

  void warp_row(int row, float y) {
    const int warp = options_.first_warp + row;
    const Id id{.kind = Id::Kind::timeline_row, .a = warp};
    add_text(scene_, {line_label_width - 12, y + bar_row_height / 2}, fmt::format("warp {}", warp), theme_.text_dim,
             type_px::code, Face::mono, Align::right, id);
    const float right = line_label_width + pitch_ * static_cast<float>(slots_);
    for (const float level : {0.0f, 0.5f, 1.0f}) {  // 32, 16 and 0 lanes
      add_line(scene_, {line_label_width, y + bar_row_height * level}, {right, y + bar_row_height * level},
               theme_.border, 1, {}, level == 0.5f);
    }
    DivergenceSums sums;
    for (int n = 0; n < slots_; ++n) {
      const Bar& bar = bars_[static_cast<std::size_t>(row) * slots_ + n];
      if (bar.instructions == 0) continue;
      sums.instructions += bar.instructions, sums.lanes += bar.lanes;
      draw_bar(warp, bar, {line_label_width + pitch_ * static_cast<float>(n), y, pitch_, bar_row_height});
    }
    add_text(scene_, {scene_.width - divergence_margin, y + bar_row_height / 2}, mean_text(sums),
             sums.lost_lanes() > 0 ? theme_.text : theme_.text_dim, type_px::code, Face::mono, Align::right, id);
  }

  // Full warps have a muted colour; the fewer active lanes, the stronger the colour. Inactive lanes are hatched.
  void draw_bar(int warp, const Bar& bar, Rect slot) {
    const double mean = bar.mean(), lost = 1 - mean / 32;
    const float height = slot.h * static_cast<float>(mean / 32), gap = slot.w >= 6 ? 1.5f : 0.5f;
    const Id id{.kind = Id::Kind::divergence_bar, .a = warp, .b = bar.first_step};
    const Color fill = lost <= 0 ? theme_.cell_plain : heat_color(theme_, 0.35 + 0.65 * lost);
    if (lost > 0)
      scene_.boxes.push_back(
          {.rect = {slot.x, slot.y, slot.w - gap, slot.h - height}, .fill = theme_.cell_empty, .hatched = true});
    add_box(scene_, {slot.x, slot.y + slot.h - height, slot.w - gap, height}, fill, id);
    if (bar.now) add_selection(scene_, id, {slot.x, slot.y, slot.w - gap, slot.h}, theme_, 1);
    if (slot.w < 9 || lost <= 0) return;
    const bool inside = height >= 13;
    add_text(scene_, {slot.x + (slot.w - gap) / 2, inside ? slot.y + slot.h - 7 : slot.y + slot.h - height - 7},
             fmt::format("{:.0f}", mean), inside ? text_on(fill) : theme_.text,
             std::min(type_px::micro, (slot.w - gap) / (2 * mono_advance)), Face::mono, Align::center, id);
    scene_.labels.back().min_scale = smallest_type / scene_.labels.back().size;
  }

  float table(float y) {
    struct Row {
      const LineDivergence* line;
      DivergenceSums sums;
    };
    std::vector<Row> rows;
    for (const LineDivergence& line : summary_.divergence)
      if (line.line > 0 && sums_of(line).instructions > 0) rows.push_back({&line, sums_of(line)});
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.sums.lost_lanes() > b.sums.lost_lanes(); });
    const std::size_t all = rows.size();
    rows.resize(std::min(all, static_cast<std::size_t>(std::max(options_.most_lines, 1))));
    static constexpr std::string_view headings[] = {"line", "warp instructions", "active lanes", "branches",
                                                    "divergent"};
    for (int n = 0; n < 5; ++n)
      add_text(scene_, {column_right(n), y + lines_heading / 2}, std::string(headings[n]), theme_.text_dim,
               type_px::tiny, Face::sans, Align::right);
    y += lines_heading;
    for (const Row& row : rows) {
      table_line(*row.line, row.sums, y);
      y += lines_row;
    }
    if (all > rows.size()) {
      add_text(scene_, {divergence_margin, y + 10},
               counted(all - rows.size(), "line") + " with more active lanes not shown", theme_.text_faint,
               type_px::tiny);
      y += 20;
    }
    return y;
  }

  float column_right(int n) const {
    static constexpr float shares[] = {0.08f, 0.30f, 0.52f, 0.80f, 1.0f};
    return divergence_margin + (scene_.width - 2 * divergence_margin) * shares[n];
  }

  void table_line(const LineDivergence& line, const DivergenceSums& sums, float y) {
    const Id id{.kind = Id::Kind::divergence_row, .a = line.line};
    const bool selected = selection_.line == line.line;
    add_box(scene_, {0, y, scene_.width, lines_row}, selected ? theme_.row_highlight : Color{}, id);
    const std::string texts[] = {
        summary_.lines.number(line.line), spaced(sums.instructions), mean_text(sums), spaced(line.branches),
        line.branches == 0
            ? std::string("–")
            : fmt::format("{} ({:.0f} %)", spaced(line.divergent_branches),
                          100.0 * static_cast<double>(line.divergent_branches) / static_cast<double>(line.branches))};
    for (int n = 0; n < 5; ++n)
      add_text(scene_, {column_right(n), y + lines_row / 2}, texts[n], n == 0 ? theme_.text_dim : theme_.text,
               type_px::code, Face::mono, Align::right, id);
    const float x = column_right(2) + 12, room = std::max(column_right(3) - 64 - x, 10.0f);
    const auto share = static_cast<float>(sums.mean_lanes() / 32);
    scene_.boxes.push_back(
        {.rect = {x, y + 6, room, lines_row - 12}, .fill = theme_.cell_empty, .radius = 2, .hatched = share < 1});
    add_box(scene_, {x, y + 6, room * share, lines_row - 12},
            share >= 1 ? theme_.cell_plain : heat_color(theme_, 0.35 + 0.65 * (1 - share)), {}, 2);
  }

  std::int64_t step_ = -1;
  bool known_ = false;
  int warps_ = 0, slots_ = 1;
  double first_ = 0, per_bar_ = 1;
  float pitch_ = 1;
  std::vector<Bar> bars_;  ///< [warp][slot]
};

}  // namespace

DivergenceSums sums_of(const LineDivergence& line) {
  DivergenceSums sums;
  for (std::size_t lanes = 0; lanes <= 32; ++lanes) {
    sums.instructions += line.instructions_by_lanes[lanes];
    sums.lanes += lanes * line.instructions_by_lanes[lanes];
  }
  return sums;
}

Scene divergence_view(const Summary& summary, const Moment& moment, const Selection& selection,
                      const DivergenceOptions& options, const Theme& theme) {
  const bool known = summary.active_masks.size() == summary.timeline.size() && !summary.timeline.empty();
  if (!known && summary.divergence.empty())
    return empty_view(options.width > 0 ? options.width : 840, 90,
                      "There are no active lanes to show yet. Run the kernel to see its divergence.", theme);
  return DivergenceDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
