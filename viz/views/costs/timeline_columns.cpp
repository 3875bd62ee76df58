#include "viz/views/costs/timeline_columns.h"

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

constexpr float right_margin = 14;

float plot_width(const TimelineOptions& options) {
  return std::max(timeline_width(options) - timeline_label_width - right_margin, 32.0f);
}

}  // namespace

float timeline_width(const TimelineOptions& options) { return options.width > 0 ? options.width : 1200; }

TimelineRange timeline_range(std::uint64_t columns, const TimelineOptions& options) {
  TimelineRange range{.first = std::max(options.first, 0.0), .last = options.last};
  if (range.last < 0) range.last = static_cast<double>(columns);
  range.last = std::max(range.last, range.first + 1);
  // A short kernel is not stretched over the whole width: marks stay marks.
  range.pitch = std::min(static_cast<float>(plot_width(options) / (range.last - range.first)), 24.0f);
  return range;
}

std::vector<std::vector<std::pair<float, TimelineSign>>> timeline_legend(const Summary& summary, float width,
                                                                         const Theme& theme) {
  std::vector<std::vector<std::pair<float, TimelineSign>>> rows(1);
  float x = timeline_label_width;
  for (const TimelineSign& sign : timeline_signs(summary, theme)) {
    const float wide = 19 + sans_width(sign.word, type_px::note) + 14;
    if (x + wide > width && !rows.back().empty()) rows.emplace_back(), x = timeline_label_width;
    rows.back().emplace_back(x, sign);
    x += wide;
  }
  return rows;
}

int shown_warps(const Summary& summary, const TimelineOptions& options) {
  return std::min(std::max(static_cast<int>(summary.warps) - options.first_warp, 0), options.most_warps);
}

TimelineGeometry timeline_geometry(const Summary& summary, const TimelineOptions& options) {
  TimelineGeometry at{.left = timeline_label_width, .width = plot_width(options)};
  float y = 2;
  if (options.legend)
    y = legend_line * static_cast<float>(timeline_legend(summary, timeline_width(options), dark_theme()).size()) + 2;
  if (options.overview) {
    at.overview_top = y, at.overview_height = overview_px;
    y += overview_px + overview_gap;
  }
  at.ruler_top = y;
  at.rows_top = y + ruler_px;
  return at;
}

std::uint64_t timeline_columns(const Summary& summary, const StepIndex& index, TimelineAxis axis) {
  if (index.marks() == 0) return 0;
  return axis == TimelineAxis::step ? std::uint64_t{summary.timeline[index.marks() - 1].step} + 1 : index.longest();
}

std::uint64_t timeline_columns(const Summary& summary, TimelineAxis axis) {
  if (summary.timeline.empty()) return 0;
  if (axis == TimelineAxis::step) return std::uint64_t{summary.timeline.back().step} + 1;
  std::vector<std::uint64_t> counts(std::max<std::size_t>(summary.warps, 1), 0);
  for (const TimelineMark& mark : summary.timeline) {
    if (mark.warp >= counts.size()) counts.resize(mark.warp + 1u, 0);
    ++counts[mark.warp];
  }
  return *std::max_element(counts.begin(), counts.end());
}

std::int64_t timeline_column_of(const Summary& summary, const StepIndex& index, TimelineAxis axis, std::int64_t step) {
  const std::int64_t mark = index.mark_at(summary, step);
  if (mark < 0 || axis == TimelineAxis::step) return mark < 0 ? -1 : step;
  return index.column(static_cast<std::size_t>(mark));
}

std::int64_t timeline_step_at(const Summary& summary, const StepIndex& index, const TimelineOptions& options, int warp,
                              float x) {
  if (index.marks() == 0) return -1;
  const TimelineRange range = timeline_range(timeline_columns(summary, index, options.axis), options);
  const double column =
      std::clamp(range.first + (x - timeline_label_width) / range.pitch, range.first, range.last - 0.001);
  const auto wanted = static_cast<std::size_t>(column);
  if (options.axis == TimelineAxis::instruction) {
    const auto own = index.of_warp(warp);
    return own.empty() ? -1 : summary.timeline[own[std::min(wanted, own.size() - 1)]].step;
  }
  const auto marks = std::span(summary.timeline).first(index.marks());
  const auto after = std::ranges::partition_point(marks, [&](const TimelineMark& m) { return m.step <= wanted; });
  return after == marks.begin() ? -1 : std::int64_t{std::prev(after)->step};
}

std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x) {
  return timeline_step_at(summary, index_of(summary), options, warp, x);
}

}  // namespace lanescope::views
