// The timeline: a row per warp, a mark per instruction, folded to pixels where there are more marks than pixels.

#include "viz/views/costs/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using trace::StepKind;

struct KindLook {
  std::string_view word;
  char letter;
  float weight;  ///< of one mark where many share a pixel: what costs time or moves data must not drown
};
// Order of trace::StepKind.
constexpr std::array<KindLook, step_kind_count> looks{{{"other", ' ', 1},
                                                       {"load", 'L', 12},
                                                       {"store", 'S', 12},
                                                       {"move", 'M', 3},
                                                       {"shuffle", 'X', 12},
                                                       {"vote", 'V', 8},
                                                       {"barrier", 'B', 12},
                                                       {"branch", 'J', 2},
                                                       {"arithmetic", ' ', 2},
                                                       {"probe", ' ', 0.5f},
                                                       {"atomic", 'A', 12},
                                                       {"exit", 'E', 1}}};
const KindLook& look(StepKind kind) { return looks[static_cast<int>(kind)]; }

constexpr float timeline_label_width = 66, right_margin = 14, legend_height = 22, sign_height = 12, bottom_margin = 8;
constexpr float narrowest_mark = 4;  ///< px; narrower columns are folded
constexpr float fold_px = 2;

float view_width(const TimelineOptions& options) { return options.width > 0 ? options.width : 1200; }

struct Range {
  double first = 0, last = 1;
  float pitch = 1;  ///< pixels per column
  float x(double column) const { return timeline_label_width + static_cast<float>((column - first) * pitch); }
};

Range range_of(const Summary& summary, const TimelineOptions& options) {
  Range range{.first = std::max(options.first, 0.0), .last = options.last};
  if (range.last < 0) range.last = static_cast<double>(timeline_columns(summary, options.axis));
  range.last = std::max(range.last, range.first + 1);
  const float room = std::max(view_width(options) - timeline_label_width - right_margin, 32.0f);
  // A short kernel is not stretched over the whole width: marks stay marks.
  range.pitch = std::min(static_cast<float>(room / (range.last - range.first)), 24.0f);
  return range;
}

/// Walks the marks with their column; the one place that knows what a column is.
template <class Each>
void each_mark(const Summary& summary, TimelineAxis axis, const Range& range, Each each) {
  if (axis == TimelineAxis::step) {  // ascending: only the visible ones are looked at
    auto mark = std::lower_bound(summary.timeline.begin(), summary.timeline.end(), range.first,
                                 [](const TimelineMark& m, double first) { return m.step + 1 <= first; });
    for (; mark != summary.timeline.end() && mark->step < range.last; ++mark) each(*mark, std::uint64_t{mark->step});
    return;
  }
  std::vector<std::uint64_t> columns(std::max<std::size_t>(summary.warps, 1), 0);
  for (const TimelineMark& mark : summary.timeline) {
    if (mark.warp >= columns.size()) columns.resize(mark.warp + 1u, 0);
    each(mark, columns[mark.warp]++);
  }
}

/// The position of a claim: the first probe on the first line after its rows that has one.
struct ClaimPlace {
  int line = 0;
  bool at_probe = false;
  std::int64_t column = -1;
};

std::vector<ClaimPlace> claim_places(const Summary& summary) {
  std::vector<ClaimPlace> places;
  for (const ClaimInfo& info : summary.claims) {
    ClaimPlace place;
    for (const bool probes : {true, false}) {
      for (const trace::CodeSite& site : summary.code) {
        if (probes && site.kind != StepKind::probe) continue;
        if (site.line > info.claim.last_line && (place.line == 0 || site.line < place.line)) place.line = site.line;
      }
      place.at_probe = probes;
      if (place.line > 0) break;
    }
    places.push_back(place);
  }
  return places;
}

