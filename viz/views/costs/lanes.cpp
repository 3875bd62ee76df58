#include "viz/views/costs/warps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/base/drawing.h"
#include "viz/views/costs/timeline_bands.h"

namespace lanescope::views {
namespace {

constexpr float lanes_margin = 12, lanes_label_width = 66, lanes_right = 14, lanes_heading_height = 26,
                lanes_signs_height = 34, lanes_ruler_height = 17, lanes_event_row = 19, lanes_event_heading = 24,
                lanes_legend_height = 22;
constexpr float lanes_least = 4, lanes_most = 12, lanes_widest = 24, lanes_narrowest = 4;
constexpr int lane_count = 32;

/// State of a lane in a column of the raster.
enum class LaneState : std::uint8_t { ended, apart, waits, some, active };

struct LaneColumn {
  std::size_t first = 0, last = 0;  ///< instructions of the warp, half open
  std::uint32_t always = 0, ever = 0;
  int kind = -1;  ///< of its one mark; -1: several
  std::int64_t step = -1;
};

/// A line of the list: a change or a wait, by its first step.
struct LaneEvent {
  std::int64_t step = -1;
  Id id{};
  std::string text{};
  bool wait = false;
};

class LanesDrawing : Drawing<LanesOptions> {
 public:
  LanesDrawing(const Summary& summary, const StepIndex& index, const Moment& moment, const Selection& selection,
               const LanesOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        marks_(index.of_warp(options.warp)),
        index_(index),
        step_(selection.step >= 0 ? selection.step : moment.step) {
    scene_.width = options.width > 0 ? options.width : 960;
    gather_events();
    gather_columns();
  }

  Scene draw() {
    heading();
    const float below = lanes_event_heading + lanes_legend_height +
                        lanes_event_row * static_cast<float>(std::min<std::size_t>(events_.size(), 3));
    lane_h_ = 8;
    if (options_.height > 0)
      lane_h_ = std::clamp(
          (options_.height - lanes_heading_height - signs_height() - lanes_ruler_height - below) / lane_count,
          lanes_least, lanes_most);
    lane_h_ = std::floor(lane_h_ * 2) / 2;
    top_ = lanes_heading_height + signs_height();
    lane_labels();
    raster();
    waits();
    changes();
    ruler();
    step_mark();
    float y = top_ + lane_h_ * lane_count + lanes_ruler_height + 4;
    y = legend(y + lanes_legend_height / 2);
    y = list(y);
    scene_.height = y + 6;
    return std::move(scene_);
  }

 private:
  /// One line for divergences, and one above it for waits, where there are any.
  float signs_height() const { return own_waits_.empty() ? 20.0f : lanes_signs_height; }
  float x_of(double instruction) const { return lanes_label_width + static_cast<float>(instruction - first_) * pitch_; }
  float lane_y(int lane) const { return top_ + lane_h_ * static_cast<float>(lane); }
  /// The instruction of the warp at a step, or the first one after it.
  std::size_t instruction_at(std::int64_t step) const {
    const auto at = std::ranges::partition_point(
        marks_, [&](std::uint32_t m) { return std::int64_t{summary_.timeline[m].step} < step; });
    return static_cast<std::size_t>(at - marks_.begin());
  }
  bool in_sight(double instruction) const { return instruction >= first_ - 1e-6 && instruction <= last_ + 1e-6; }

  void gather_events() {
    for (std::size_t n = 0; n < summary_.group_changes.size(); ++n) {
      const GroupChange& c = summary_.group_changes[n];
      if (c.warp == options_.warp)
        events_.push_back(
            {c.step, {.kind = Id::Kind::group_change, .a = static_cast<int>(n)}, change_words(summary_, c), false});
    }
    for (std::size_t n = 0; n < summary_.waits.size(); ++n) {
      const Wait& w = summary_.waits[n];
      if (w.warp == options_.warp) own_waits_.push_back(&w);
      if (w.warp == options_.warp)
        events_.push_back({w.from, {.kind = Id::Kind::wait, .a = static_cast<int>(n)}, wait_words(summary_, w), true});
    }
    std::ranges::stable_sort(events_, {}, &LaneEvent::step);
  }

  void gather_columns() {
    const float room = scene_.width - lanes_label_width - lanes_right;
    const double end = static_cast<double>(marks_.size());
    first_ = std::clamp(options_.first, 0.0, std::max(end - 1, 0.0));
    last_ = std::max(options_.last < 0 ? end : std::min(options_.last, end), first_ + 1);
    pitch_ = std::min(room / static_cast<float>(last_ - first_), lanes_widest);
    const double each = pitch_ >= lanes_narrowest ? 1 : std::ceil((last_ - first_) * lanes_narrowest / room);
    for (double at = std::floor(first_); at < last_; at += each) {
      LaneColumn c{.first = static_cast<std::size_t>(at),
                   .last = std::min(static_cast<std::size_t>(at + each), marks_.size()),
                   .always = ~0u};
      for (std::size_t n = c.first; n < c.last; ++n) {
        const std::uint32_t mask = summary_.active_masks[marks_[n]];
        c.always &= mask, c.ever |= mask;
      }
      if (c.last <= c.first) break;
      c.kind = c.last - c.first == 1 ? index_.kind(marks_[c.first]) : -1;
      c.step = summary_.timeline[marks_[c.first]].step;
      columns_.push_back(c);
    }
    // A lane has ended after its last instruction.
    for (std::size_t n = 0; n < marks_.size(); ++n)
      for (std::uint32_t rest = summary_.active_masks[marks_[n]]; rest != 0; rest &= rest - 1)
        ends_[static_cast<std::size_t>(std::countr_zero(rest))] = n + 1;
  }

  void heading() {
    add_text(scene_, {lanes_margin, 13}, fmt::format("Warp {}", options_.warp), theme_.text, type_px::title,
             Face::sans_bold);
    std::uint64_t lanes = 0;
    for (const std::uint32_t m : marks_) lanes += static_cast<std::uint64_t>(std::popcount(summary_.active_masks[m]));
    const double mean = static_cast<double>(lanes) / static_cast<double>(std::max<std::size_t>(marks_.size(), 1));
    const auto divergences = std::ranges::count_if(
        summary_.group_changes, [&](const GroupChange& c) { return c.warp == options_.warp && !c.meets; });
    const auto waits = std::ranges::count(summary_.waits, options_.warp, &Wait::warp);
    const std::string words = fmt::format(
        "{} · {:.1f} of 32 lanes active on average · diverges {} · waits {}", counted(marks_.size(), "instruction"),
        lanes < marks_.size() * 32 ? std::min(mean, 31.9) : mean, times(divergences), times(waits));
    add_text(scene_, {lanes_margin + 64, 13}, words, theme_.text_dim, type_px::note, Face::sans, Align::left, {},
             scene_.width - lanes_margin - 76);
  }

  static std::string times(std::ptrdiff_t n) {
    return n == 0 ? "never" : n == 1 ? "once" : spaced(static_cast<std::uint64_t>(n)) + " times";
  }

  void lane_labels() {
    for (int lane = 0; lane < lane_count; ++lane) {
      scene_.boxes.push_back({.id = {.kind = Id::Kind::lane_row, .a = options_.warp, .c = lane},
                              .rect = {0, lane_y(lane), lanes_label_width, lane_h_}});
      if (lane % (lane_h_ >= 9 ? 4 : 8) != 0 && lane != 31) continue;
      add_text(scene_, {lanes_label_width - 12, lane_y(lane) + lane_h_ / 2},
               lane == 0 ? "lane 0" : std::to_string(lane), theme_.text_dim, type_px::tiny, Face::mono, Align::right);
    }
    for (int lane = 0; lane <= lane_count; lane += 8)
      add_line(scene_, {lanes_label_width - 6, lane_y(lane)},
               {lanes_label_width + static_cast<float>(last_ - first_) * pitch_, lane_y(lane)}, theme_.border);
  }

  /// Lanes that wait while this instruction of others runs.
  std::uint32_t waiting_at(std::int64_t step) const {
    std::uint32_t lanes = 0;
    for (const Wait* w : own_waits_) {
      if (std::int64_t{w->from} >= step) break;
      if (w->until < 0 || step <= w->until) lanes |= w->lanes;
    }
    return lanes;
  }

  void raster() {
    for (const LaneColumn& c : columns_) {
      std::array<LaneState, lane_count> states{};
      const std::uint32_t waiting = c.ever == ~0u ? 0 : waiting_at(c.step);
      for (int lane = 0; lane < lane_count; ++lane) {
        LaneState& s = states[static_cast<std::size_t>(lane)];
        if ((c.always >> lane & 1) != 0)
          s = LaneState::active;
        else if ((c.ever >> lane & 1) != 0)
          s = LaneState::some;
        else if (ends_[static_cast<std::size_t>(lane)] <= c.first)
          s = LaneState::ended;
        else
          s = (waiting >> lane & 1) != 0 ? LaneState::waits : LaneState::apart;
        seen_[static_cast<std::size_t>(s)] = true;
      }
      const float x = x_of(static_cast<double>(c.first)), right = x_of(static_cast<double>(c.last));
      const float gap = pitch_ >= 8 ? 1.5f : pitch_ >= lanes_narrowest ? 1.0f : 0.0f;
      for (int lane = 0; lane < lane_count;) {
        int end = lane + 1;
        while (end < lane_count && states[static_cast<std::size_t>(end)] == states[static_cast<std::size_t>(lane)])
          ++end;
        cell(c, states[static_cast<std::size_t>(lane)],
             {x, lane_y(lane) + 0.5f, right - x - gap, lane_h_ * static_cast<float>(end - lane) - 1});
        lane = end;
      }
    }
  }

  void cell(const LaneColumn& c, LaneState state, Rect r) {
    const Id id{.kind = Id::Kind::timeline_step, .a = static_cast<int>(c.step)};
    switch (state) {
      case LaneState::ended:
        return;
      case LaneState::apart:  // a thin line for each lane: what is solid is active
        scene_.boxes.push_back({.id = id, .rect = r});
        for (float y = r.y + lane_h_ / 2 - 1; y < r.y + r.h; y += lane_h_)
          add_box(scene_, {r.x, y, r.w, 1}, theme_.text_faint);
        return;
      case LaneState::waits:
        scene_.boxes.push_back({.id = id, .rect = r, .fill = theme_.cell_empty, .hatched = true});
        return;
      case LaneState::some:
        add_box(scene_, r, theme_.cell_plain, id);
        return;
      case LaneState::active:
        break;
    }
    const MarkFill look =
        c.kind >= 0 ? mark_fill(theme_, c.kind) : MarkFill{.fill = theme_.step(trace::StepKind::arithmetic)};
    const Color fill = c.kind >= 0 && look.fill.rgba == 0 ? theme_.cell_plain : look.fill;
    add_box(scene_, r, fill, id, 1.5f, look.stroke);
    const char letter = c.kind >= 0 ? mark_look(c.kind).letter : ' ';
    if (letter == ' ' || r.w < 9 || r.h < 11) return;
    add_text(scene_, center(r), std::string(1, letter), text_on(fill), 9, Face::mono, Align::center, id, 0,
             smallest_type / 9);
  }

  /// Where lanes wait, a bar at the side of those lanes and a sign above.
  void waits() {
    float free_x = -1000;
    for (std::size_t n = 0; n < summary_.waits.size(); ++n) {
      const Wait& w = summary_.waits[n];
      if (w.warp != options_.warp) continue;
      const double at = static_cast<double>(instruction_at(w.from)) + 1;
      if (!in_sight(at)) continue;
      const Id id{.kind = Id::Kind::wait, .a = static_cast<int>(n)};
      const float x = x_of(at) - (pitch_ >= 8 ? 1.0f : 0.5f);
      for (int lane = 0; lane < lane_count;) {
        int end = lane;
        while (end < lane_count && (w.lanes >> end & 1) != 0) ++end;
        if (end > lane)
          add_box(scene_, {x - 2, lane_y(lane), 4, lane_h_ * static_cast<float>(end - lane)},
                  theme_.step(trace::StepKind::barrier), id, 2, theme_.panel);
        lane = std::max(end, lane + 1);
      }
      const std::uint64_t steps = w.until < 0 ? 0 : static_cast<std::uint64_t>(w.until) - w.from;
      const std::string words = w.until < 0 ? "waits for ever" : fmt::format("waits {}", counted(steps, "step"));
      if (x < free_x) continue;
      add_text(scene_, {x - 2, lanes_heading_height + 9}, words, theme_.text, type_px::tiny, Face::sans, Align::left,
               id);
      add_line(scene_, {x, lanes_heading_height + 15}, {x, top_}, theme_.step(trace::StepKind::barrier), 1.3f, id);
      free_x = x + sans_width(words, type_px::tiny) + 10;
    }
  }

  /// A line down the lanes where they diverge (solid) or reconverge (dashed), with the number on either side above.
  void changes() {
    float free_x = -1000;
    for (std::size_t n = 0; n < summary_.group_changes.size(); ++n) {
      const GroupChange& c = summary_.group_changes[n];
      if (c.warp != options_.warp) continue;
      const std::size_t mark = instruction_at(c.step);
      // Lanes diverge after a branch, and before an instruction that only some of them run.
      const bool later = !c.meets && mark < marks_.size() && summary_.active_masks[marks_[mark]] == c.lanes;
      const double at = static_cast<double>(mark) + (later ? 1 : 0);
      if (!in_sight(at)) continue;
      const Id id{.kind = Id::Kind::group_change, .a = static_cast<int>(n)};
      const float x = x_of(at) - (pitch_ >= 8 ? 0.75f : 0.5f);
      add_line(scene_, {x, top_ - 8}, {x, lane_y(lane_count)}, theme_.text, c.meets ? 1.0f : 1.4f, id, c.meets);
      scene_.boxes.push_back({.id = id, .rect = {x - 5, top_ - 12, 10, 12}});
      const std::string words = c.meets ? fmt::format("= {}", std::popcount(c.lanes))
                                        : fmt::format("{}|{}", std::popcount(c.part), std::popcount(c.lanes & ~c.part));
      if (x < free_x) continue;
      add_text(scene_, {x, top_ - 13}, words, theme_.text, type_px::tiny, Face::mono, Align::center, id);
      free_x = x + (static_cast<float>(columns(words)) + 1.5f) * type_px::tiny * mono_advance;
    }
  }

  void ruler() {
    const float y = lane_y(lane_count) + 3;
    add_text(scene_, {lanes_label_width - 12, y + 8}, "instructions", theme_.text_dim, type_px::tiny, Face::sans,
             Align::right);
    double distance = 1;
    for (int n = 0; distance * pitch_ < 72; ++n) distance *= n % 3 == 1 ? 2.5 : 2;
    for (double at = std::ceil(first_ / distance) * distance; at <= last_; at += distance) {
      add_line(scene_, {x_of(at), y}, {x_of(at), y + 3}, theme_.text_faint);
      add_text(scene_, {x_of(at), y + 9}, spaced(static_cast<std::uint64_t>(at)), theme_.text_dim, type_px::tiny,
               Face::mono, Align::center);
    }
  }

  void step_mark() {
    const std::size_t n = instruction_at(step_);
    if (n >= marks_.size() || std::int64_t{summary_.timeline[marks_[n]].step} != step_ ||
        !in_sight(static_cast<double>(n)))
      return;
    const Rect r{x_of(static_cast<double>(n)), top_, std::max(pitch_ - 1.5f, 2.0f), lane_h_ * lane_count};
    add_selection(scene_, {.kind = Id::Kind::playhead}, r, theme_, 2);
  }

  float legend(float y) {
    float x = lanes_label_width;
    const auto entry = [&](const Box& look, const std::string& words) {
      Box sign = look;
      sign.rect = {x, y - 5, 12, 10};
      scene_.boxes.push_back(sign);
      add_text(scene_, {x + 18, y}, words, theme_.text_dim, type_px::note);
      x += 18 + sans_width(words, type_px::note) + 16;
    };
    const auto seen = [&](LaneState s) { return seen_[static_cast<std::size_t>(s)]; };
    if (seen(LaneState::active)) entry({.fill = theme_.step(trace::StepKind::arithmetic), .radius = 1.5f}, "active");
    if (seen(LaneState::some)) entry({.fill = theme_.cell_plain}, "active in some of the column");
    if (seen(LaneState::apart)) {
      add_box(scene_, {x, y - 0.5f, 12, 1}, theme_.text_faint);
      add_text(scene_, {x + 18, y}, "not active", theme_.text_dim, type_px::note);
      x += 18 + sans_width("not active", type_px::note) + 16;
    }
    if (seen(LaneState::waits)) entry({.fill = theme_.cell_empty, .hatched = true}, "waits");
    if (seen(LaneState::ended)) entry({.stroke = theme_.border}, "has ended");
    if (std::ranges::any_of(events_, [](const LaneEvent& e) { return e.wait; }) && x < scene_.width - 150)
      entry({.fill = theme_.step(trace::StepKind::barrier), .radius = 2}, "waits from here");
    if (std::ranges::any_of(events_, [](const LaneEvent& e) { return !e.wait; }) && x < scene_.width - 250) {
      add_text(scene_, {x, y}, "16|16: diverge", theme_.text_dim, type_px::note);
      add_text(scene_, {x + 80, y}, "= 32: reconverge", theme_.text_dim, type_px::note);
    }
    return y + lanes_legend_height / 2;
  }

  /// In words, those around the step.
  float list(float y) {
    if (events_.empty()) {
      add_text(scene_, {lanes_margin, y + lanes_event_heading / 2},
               "The lanes of this warp never part, and none of them waits.", theme_.text_dim, type_px::note);
      return y + lanes_event_heading;
    }
    const auto room = options_.height > 0
                          ? static_cast<std::size_t>(
                                std::max((options_.height - y - lanes_event_heading - 4) / lanes_event_row, 2.0f))
                          : 100;
    const std::size_t shown = std::min({events_.size(), room, static_cast<std::size_t>(options_.most_events)});
    const auto near = std::ranges::lower_bound(events_, step_, {}, &LaneEvent::step);
    auto first = static_cast<std::size_t>(near - events_.begin());
    first = std::min(first - std::min(first, shown / 2), events_.size() - shown);
    const std::string words = shown < events_.size()
                                  ? fmt::format("Events {} to {} of {}", first + 1, first + shown, events_.size())
                                  : counted(events_.size(), "event");
    add_text(scene_, {lanes_margin, y + lanes_event_heading / 2 + 2}, words, theme_.text, type_px::note,
             Face::sans_bold);
    y += lanes_event_heading;
    for (std::size_t n = first; n < first + shown; ++n) {
      const LaneEvent& e = events_[n];
      add_box(scene_, {0, y, scene_.width, lanes_event_row}, e.step == step_ ? theme_.row_highlight : Color{}, e.id);
      add_text(scene_, {lanes_margin, y + lanes_event_row / 2}, capitalised(e.text), theme_.text_dim, type_px::note,
               Face::sans, Align::left, e.id, scene_.width - 2 * lanes_margin);
      y += lanes_event_row;
    }
    return y;
  }

  std::span<const std::uint32_t> marks_;  ///< of the warp, into Summary::timeline
  const StepIndex& index_;
  std::int64_t step_ = -1;
  double first_ = 0, last_ = 1;
  float pitch_ = 1, lane_h_ = 8, top_ = 0;
  std::vector<LaneColumn> columns_;
  std::array<std::size_t, lane_count> ends_{};
  std::array<bool, 5> seen_{};
  std::vector<LaneEvent> events_;
  std::vector<const Wait*> own_waits_;  ///< ascending `from`
};

}  // namespace

LanesGeometry lanes_geometry(const LanesOptions& options) {
  const float width = options.width > 0 ? options.width : 960;
  return {.left = lanes_label_width, .width = width - lanes_label_width - lanes_right};
}

Scene lanes_view(const Summary& summary, const StepIndex& index, const Moment& moment, const Selection& selection,
                 const LanesOptions& options, const Theme& theme) {
  const bool known = summary.active_masks.size() == summary.timeline.size() && !summary.timeline.empty();
  if (!known || index.of_warp(options.warp).empty())
    return empty_view(options.width > 0 ? options.width : 960, 90,
                      "There are no active lanes to show yet. Run the kernel to see which lanes run together.", theme);
  return LanesDrawing(summary, index, moment, selection, options, theme).draw();
}

Scene lanes_view(const Summary& summary, const Moment& moment, const Selection& selection, const LanesOptions& options,
                 const Theme& theme) {
  return lanes_view(summary, index_of(summary), moment, selection, options, theme);
}

std::string lane_group_tooltip(const Summary& summary, const Id& id) {
  const auto n = static_cast<std::size_t>(std::max(id.a, 0));
  if (id.kind == Id::Kind::wait && n < summary.waits.size()) return wait_words(summary, summary.waits[n]);
  if (id.kind == Id::Kind::group_change && n < summary.group_changes.size())
    return change_words(summary, summary.group_changes[n]);
  if (id.kind == Id::Kind::lane_row) return fmt::format("lane {} of warp {}", id.c, id.a);
  return {};
}

std::string apart_words(const Summary& summary, std::int64_t step) {
  std::string words;
  const auto here = [&](const GroupChange& c) { return c.step == step; };
  for (auto c = std::ranges::lower_bound(
           summary.group_changes, static_cast<std::uint32_t>(std::max<std::int64_t>(step, 0)), {}, &GroupChange::step);
       c != summary.group_changes.end() && here(*c); ++c)
    words += "\n" + change_words(summary, *c);
  for (auto w = std::ranges::lower_bound(summary.waits, static_cast<std::uint32_t>(std::max<std::int64_t>(step, 0)), {},
                                         &Wait::from);
       w != summary.waits.end() && w->from == step; ++w)
    words += "\n" + wait_words(summary, *w);
  return words;
}

}  // namespace lanescope::views
