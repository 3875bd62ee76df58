#include "viz/views/costs/lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/costs/timeline_bands.h"
#include "viz/views/costs/timeline_looks.h"

namespace lanescope::views {
namespace {

constexpr float margin = 12, label_width = 66, right_margin = 14, heading_height = 26, signs_height = 34,
                ruler_height = 17, event_row = 19, event_heading = 24, legend_height = 22;
constexpr float least_lane = 4, most_lane = 12, widest_column = 24, narrowest_column = 4;
constexpr int all = 32;

/// What a cell of the raster says of a lane in a column.
enum class State : std::uint8_t { gone, apart, waits, some, active };

struct Column {
  std::size_t first = 0, last = 0;  ///< instructions of the warp, half open
  std::uint32_t always = 0, ever = 0;
  int kind = -1;  ///< of its one mark; -1: several
  std::int64_t step = -1;
};

/// A line of the list: a change or a wait, by its first step.
struct Event {
  std::int64_t step = -1;
  Id id{};
  std::string text{};
  bool wait = false;
};

class LanesDrawing {
 public:
  LanesDrawing(const Summary& summary, const StepIndex& index, const Moment& moment, const Selection& selection,
               const LanesOptions& options, const Theme& theme)
      : summary_(summary),
        options_(options),
        theme_(theme),
        marks_(index.of_warp(options.warp)),
        index_(index),
        step_(selection.step >= 0 ? selection.step : moment.step) {
    scene_.width = options.width > 0 ? options.width : 960;
    gather_events();
    gather_columns();
  }

  Scene draw() {
    heading();
    const float below = event_heading + legend_height + event_row * static_cast<float>(std::min<std::size_t>(events_.size(), 3));
    lane_h_ = 8;
    if (options_.height > 0)
      lane_h_ = std::clamp((options_.height - heading_height - signs_height - ruler_height - below) / all, least_lane, most_lane);
    lane_h_ = std::floor(lane_h_ * 2) / 2;
    top_ = heading_height + signs_height;
    lane_labels();
    raster();
    waits();
    changes();
    ruler();
    step_mark();
    float y = top_ + lane_h_ * all + ruler_height + 4;
    y = legend(y + legend_height / 2);
    y = list(y);
    scene_.height = y + 6;
    return std::move(scene_);
  }

 private:
  float x_of(double instruction) const {
    return label_width + static_cast<float>(instruction - first_) * pitch_;
  }
  float lane_y(int lane) const { return top_ + lane_h_ * static_cast<float>(lane); }
  /// The instruction of the warp at a step, or the first one behind it.
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
        events_.push_back({c.step, {.kind = Id::Kind::group_change, .a = static_cast<int>(n)}, change_words(c), false});
    }
    for (std::size_t n = 0; n < summary_.waits.size(); ++n) {
      const Wait& w = summary_.waits[n];
      if (w.warp == options_.warp)
        events_.push_back({w.from, {.kind = Id::Kind::wait, .a = static_cast<int>(n)}, wait_words(summary_, w), true});
    }
    std::ranges::stable_sort(events_, {}, &Event::step);
  }

