// The timeline: a row per warp, a mark per instruction, folded to columns of pixels where there are more marks than
// room.

#include "viz/views/costs/timeline.h"

#include <bit>
#include <map>

#include <fmt/format.h>

#include "viz/views/base/drawing.h"
#include "viz/views/base/elements.h"
#include "viz/views/costs/timeline_bands.h"

namespace lanescope::views {
namespace {

using trace::StepKind;

constexpr float bottom_margin = 8;
constexpr float narrowest_mark = 4;  ///< px; narrower columns are folded
constexpr float least_tick_px = 72;  ///< between two numbers of the ruler

class TimelineDrawing : Drawing<TimelineOptions> {
 public:
  TimelineDrawing(const Summary& summary, const StepIndex& index, const Moment& moment, const Selection& selection,
                  const TimelineOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        index_(index),
        at_(timeline_geometry(summary, options)),
        columns_(timeline_columns(summary, index, options.axis)),
        range_(timeline_range(columns_, options)),
        step_(selection.step >= 0 ? selection.step : moment.step),
        warp_(selection.warp),
        selected_line_(selection.line),
        warps_(shown_warps(summary, options)) {}

  Scene draw() {
    scene_.width = timeline_width(options_);
    scene_.height = bottom() + bottom_margin;
    if (options_.legend) legend();
    if (options_.overview) overview();
    ruler();
    rows();
    if (range_.pitch >= narrowest_mark)
      marks();
    else
      folded();
    if (options_.axis == TimelineAxis::step)
      for (int row = 0; row < warps_; ++row) waits(row);
    changes();
    iteration();
    hits();
    claims();
    problems();
    playhead();
    return std::move(scene_);
  }

 private:
  float row_y(int row) const { return at_.rows_top + static_cast<float>(row) * options_.row_height; }
  float bottom() const { return row_y(warps_); }
  bool low() const { return options_.row_height < 16; }
  float mark_height() const { return options_.row_height - (low() ? 4.0f : 5.0f); }
  float costly_y(int row) const { return row_y(row) + 1 + mark_height() + (low() ? 0.0f : 1.0f); }
  int row_of(int warp) const {
    const int row = warp - options_.first_warp;
    return row >= 0 && row < warps_ ? row : -1;
  }
  std::int64_t column_of(std::int64_t step) const { return timeline_column_of(summary_, index_, options_.axis, step); }
  bool in_range(double column) const { return column + 1 > range_.first && column < range_.last; }

  // --- scales ---

  void label_column(float y, std::string text, Color color, Id id = {}) {
    add_text(scene_, {timeline_label_width - 12, y}, std::move(text), color, type_px::tiny, Face::sans, Align::right,
             id);
  }

  /// The whole run of the selected warp, and which part of it is shown below.
  void overview() {
    const float y = at_.overview_top;
    const TimelineRange whole = timeline_range(columns_, {.width = options_.width, .axis = options_.axis});
    const int height = static_cast<int>(overview_px);
    add_bands(scene_, {timeline_label_width, y}, height, whole.folded_columns(), -1, theme_,
              [&](int n) { return counts_between(warp_, whole.folded(n), whole.folded(n + 1)); });
    const float right = whole.x(whole.last), from = whole.x(range_.first),
                to = std::max(whole.x(range_.last), from + 3);
    const auto dim = [&](float a, float b) {
      if (b > a) add_box(scene_, {a, y, b - a, overview_px}, with_alpha(theme_.panel, 150));
    };
    dim(timeline_label_width, from);
    dim(to, right);
    scene_.outlines.push_back({.rect = {from, y - 1, to - from, overview_px + 2},
                               .stroke = theme_.accent,
                               .stroke_width = 1.5f,
                               .radius = 2});
    if (const std::int64_t column = column_of(step_); column >= 0) {
      const float x = whole.x(static_cast<double>(column) + 0.5);
      add_line(scene_, {x, y - 1}, {x, y + overview_px + 1}, theme_.selected, 1.6f);
    }
    const Id id{.kind = Id::Kind::timeline_overview};
    scene_.boxes.push_back(
        {.id = id, .rect = {timeline_label_width, y - 3, right - timeline_label_width, overview_px + 6}});
    label_column(y + overview_px / 2, fmt::format("all, warp {}", warp_), theme_.text_dim);
  }

  /// Numbers count what has been executed: the mark after the number 20 is the 21st.
  void ruler() {
    const float y = at_.ruler_top, base = y + ruler_px - 2;
    label_column(y + 7, options_.axis == TimelineAxis::step ? "steps" : "instructions", theme_.text_dim);
    double distance = 1;  // 1, 2, 5, 10, ...
    for (int n = 0; distance * range_.pitch < least_tick_px; ++n) distance *= n % 3 == 1 ? 2.5 : 2;
    add_line(scene_, {range_.x(range_.first), base}, {range_.x(range_.last), base}, theme_.border);
    const float head = column_of(step_) >= 0 ? range_.x(static_cast<double>(column_of(step_)) + 0.5) : -1000;
    for (double at = std::ceil(range_.first / distance) * distance; at <= range_.last; at += distance) {
      const float x = range_.x(at);
      add_line(scene_, {x, base - 4}, {x, base}, theme_.text_faint);
      const std::string number = spaced(static_cast<std::uint64_t>(at));
      const float half = static_cast<float>(columns(number)) * type_px::tiny * mono_advance / 2;
      if (std::abs(x - head) < half + 7 || x + half > scene_.width) continue;  // the playhead stands there
      add_text(scene_, {x, y + 7}, number, theme_.text_dim, type_px::tiny, Face::mono, Align::center);
    }
  }

  // --- rows ---

  void rows() {
    for (int row = 0; row < warps_; ++row) {
      const int warp = options_.first_warp + row;
      const Id id{.kind = Id::Kind::timeline_row, .a = warp};
      scene_.boxes.push_back({.id = id, .rect = {0, row_y(row), scene_.width, options_.row_height}});
      add_text(scene_, {timeline_label_width - 12, row_y(row) + options_.row_height / 2 - 1},
               fmt::format("warp {}", warp), warp == warp_ ? theme_.text : theme_.text_dim,
               std::min(type_px::code, options_.row_height - 2), Face::mono, Align::right, id);
    }
  }

  Rect mark_rect(int row, double column) const {
    const float gap = range_.pitch >= 10 ? 2.0f : 1.0f;
    return {range_.x(column), row_y(row) + 1, range_.pitch - gap, mark_height()};
  }

  /// Of a mark that not all lanes run, the upper part is hatched: as much of it as lanes are inactive.
  void inactive(std::size_t n, const Rect& rect, bool quiet) {
    if (quiet || n >= summary_.active_masks.size()) return;
    const auto lanes = static_cast<float>(std::popcount(summary_.active_masks[n]));
    if (lanes == 32) return;
    const float h = std::clamp(std::round(rect.h * (1 - lanes / 32)), 2.0f, rect.h - 2);
    scene_.boxes.push_back({.rect = {rect.x, rect.y, rect.w, h},
                            .fill = theme_.cell_empty,
                            .stroke = theme_.border,
                            .radius = 1,
                            .hatched = true});
  }

  void mark(std::size_t n, int row, std::size_t column) {
    const TimelineMark& mark = summary_.timeline[n];
    const Id id{.kind = Id::Kind::timeline_step, .a = static_cast<int>(mark.step)};
    const Rect rect = mark_rect(row, static_cast<double>(column));
    const int kind = index_.kind(n);
    const MarkFill look = mark_fill(theme_, kind);
    const bool quiet = mark.kind == StepKind::probe;
    add_box(scene_, quiet ? inset(rect, rect.w > 6 ? 2.0f : 1.0f) : rect, look.fill, id, 2, look.stroke);
    inactive(n, rect, quiet);
    if (index_.costly(n)) add_box(scene_, {rect.x, costly_y(row), rect.w, 2}, theme_.warn);
    if (mark.step == step_)
      add_selection(scene_, id, rect, theme_);
    else if (mark.line > 0 && mark.line == selected_line_)
      scene_.outlines.push_back({.id = id, .rect = rect, .stroke = theme_.changed, .stroke_width = 1.2f, .radius = 2});
    const char letter = mark_look(kind).letter;
    if (letter == ' ' || rect.w < 9) return;
    const bool hatched = n < summary_.active_masks.size() && std::popcount(summary_.active_masks[n]) < 16;
    add_text(scene_, center(rect), std::string(1, letter), hatched ? theme_.text : text_on(look.fill),
             std::min(9.0f, mark_height()), Face::mono, Align::center, id, 0, smallest_type / 9);
  }

  void marks() {
    const auto first = static_cast<std::size_t>(range_.first), last = static_cast<std::size_t>(std::ceil(range_.last));
    for (int row = 0; row < warps_; ++row) {
      const int warp = options_.first_warp + row;
      const auto own = index_.of_warp(warp);
      const auto position = [&](std::size_t column) {
        if (options_.axis == TimelineAxis::instruction) return std::min(column, own.size());
        return index_.before(summary_, warp, static_cast<std::int64_t>(column));
      };
      for (std::size_t n = position(first); n < position(last); ++n)
        mark(own[n], row, options_.axis == TimelineAxis::instruction ? n : summary_.timeline[own[n]].step);
    }
  }

  /// Columns of the timeline as positions among the marks of a warp.
  std::size_t position_of(int warp, std::size_t column) const {
    return options_.axis == TimelineAxis::instruction
               ? column
               : index_.before(summary_, warp, static_cast<std::int64_t>(column));
  }
  MarkCounts counts_between(int warp, std::size_t first, std::size_t last) const {
    return index_.count(warp, position_of(warp, first), position_of(warp, std::max(last, first + 1)));
  }

  void folded() {
    const int columns = range_.folded_columns(), height = static_cast<int>(mark_height());
    std::vector<std::size_t> edges(static_cast<std::size_t>(columns) + 1);
    scene_.boxes.reserve(scene_.boxes.size() + static_cast<std::size_t>(columns) * warps_ * 4);
    for (int row = 0; row < warps_; ++row) {
      const int warp = options_.first_warp + row;
      const auto own = index_.of_warp(warp);
      for (int n = 0; n <= columns; ++n) edges[n] = std::min(position_of(warp, range_.folded(n)), own.size());
      const auto end_of = [&](int n) {
        const bool narrow = options_.axis == TimelineAxis::instruction && edges[n] == edges[n + 1];
        return std::min(edges[n + 1] + (narrow ? 1 : 0), own.size());
      };
      add_bands(scene_, {timeline_label_width, row_y(row) + 1}, height, columns, costly_y(row), theme_,
                [&](int n) { return index_.count(warp, edges[n], end_of(n)); });
      for (int n = 0; n < columns; ++n) {
        if (edges[n] >= end_of(n)) continue;
        const Id id{.kind = Id::Kind::timeline_span,
                    .a = static_cast<int>(summary_.timeline[own[edges[n]]].step),
                    .b = static_cast<int>(summary_.timeline[own[end_of(n) - 1]].step),
                    .c = warp};
        scene_.boxes.push_back(
            {.id = id,
             .rect = {timeline_label_width + static_cast<float>(n) * fold_px, row_y(row) + 1, fold_px, mark_height()}});
      }
    }
  }

  // --- above the rows ---

  /// A bracket over the iteration of the innermost loop that the step is in.
  void iteration() {
    if (summary_.loops.empty() || step_ < 0) return;
    const std::int64_t mark = index_.mark_at(summary_, step_);
    if (mark < 0) return;
    const int warp = summary_.timeline[static_cast<std::size_t>(mark)].warp;
    const auto around = iterations_at(summary_, index_, warp, step_);
    if (around.empty()) return;
    const double first = static_cast<double>(column_of(around.front().first_step)),
                 last = static_cast<double>(column_of(around.front().last_step)) + 1;
    if (last <= range_.first || first >= range_.last) return;
    const float y = at_.ruler_top + ruler_px - 2, from = range_.x(std::max(first, range_.first)),
                to = std::max(range_.x(std::min(last, range_.last)), from + 2);
    const auto line = [&](Point a, Point b) { add_line(scene_, a, b, theme_.text, 2); };
    line({from, y}, {to, y});
    if (first >= range_.first) line({from, y - 5}, {from, y + 1});
    if (last <= range_.last) line({to, y - 5}, {to, y + 1});
  }

  /// Where the steps are that a search found: ticks at the upper edge of the ruler.
  void hits() {
    if (options_.hits.empty()) return;
    std::vector<bool> found(static_cast<std::size_t>(range_.folded_columns()) + 1);
    for (const std::uint32_t step : options_.hits) {
      const std::int64_t column = column_of(step);
      const auto at = (static_cast<double>(column) + 0.5 - range_.first) * range_.pitch / fold_px;
      if (column >= 0 && at >= 0 && at < static_cast<double>(found.size())) found[static_cast<std::size_t>(at)] = true;
    }
    for (std::size_t n = 0; n < found.size();) {
      std::size_t end = n;
      while (end < found.size() && found[end]) ++end;
      if (end > n)
        add_box(scene_,
                {timeline_label_width + static_cast<float>(n) * fold_px, at_.ruler_top - 1,
                 static_cast<float>(end - n) * fold_px, 3},
                theme_.accent);
      n = end + 1;
    }
  }

  /// At the first probe on the first line after its rows (or after the line after which it holds) that has one, else at
  /// the first instruction there.
  std::int64_t mark_of_claim(const results::ClaimInfo& info) const {
    const bool later = info.result.verdict == claims::Verdict::holds && info.result.after_line > 0;
    const int last_line = later ? info.result.after_line : info.claim.last_line;
    for (const bool probes : {true, false}) {
      int line = 0;
      for (const trace::CodeSite& site : summary_.code) {
        if (probes && site.kind != StepKind::probe) continue;
        if (site.line > last_line && (line == 0 || site.line < line)) line = site.line;
      }
      if (line > 0) return index_.first_on_line(line, probes);
    }
    return -1;
  }

  /// A waiting warp, from its arrival to that of the last one; in execution order, where that takes columns.
  void waits(int row) {
    const int warp = options_.first_warp + row;
    const float h = std::max(mark_height() / 3, 3.0f), y = row_y(row) + 1 + (mark_height() - h) / 2;
    float drawn = -1;
    for (std::size_t n = 0; n < summary_.waits.size(); ++n) {
      const Wait& w = summary_.waits[n];
      if (w.warp != warp || w.kind == Wait::Kind::warp_sync) continue;
      const double from = w.from + 1.0, to = w.until < 0 ? range_.last : static_cast<double>(w.until) + 1;
      if (to <= range_.first || from >= range_.last) continue;
      const float left = std::max(range_.x(std::max(from, range_.first)), drawn),
                  right = range_.x(std::min(to, range_.last));
      if (right - left < 1.5f) continue;
      drawn = right;
      const Id id{.kind = Id::Kind::wait, .a = static_cast<int>(n)};
      scene_.boxes.push_back({.id = id,
                              .rect = {left, y, right - left, h},
                              .fill = theme_.cell_empty,
                              .stroke = theme_.step(StepKind::barrier),
                              .radius = 2,
                              .hatched = true});
    }
  }

  /// Where lanes of a warp diverge (a fork) and reconverge (a fork the other way round).
  void changes() {
    std::map<int, float> free_x;
    for (std::size_t n = 0; n < summary_.group_changes.size(); ++n) {
      const GroupChange& c = summary_.group_changes[n];
      const int row = row_of(c.warp);
      const std::int64_t column = row < 0 ? -1 : column_of(c.step);
      if (column < 0 || !in_range(static_cast<double>(column))) continue;
      const float x =
          range_.x(static_cast<double>(column) + (c.meets ? 0.0 : 1.0)) - (range_.pitch >= 10 ? 1.0f : 0.5f);
      const auto free = free_x.try_emplace(row, -1000.0f).first;
      if (x < free->second) continue;
      free->second = x + 7;
      const Id id{.kind = Id::Kind::group_change, .a = static_cast<int>(n)};
      fork(id, {x, row_y(row) + mark_height() / 2 + 1}, mark_height() / 2 + 1, c.meets, theme_.text);
      scene_.boxes.push_back({.id = id, .rect = {x - 2.5f, row_y(row), 5, mark_height()}});
    }
  }

  void fork(const Id& id, Point at, float half_height, bool reconverges, Color color) {
    const float wing = reconverges ? -3.5f : 3.5f;
    for (const float side : {-1.0f, 1.0f})
      add_line(scene_, {at.x - wing / 2, at.y}, {at.x + wing / 2, at.y + side * half_height}, color, 1.4f, id);
  }

  void claims() {
    for (std::size_t n = 0; n < summary_.claims.size(); ++n) {
      const std::int64_t mark = mark_of_claim(summary_.claims[n]);
      if (mark < 0) continue;
      const auto column = static_cast<double>(column_of(summary_.timeline[static_cast<std::size_t>(mark)].step));
      if (column < range_.first || column > range_.last) continue;
      const Id id{.kind = Id::Kind::timeline_claim, .a = static_cast<int>(n)};
      const claims::Verdict verdict = summary_.claims[n].result.verdict;
      const float x = range_.x(column) - 1, y = at_.rows_top - 6;
      add_line(scene_, {x, y}, {x, bottom()}, theme_.verdict(verdict), 1.6f, id);
      scene_.boxes.push_back({.id = id, .rect = {x - 5, y - 5, 10, 10}});
      add_verdict_sign(scene_, {}, {x, y}, 8, verdict, theme_);
    }
  }

  void problems() {
    std::map<std::pair<int, int>, const TimelineProblem*> worst;  // by row and column of pixels
    for (const TimelineProblem& problem : options_.problems) {
      const std::int64_t mark = index_.mark_at(summary_, problem.step), column = column_of(problem.step);
      if (mark < 0 || !in_range(static_cast<double>(column))) continue;
      const int row = row_of(summary_.timeline[static_cast<std::size_t>(mark)].warp);
      const float x = range_.x(static_cast<double>(column) + 0.5);
      const TimelineProblem*& at = worst[{row, static_cast<int>(x / fold_px)}];
      if (row >= 0 && (at == nullptr || problem.severity < at->severity)) at = &problem;
    }
    for (const auto& [place, problem] : worst) {
      if (problem == nullptr) continue;
      const Point at{range_.x(static_cast<double>(column_of(problem->step)) + 0.5) - (range_.pitch >= 10 ? 1.0f : 0.5f),
                     row_y(place.first) + options_.row_height / 2 - 1};
      const Color color = problem->severity == Severity::error     ? theme_.bad
                          : problem->severity == Severity::warning ? theme_.warn
                                                                   : theme_.text_dim;
      const bool filled = problem->severity == Severity::error;  // error: filled square; warning: ring; note: square
      add_box(scene_, {at.x - 5, at.y - 5, 10, 10}, filled ? color : theme_.panel,
              {.kind = Id::Kind::timeline_problem, .a = problem->number},
              problem->severity == Severity::warning ? 5.0f : 1.0f, filled ? theme_.panel : color, 2);
    }
  }

  void playhead() {
    const std::int64_t mark = index_.mark_at(summary_, step_);
    if (mark < 0) return;
    const double column = static_cast<double>(column_of(step_)) + 0.5;
    const int row = row_of(summary_.timeline[static_cast<std::size_t>(mark)].warp);
    if (column < range_.first || column > range_.last) return;
    const float x = range_.x(column) - (range_.pitch >= 10 ? 1.0f : 0.5f);
    const float y = at_.ruler_top + 4;
    const Id id{.kind = Id::Kind::playhead};
    add_box(scene_, {x - 4, y, 8, 9}, theme_.selected, id, 2);
    // Around the mark of its own warp the line is interrupted: that mark is outlined instead.
    const float from = row_y(row), to = from + options_.row_height - 2;
    const bool inside = row >= 0 && range_.pitch >= narrowest_mark;
    const auto stretch = [&](float a, float b) {
      if (b > a) add_line(scene_, {x, a}, {x, b}, theme_.selected, 1.6f, id);
    };
    stretch(y + 8, inside ? from - 2 : bottom() + 4);
    if (inside) stretch(to + 2, bottom() + 4);
  }

  void legend() {
    float y = legend_line / 2;
    for (const auto& row : timeline_legend(summary_, scene_.width, theme_)) {
      for (const auto& [x, sign] : row) legend_sign({x, y - 6, 13, 12}, sign);
      y += legend_line;
    }
  }

  void legend_sign(Rect r, const TimelineSign& sign) {
    add_text(scene_, {r.x + 19, r.y + 6}, std::string(sign.word), theme_.text_dim, type_px::note);
    if (sign.shape == TimelineSign::Shape::claim)
      return add_verdict_sign(scene_, {}, center(r), 8, sign.verdict, theme_);
    if (sign.shape == TimelineSign::Shape::diverge || sign.shape == TimelineSign::Shape::reconverge)
      return fork({}, center(r), r.h / 2, sign.shape == TimelineSign::Shape::reconverge, sign.stroke);
    if (sign.shape == TimelineSign::Shape::underline) r = {r.x, r.y + r.h - 2, r.w, 2};
    const Id id{.kind = Id::Kind::legend, .a = legend_id_++};
    scene_.boxes.push_back({.id = id,
                            .rect = r,
                            .fill = sign.fill,
                            .stroke = sign.stroke,
                            .radius = 2,
                            .hatched = sign.shape == TimelineSign::Shape::hatched});
    if (sign.letter != ' ')
      add_text(scene_, center(r), std::string(1, sign.letter), text_on(sign.fill), 9, Face::mono, Align::center);
  }

  const StepIndex& index_;
  TimelineGeometry at_;
  std::uint64_t columns_ = 0;
  TimelineRange range_;
  std::int64_t step_ = -1;
  int warp_ = 0, selected_line_ = -1, warps_ = 0, legend_id_ = 0;
};

}  // namespace

Scene timeline_view(const Summary& summary, const StepIndex& index, const Moment& moment, const Selection& selection,
                    const TimelineOptions& options, const Theme& theme) {
  if (summary.timeline.empty())
    return empty_view(timeline_width(options), 90, "There is no run yet. Correct the kernel or choose another one.",
                      theme);
  return TimelineDrawing(summary, index, moment, selection, options, theme).draw();
}

Scene timeline_view(const Summary& summary, const Moment& moment, const Selection& selection,
                    const TimelineOptions& options, const Theme& theme) {
  return timeline_view(summary, index_of(summary), moment, selection, options, theme);
}

}  // namespace lanescope::views