class TimelineDrawing {
 public:
  TimelineDrawing(const Summary& summary, const Moment& moment, const Selection& selection,
                  const TimelineOptions& options, const Theme& theme)
      : summary_(summary),
        theme_(theme),
        options_(options),
        range_(range_of(summary, options)),
        step_(selection.step >= 0 ? selection.step : moment.step),
        selected_line_(selection.line),
        claims_(claim_places(summary)) {
    warps_ = std::min(std::max(static_cast<int>(summary.warps) - options.first_warp, 0), options.most_warps);
    top_ = (options.legend ? legend_height : 4.0f) + sign_height;
  }

  Scene draw() {
    scene_.width = view_width(options_);
    scene_.height = top_ + static_cast<float>(warps_) * options_.row_height + bottom_margin;
    rows();
    if (range_.pitch >= narrowest_mark)
      marks();
    else
      folded();
    claims();
    playhead();
    if (options_.legend) legend();
    return std::move(scene_);
  }

 private:
  float row_y(int row) const { return top_ + static_cast<float>(row) * options_.row_height; }
  float bottom() const { return row_y(warps_); }

  void rows() {
    for (int row = 0; row < warps_; ++row) {
      const int warp = options_.first_warp + row;
      const Id id{.kind = Id::Kind::timeline_row, .a = warp};
      scene_.boxes.push_back(
          {.id = id, .rect = {0, row_y(row), scene_.width, options_.row_height}, .fill = {}, .stroke = {}});
      add_text(scene_, {timeline_label_width - 12, row_y(row) + options_.row_height / 2 - 1},
               fmt::format("warp {}", warp), theme_.text_dim, std::min(type_px::code, options_.row_height - 2),
               Face::mono, Align::right, id);
    }
  }

  void place_claims(const TimelineMark& mark, std::uint64_t column) {
    for (ClaimPlace& claim : claims_) {
      if (claim.column >= 0 || mark.line != claim.line || (claim.at_probe && mark.kind != StepKind::probe)) continue;
      claim.column = static_cast<std::int64_t>(column);
      --unplaced_claims_;
    }
  }

  /// The row of a mark, or -1; also records the positions of claims and of the playhead.
  int note(const TimelineMark& mark, std::uint64_t column) {
    if (unplaced_claims_ > 0) place_claims(mark, column);
    const int row = static_cast<int>(mark.warp) - options_.first_warp;
    if (mark.step == step_) playhead_column_ = static_cast<std::int64_t>(column), playhead_row_ = row;
    const auto at = static_cast<double>(column);
    return row >= 0 && row < warps_ && at + 1 > range_.first && at < range_.last ? row : -1;
  }

  Rect mark_rect(int row, double column) const {
    const float gap = range_.pitch >= 10 ? 2.0f : 1.0f;
    return {range_.x(column), row_y(row) + 1, range_.pitch - gap, options_.row_height - 4};
  }

  void marks() {
    each_mark(summary_, options_.axis, range_, [&](const TimelineMark& mark, std::uint64_t column) {
      const int row = note(mark, column);
      if (row < 0) return;
      const Id id{.kind = Id::Kind::timeline_step, .a = static_cast<int>(mark.step)};
      const Rect rect = mark_rect(row, static_cast<double>(column));
      const bool quiet = mark.kind == StepKind::probe;
      scene_.boxes.push_back({.id = id,
                              .rect = quiet ? inset(rect, rect.w > 6 ? 2.0f : 1.0f) : rect,
                              .fill = quiet ? Color{} : theme_.step(mark.kind),
                              .stroke = quiet ? theme_.border : Color{},
                              .radius = 2});
      if (mark.step == step_) {
        add_selection(scene_, id, rect, theme_);
      } else if (mark.line > 0 && mark.line == selected_line_) {
        scene_.outlines.push_back(
            {.id = id, .rect = rect, .fill = {}, .stroke = theme_.changed, .stroke_width = 1.2f, .radius = 2});
      }
      const char letter = look(mark.kind).letter;
      if (letter == ' ' || rect.w < 9) return;
      scene_.labels.push_back({.id = id,
                               .at = center(rect),
                               .text = std::string(1, letter),
                               .color = text_on(theme_.step(mark.kind)),
                               .face = Face::mono,
                               .size = 9,
                               .align = Align::center,
                               .min_scale = smallest_type / 9});
    });
  }