  void gather_columns() {
    const float room = scene_.width - label_width - right_margin;
    const double end = static_cast<double>(marks_.size());
    first_ = std::clamp(options_.first, 0.0, std::max(end - 1, 0.0));
    last_ = std::max(options_.last < 0 ? end : std::min(options_.last, end), first_ + 1);
    pitch_ = std::min(room / static_cast<float>(last_ - first_), widest_column);
    const double each = pitch_ >= narrowest_column ? 1 : std::ceil((last_ - first_) * narrowest_column / room);
    for (double at = std::floor(first_); at < last_; at += each) {
      Column c{.first = static_cast<std::size_t>(at),
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
    // A lane whose last instruction is over is gone.
    for (std::size_t n = 0; n < marks_.size(); ++n)
      for (std::uint32_t rest = summary_.active_masks[marks_[n]]; rest != 0; rest &= rest - 1)
        ends_[static_cast<std::size_t>(std::countr_zero(rest))] = n + 1;
  }

  void heading() {
    add_text(scene_, {margin, 13}, fmt::format("Warp {}", options_.warp), theme_.text, type_px::title, Face::sans_bold);
    std::uint64_t lanes = 0;
    for (const std::uint32_t m : marks_) lanes += static_cast<std::uint64_t>(std::popcount(summary_.active_masks[m]));
    const double mean = static_cast<double>(lanes) / static_cast<double>(std::max<std::size_t>(marks_.size(), 1));
    const auto parts = std::ranges::count_if(summary_.group_changes, [&](const GroupChange& c) {
      return c.warp == options_.warp && !c.meets;
    });
    const auto waits = std::ranges::count(summary_.waits, options_.warp, &Wait::warp);
    const std::string words =
        fmt::format("{} · {:.1f} of 32 lanes active on average · parts {} · waits {}", counted(marks_.size(), "instruction"),
                    lanes < marks_.size() * 32 ? std::min(mean, 31.9) : mean, times(parts), times(waits));
    add_text(scene_, {margin + 64, 13}, words, theme_.text_dim, type_px::note, Face::sans, Align::left, {},
             scene_.width - margin - 76);
  }

  static std::string times(std::ptrdiff_t n) { return n == 1 ? "once" : spaced(static_cast<std::uint64_t>(n)) + " times"; }

  void lane_labels() {
    for (int lane = 0; lane < all; ++lane) {
      scene_.boxes.push_back({.id = {.kind = Id::Kind::lane_row, .a = options_.warp, .c = lane},
                              .rect = {0, lane_y(lane), label_width, lane_h_},
                              .fill = {},
                              .stroke = {}});
      if (lane % (lane_h_ >= 9 ? 4 : 8) != 0 && lane != 31) continue;
      add_text(scene_, {label_width - 12, lane_y(lane) + lane_h_ / 2},
               lane == 0 ? "lane 0" : std::to_string(lane), theme_.text_dim, type_px::tiny, Face::mono, Align::right);
    }
    for (int lane = 0; lane <= all; lane += 8)
      scene_.lines.push_back({.from = {label_width - 6, lane_y(lane)},
                              .to = {label_width + static_cast<float>(last_ - first_) * pitch_, lane_y(lane)},
                              .color = theme_.border});
  }

  /// Lanes that wait while this instruction of others runs.
  std::uint32_t waiting_at(std::int64_t step) const {
    std::uint32_t lanes = 0;
    for (const Wait& w : summary_.waits) {
      if (std::int64_t{w.from} >= step) break;
      if (w.warp == options_.warp && (w.until < 0 || step <= w.until)) lanes |= w.lanes;
    }
    return lanes;
  }

  void raster() {
    for (const Column& c : columns_) {
      std::array<State, all> states{};
      const std::uint32_t waiting = c.ever == ~0u ? 0 : waiting_at(c.step);
      for (int lane = 0; lane < all; ++lane) {
        State& s = states[static_cast<std::size_t>(lane)];
        if ((c.always >> lane & 1) != 0)
          s = State::active;
        else if ((c.ever >> lane & 1) != 0)
          s = State::some;
        else if (ends_[static_cast<std::size_t>(lane)] <= c.first)
          s = State::gone;
        else
          s = (waiting >> lane & 1) != 0 ? State::waits : State::apart;
        seen_[static_cast<std::size_t>(s)] = true;
      }
      const float x = x_of(static_cast<double>(c.first)), right = x_of(static_cast<double>(c.last));
      const float gap = pitch_ >= 8 ? 1.5f : pitch_ >= narrowest_column ? 1.0f : 0.0f;
      for (int lane = 0; lane < all;) {
        int end = lane + 1;
        while (end < all && states[static_cast<std::size_t>(end)] == states[static_cast<std::size_t>(lane)]) ++end;
        cell(c, states[static_cast<std::size_t>(lane)],
             {x, lane_y(lane) + 0.5f, right - x - gap, lane_h_ * static_cast<float>(end - lane) - 1});
        lane = end;
      }
    }
  }

  void cell(const Column& c, State state, Rect r) {
    const Id id{.kind = Id::Kind::timeline_step, .a = static_cast<int>(c.step)};
    switch (state) {
      case State::gone:
        return;
      case State::apart:
        scene_.boxes.push_back({.id = id, .rect = {r.x, r.y, r.w, r.h}, .fill = theme_.cell_empty, .stroke = {}});
        return;
      case State::waits:
        scene_.boxes.push_back({.id = id, .rect = r, .fill = theme_.cell_empty, .stroke = {}, .hatched = true});
        return;
      case State::some:
        scene_.boxes.push_back({.id = id, .rect = r, .fill = theme_.cell_plain, .stroke = {}});
        return;
      case State::active:
        break;
    }
    const MarkFill look = c.kind >= 0 ? mark_fill(theme_, c.kind) : MarkFill{.fill = theme_.step(trace::StepKind::arithmetic), .stroke = {}};
    const Color fill = c.kind >= 0 && look.fill.rgba == 0 ? theme_.cell_plain : look.fill;
    scene_.boxes.push_back({.id = id, .rect = r, .fill = fill, .stroke = look.stroke, .radius = 1.5f});
    const char letter = c.kind >= 0 ? mark_look(c.kind).letter : ' ';
    if (letter == ' ' || r.w < 9 || r.h < 11) return;
    scene_.labels.push_back({.id = id,
                             .at = center(r),
                             .text = std::string(1, letter),
                             .color = text_on(fill),
                             .face = Face::mono,
                             .size = 9,
                             .align = Align::center,
                             .min_scale = smallest_type / 9});
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
      for (int lane = 0; lane < all;) {
        int end = lane;
        while (end < all && (w.lanes >> end & 1) != 0) ++end;
        if (end > lane)
          scene_.boxes.push_back({.id = id,
                                  .rect = {x - 2, lane_y(lane), 4, lane_h_ * static_cast<float>(end - lane)},
                                  .fill = theme_.step(trace::StepKind::barrier),
                                  .stroke = theme_.panel,
                                  .radius = 2});
        lane = std::max(end, lane + 1);
      }
      const std::uint64_t steps = w.until < 0 ? 0 : static_cast<std::uint64_t>(w.until) - w.from;
      const std::string words = w.until < 0 ? "waits for ever" : fmt::format("waits {}", counted(steps, "step"));
      if (x < free_x) continue;
      add_text(scene_, {x - 2, heading_height + 9}, words, theme_.text, type_px::tiny, Face::sans, Align::left, id);
      scene_.lines.push_back({.id = id, .from = {x, heading_height + 15}, .to = {x, top_}, .color = theme_.step(trace::StepKind::barrier), .width = 1.3f});
      free_x = x + sans_width(words, type_px::tiny) + 10;
    }
  }

  /// A line down the lanes where they part (solid) or meet (dashed), with how many on either side above.
  void changes() {
    float free_x = -1000;
    for (std::size_t n = 0; n < summary_.group_changes.size(); ++n) {
      const GroupChange& c = summary_.group_changes[n];
      if (c.warp != options_.warp) continue;
      const std::size_t mark = instruction_at(c.step);
      // Lanes part behind a branch, and before an instruction that only some of them run.
      const bool behind = !c.meets && mark < marks_.size() && summary_.active_masks[marks_[mark]] == c.lanes;
      const double at = static_cast<double>(mark) + (behind ? 1 : 0);
      if (!in_sight(at)) continue;
      const Id id{.kind = Id::Kind::group_change, .a = static_cast<int>(n)};
      const float x = x_of(at) - (pitch_ >= 8 ? 0.75f : 0.5f);
      scene_.lines.push_back({.id = id,
                              .from = {x, top_ - 8},
                              .to = {x, lane_y(all)},
                              .color = theme_.text,
                              .width = c.meets ? 1.0f : 1.4f,
                              .dashed = c.meets});
      scene_.boxes.push_back({.id = id, .rect = {x - 5, top_ - 12, 10, 12}, .fill = {}, .stroke = {}});
      const std::string words =
          c.meets ? fmt::format("= {}", std::popcount(c.lanes))
                  : fmt::format("{}|{}", std::popcount(c.part), std::popcount(c.lanes & ~c.part));
      if (x < free_x) continue;
      add_text(scene_, {x, top_ - 13}, words, theme_.text, type_px::tiny, Face::mono, Align::center, id);
      free_x = x + (static_cast<float>(columns(words)) + 1.5f) * type_px::tiny * mono_advance;
    }
  }

  void ruler() {
    const float y = lane_y(all) + 3;
    add_text(scene_, {label_width - 12, y + 8}, "instructions", theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    double distance = 1;
    for (int n = 0; distance * pitch_ < 72; ++n) distance *= n % 3 == 1 ? 2.5 : 2;
    for (double at = std::ceil(first_ / distance) * distance; at <= last_; at += distance) {
      scene_.lines.push_back({.from = {x_of(at), y}, .to = {x_of(at), y + 3}, .color = theme_.text_faint});
      add_text(scene_, {x_of(at), y + 9}, spaced(static_cast<std::uint64_t>(at)), theme_.text_dim, type_px::tiny, Face::mono,
               Align::center);
    }
  }

  void step_mark() {
    const std::size_t n = instruction_at(step_);
    if (n >= marks_.size() || std::int64_t{summary_.timeline[marks_[n]].step} != step_ || !in_sight(static_cast<double>(n)))
      return;
    const Rect r{x_of(static_cast<double>(n)), top_, std::max(pitch_ - 1.5f, 2.0f), lane_h_ * all};
    add_selection(scene_, {.kind = Id::Kind::playhead}, r, theme_, 2);
  }

  float legend(float y) {
    float x = label_width;
    const auto entry = [&](const Box& look, const std::string& words) {
      Box sign = look;
      sign.rect = {x, y - 5, 12, 10};
      scene_.boxes.push_back(sign);
      add_text(scene_, {x + 18, y}, words, theme_.text_dim, type_px::note);
      x += 18 + sans_width(words, type_px::note) + 16;
    };
    const auto seen = [&](State s) { return seen_[static_cast<std::size_t>(s)]; };
    if (seen(State::active)) entry({.fill = theme_.step(trace::StepKind::arithmetic), .stroke = {}, .radius = 1.5f}, "active");
    if (seen(State::some)) entry({.fill = theme_.cell_plain, .stroke = {}}, "active in some of the column");
    if (seen(State::apart)) entry({.fill = theme_.cell_empty, .stroke = {}}, "not active");
    if (seen(State::waits)) entry({.fill = theme_.cell_empty, .stroke = {}, .hatched = true}, "waits");
    if (seen(State::gone)) entry({.fill = {}, .stroke = theme_.border}, "has ended");
    if (std::ranges::any_of(events_, [](const Event& e) { return e.wait; }) && x < scene_.width - 150)
      entry({.fill = theme_.step(trace::StepKind::barrier), .stroke = {}, .radius = 2}, "waits from here");
    if (std::ranges::any_of(events_, [](const Event& e) { return !e.wait; }) && x < scene_.width - 250) {
      add_text(scene_, {x, y}, "16|16: parts", theme_.text_dim, type_px::note);
      add_text(scene_, {x + 80, y}, "= 32: meet", theme_.text_dim, type_px::note);
    }
    return y + legend_height / 2;
  }

  /// In words, those around the step.
  float list(float y) {
    if (events_.empty()) {
      add_text(scene_, {margin, y + event_heading / 2}, "The lanes of this warp never part, and none of them waits.",
               theme_.text_dim, type_px::note);
      return y + event_heading;
    }
    const auto room = options_.height > 0 ? static_cast<std::size_t>(std::max((options_.height - y - event_heading - 4) / event_row, 2.0f)) : 100;
    const std::size_t shown = std::min({events_.size(), room, static_cast<std::size_t>(options_.most_events)});
    const auto near = std::ranges::lower_bound(events_, step_, {}, &Event::step);
    auto first = static_cast<std::size_t>(near - events_.begin());
    first = std::min(first - std::min(first, shown / 2), events_.size() - shown);
    const std::string words = shown < events_.size()
                                  ? fmt::format("Events {} to {} of {}", first + 1, first + shown, events_.size())
                                  : counted(events_.size(), "event");
    add_text(scene_, {margin, y + event_heading / 2 + 2}, words, theme_.text, type_px::note, Face::sans_bold);
    y += event_heading;
    for (std::size_t n = first; n < first + shown; ++n) {
      const Event& e = events_[n];
      scene_.boxes.push_back({.id = e.id,
                              .rect = {0, y, scene_.width, event_row},
                              .fill = e.step == step_ ? theme_.row_highlight : Color{},
                              .stroke = {}});
      std::string text = e.text;
      text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
      add_text(scene_, {margin, y + event_row / 2}, text, theme_.text_dim, type_px::note, Face::sans, Align::left, e.id,
               scene_.width - 2 * margin);
      y += event_row;
    }
    return y;
  }

  const Summary& summary_;
  const LanesOptions& options_;
  const Theme& theme_;
  std::span<const std::uint32_t> marks_;  ///< of the warp, into Summary::timeline
  const StepIndex& index_;
  std::int64_t step_ = -1;
  double first_ = 0, last_ = 1;
  float pitch_ = 1, lane_h_ = 8, top_ = 0;
  std::vector<Column> columns_;
  std::array<std::size_t, all> ends_{};
  std::array<bool, 5> seen_{};
  std::vector<Event> events_;
  Scene scene_;
};

}  // namespace

LanesGeometry lanes_geometry(const LanesOptions& options) {
  const float width = options.width > 0 ? options.width : 960;
  return {.left = label_width, .width = width - label_width - right_margin};
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

std::string lanes_tooltip(const Summary& summary, const Id& id) {
  const auto n = static_cast<std::size_t>(std::max(id.a, 0));
  if (id.kind == Id::Kind::wait && n < summary.waits.size()) return wait_words(summary, summary.waits[n]);
  if (id.kind == Id::Kind::group_change && n < summary.group_changes.size())
    return change_words(summary.group_changes[n]);
  if (id.kind == Id::Kind::lane_row) return fmt::format("lane {} of warp {}", id.c, id.a);
  return {};
}

std::string apart_words(const Summary& summary, std::int64_t step) {
  std::string words;
  const auto here = [&](const GroupChange& c) { return c.step == step; };
  for (auto c = std::ranges::lower_bound(summary.group_changes, static_cast<std::uint32_t>(std::max<std::int64_t>(step, 0)),
                                         {}, &GroupChange::step);
       c != summary.group_changes.end() && here(*c); ++c)
    words += "\n" + change_words(*c);
  for (auto w = std::ranges::lower_bound(summary.waits, static_cast<std::uint32_t>(std::max<std::int64_t>(step, 0)), {},
                                         &Wait::from);
       w != summary.waits.end() && w->from == step; ++w)
    words += "\n" + wait_words(summary, *w);
  return words;
}

}  // namespace lanescope::views