  // More columns than pixels: each stretch of two pixels takes the colour of the weightiest kind in it.
  void folded() {
    struct Bucket {
      std::array<float, step_kind_count> weights{};
      std::array<std::int32_t, step_kind_count> first_step{};
    };
    const int buckets = static_cast<int>(std::ceil((range_.last - range_.first) * range_.pitch / fold_px));
    std::vector<Bucket> all(static_cast<std::size_t>(warps_) * buckets);
    each_mark(summary_, options_.axis, range_, [&](const TimelineMark& mark, std::uint64_t column) {
      const int row = note(mark, column);
      if (row < 0) return;
      const int at = std::clamp(static_cast<int>((static_cast<double>(column) - range_.first) * range_.pitch / fold_px),
                                0, buckets - 1);
      Bucket& bucket = all[static_cast<std::size_t>(row) * buckets + at];
      const int kind = static_cast<int>(mark.kind);
      if (bucket.weights[kind] == 0) bucket.first_step[kind] = static_cast<std::int32_t>(mark.step);
      bucket.weights[kind] += looks[kind].weight;
    });
    for (int row = 0; row < warps_; ++row) {
      for (int at = 0; at < buckets;) {
        const Bucket& bucket = all[static_cast<std::size_t>(row) * buckets + at];
        const int kind = heaviest(bucket.weights);
        int end = at + 1;
        while (end < buckets && heaviest(all[static_cast<std::size_t>(row) * buckets + end].weights) == kind) ++end;
        if (kind >= 0) {
          scene_.boxes.push_back({.id = {.kind = Id::Kind::timeline_step, .a = bucket.first_step[kind]},
                                  .rect = {timeline_label_width + static_cast<float>(at) * fold_px, row_y(row) + 1,
                                           static_cast<float>(end - at) * fold_px, options_.row_height - 4},
                                  .fill = theme_.steps[kind],
                                  .stroke = {}});
        }
        at = end;
      }
    }
  }

  static int heaviest(const std::array<float, step_kind_count>& weights) {
    const auto most = std::max_element(weights.begin(), weights.end());
    return *most > 0 ? static_cast<int>(most - weights.begin()) : -1;
  }

  void claims() {
    for (std::size_t n = 0; n < claims_.size(); ++n) {
      const auto column = static_cast<double>(claims_[n].column);
      if (claims_[n].column < 0 || column < range_.first || column > range_.last) continue;
      const Id id{.kind = Id::Kind::timeline_claim, .a = static_cast<int>(n)};
      const claims::Verdict verdict = summary_.claims[n].result.verdict;
      const float x = range_.x(column) - 1, y = top_ - sign_height / 2;
      scene_.lines.push_back(
          {.id = id, .from = {x, y}, .to = {x, bottom()}, .color = theme_.verdict(verdict), .width = 1.6f});
      scene_.boxes.push_back({.id = id, .rect = {x - 5, y - 5, 10, 10}, .fill = {}, .stroke = {}});
      add_verdict_sign(scene_, {}, {x, y}, 8, verdict, theme_);
    }
  }

  void playhead() {
    if (playhead_column_ < 0) return;
    const double column = static_cast<double>(playhead_column_) + 0.5;
    if (column < range_.first || column > range_.last) return;
    const float x = range_.x(column) - (range_.pitch >= 10 ? 1.0f : 0.5f);
    const float y = top_ - sign_height;
    const Id id{.kind = Id::Kind::playhead};
    scene_.boxes.push_back({.id = id, .rect = {x - 4, y, 8, 9}, .fill = theme_.selected, .stroke = {}, .radius = 2});
    // Around the mark of its own warp the line is interrupted: that mark is outlined instead.
    const float from = row_y(playhead_row_), to = from + options_.row_height - 2;
    const bool inside = playhead_row_ >= 0 && playhead_row_ < warps_ && range_.pitch >= narrowest_mark;
    const auto stretch = [&](float a, float b) {
      if (b > a)
        scene_.lines.push_back({.id = id, .from = {x, a}, .to = {x, b}, .color = theme_.selected, .width = 1.6f});
    };
    stretch(y + 8, inside ? from - 2 : bottom() + 4);
    if (inside) stretch(to + 2, bottom() + 4);
  }

  void legend() {
    std::array<bool, step_kind_count> present{};
    for (const trace::CodeSite& site : summary_.code) present[static_cast<int>(site.kind)] = true;
    float x = scene_.width - right_margin;
    const float y = legend_height / 2;
    const auto entry = [&](std::string_view word, auto draw_sign) {
      x -= sans_width(word, type_px::note);
      add_text(scene_, {x, y}, std::string(word), theme_.text_dim, type_px::note, Face::sans, Align::left);
      x -= 19;
      draw_sign(Rect{x, y - 6, 13, 12});
      x -= 16;
    };
    if (!summary_.claims.empty()) {
      entry("claim", [&](Rect r) { add_verdict_sign(scene_, {}, center(r), 8, claims::Verdict::holds, theme_); });
    }
    for (StepKind kind : {StepKind::probe, StepKind::arithmetic, StepKind::branch, StepKind::atomic, StepKind::barrier,
                          StepKind::vote, StepKind::store, StepKind::shuffle, StepKind::move, StepKind::load}) {
      if (!present[static_cast<int>(kind)]) continue;
      entry(look(kind).word, [&](Rect r) {
        const bool quiet = kind == StepKind::probe;
        scene_.boxes.push_back({.id = {.kind = Id::Kind::legend, .a = static_cast<int>(kind)},
                                .rect = r,
                                .fill = quiet ? Color{} : theme_.step(kind),
                                .stroke = quiet ? theme_.border : Color{},
                                .radius = 2});
        if (look(kind).letter == ' ') return;
        add_text(scene_, center(r), std::string(1, look(kind).letter), text_on(theme_.step(kind)), 9, Face::mono,
                 Align::center);
      });
    }
  }

  const Summary& summary_;
  const Theme& theme_;
  const TimelineOptions& options_;
  Range range_;
  std::int64_t step_ = -1;
  int selected_line_ = -1;
  std::vector<ClaimPlace> claims_;
  std::size_t unplaced_claims_ = claims_.size();
  int warps_ = 0;
  float top_ = 0;
  std::int64_t playhead_column_ = -1;
  int playhead_row_ = -1;
  Scene scene_;
};

}  // namespace

std::string_view step_kind_name(StepKind kind) { return look(kind).word; }

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

std::int64_t timeline_step_at(const Summary& summary, const TimelineOptions& options, int warp, float x) {
  if (summary.timeline.empty()) return -1;
  const Range range = range_of(summary, options);
  const double column =
      std::clamp(range.first + (x - timeline_label_width) / range.pitch, range.first, range.last - 0.001);
  const auto wanted = static_cast<std::uint64_t>(column);
  std::int64_t found = -1;
  each_mark(summary, options.axis, range, [&](const TimelineMark& mark, std::uint64_t at) {
    if (options.axis == TimelineAxis::instruction && mark.warp != warp) return;
    if (at <= wanted) found = mark.step;
  });
  return found;
}

Scene timeline_view(const Summary& summary, const Moment& moment, const Selection& selection,
                    const TimelineOptions& options, const Theme& theme) {
  if (summary.timeline.empty()) {
    return empty_view(view_width(options), 90, "There is no run yet. Correct the kernel or choose another one.", theme);
  }
  return TimelineDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
