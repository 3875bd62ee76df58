#include "viz/views/registers/claim_states.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using layout::Assignment;
using layout::Place;
using layout::Term;

constexpr float states_margin = 12, state_padding = 8, state_row = 23, state_chip_height = 18, state_label = 54,
                state_heading = 22, between_states = 76, function_heading = 26, state_chip_gap = 3;

constexpr std::size_t fit_at_once = 2;  ///< functions

struct State {
  int claim = 0;
  const results::ClaimInfo* info = nullptr;
};

std::vector<State> states_of(const Summary& summary) {
  std::vector<State> out;
  for (std::size_t n = 0; n < summary.claims.size(); ++n) {
    const results::ClaimInfo& c = summary.claims[n];
    const bool has_rows = std::ranges::any_of(c.claim.stated.rows, [](const auto& row) { return row.has_value(); });
    if (c.claim.kind() == source::ClaimKind::registers && has_rows) out.push_back({static_cast<int>(n), &c});
  }
  std::ranges::stable_sort(out, {}, [](const State& s) { return s.info->claim.first_line; });
  return out;
}

std::string verdict_in_words(const results::ClaimInfo& c) {
  std::string out = claims::verdict_words(c.result);
  if (c.result.verdict == claims::Verdict::differs && !c.result.difference.empty()) out += ": " + c.result.difference;
  if (c.result.verdict != claims::Verdict::differs && !c.result.reason.empty()) out += ": " + c.result.reason.words();
  return out;
}

class StatesDrawing {
 public:
  StatesDrawing(const Summary& summary, const Selection& selection, float width, const Theme& theme)
      : summary_(summary), selection_(selection), theme_(theme), width_(std::max(width, 320.0f)) {
    for (const State& s : states_of(summary))
      for (const std::string& bit : layout::logical_bits(s.info->claim.stated)) {
        std::string axis = layout::split_name(bit).axis;
        if (std::ranges::find(axes_, axis) == axes_.end()) axes_.push_back(std::move(axis));
      }
    std::ranges::sort(axes_);
    scene_.width = width_;
  }

  Scene draw() {
    const std::vector<State> all = states_of(summary_);
    std::vector<std::vector<State>> functions;
    for (const State& s : all) {
      if (functions.empty() || functions.back().front().info->claim.function != s.info->claim.function)
        functions.emplace_back();
      functions.back().push_back(s);
    }
    // Of many functions the one that is selected comes first.
    const auto has_line = [&](const std::vector<State>& f) {
      return f.front().info->claim.first_line <= selection_.line && selection_.line <= f.back().info->claim.last_line;
    };
    const auto selected = std::ranges::find_if(functions, has_line);
    if (functions.size() > fit_at_once && selected != functions.end())
      std::rotate(functions.begin(), selected, selected + 1);
    float y = 4;
    for (const std::vector<State>& f : functions) y = function(f, y);
    scene_.height = y;
    return std::move(scene_);
  }

 private:
  static constexpr Place shown_rows[] = {Place::simd, Place::reg, Place::thread, Place::warp, Place::block};

  float function(const std::vector<State>& states, float y) {
    add_text(scene_, {states_margin, y + function_heading / 2}, states.front().info->claim.function, theme_.text,
             type_px::title, Face::mono, Align::left, {.kind = Id::Kind::title}, width_ - 2 * states_margin);
    y += function_heading;
    float x = states_margin, lowest = y;
    const State* before = nullptr;
    for (const State& s : states) {
      const float card = card_width(s);
      const float gap = before != nullptr ? between_states : 0;
      if (before != nullptr && x + gap + card > width_ - states_margin) {
        y = lowest + 10;
        x = states_margin;
        if (const std::string words = words_between(*before, s); !words.empty()) {
          add_text(scene_, {x, y + 8}, "↓ " + words, theme_.text_dim, type_px::note, Face::sans, Align::left,
                   {.kind = Id::Kind::remark}, width_ - 2 * states_margin);
          y += 22;
        }
      } else if (before != nullptr) {
        arrow(*before, s, x, y);
        x += gap;
      }
      lowest = std::max(lowest, y + state(s, before, x, y, card));
      x += card;
      before = &s;
    }
    return lowest + 14;
  }

  float chip_width(const State& s) const {
    int widest = 2;
    for (const auto& row : s.info->claim.stated.rows)
      if (row)
        for (const Term& t : *row) widest = std::max(widest, columns(layout::print(t)));
    return std::max(26.0f, static_cast<float>(widest) * type_px::code * mono_advance + 10);
  }
  float card_width(const State& s) const {
    std::size_t bits = 3;
    for (const auto& row : s.info->claim.stated.rows)
      if (row) bits = std::max(bits, row->size());
    const float wanted =
        2 * state_padding + state_label + static_cast<float>(bits) * (chip_width(s) + state_chip_gap) - state_chip_gap;
    return std::min(std::max(wanted, 180.0f), width_ - 2 * states_margin);
  }

  /// As many bits in each row: the same array, also in other variables.
  static bool alike(const State& before, const State& s) {
    return std::ranges::all_of(shown_rows, [&](Place place) {
      return before.info->claim.stated.bits(place) == s.info->claim.stated.bits(place);
    });
  }

  static std::string words_between(const State& before, const State& s) {
    if (!alike(before, s)) return {};
    return change_words(before.info->claim.stated, s.info->claim.stated);
  }

  void arrow(const State& before, const State& s, float x, float y) {
    const float middle = y + 34;
    add_line(scene_, {x + 8, middle}, {x + between_states - 8, middle}, theme_.text_faint, 1.5f);
    add_line(scene_, {x + between_states - 14, middle - 4}, {x + between_states - 8, middle}, theme_.text_faint, 1.5f);
    add_line(scene_, {x + between_states - 14, middle + 4}, {x + between_states - 8, middle}, theme_.text_faint, 1.5f);
    const std::string words = words_between(before, s);
    float line = middle + 14;
    for (std::string& part : broken(words, type_px::small, between_states - 12)) {
      add_text(scene_, {x + between_states / 2, line}, std::move(part), theme_.text_dim, type_px::small, Face::sans,
               Align::center, {.kind = Id::Kind::remark}, between_states - 4);
      line += 14;
    }
  }

  float state(const State& s, const State* before, float x, float y, float card) {
    const results::ClaimInfo& c = *s.info;
    const Id id{.kind = Id::Kind::timeline_claim, .a = s.claim};
    const std::size_t box = scene_.boxes.size();
    scene_.boxes.push_back({});
    float at = y + state_padding;
    add_verdict_sign(scene_, id, {x + state_padding + 5, at + 7}, 9, c.result.verdict, theme_);
    add_text(scene_, {x + state_padding + 16, at + 7},
             fmt::format("{}: {}", summary_.lines.words(c.claim.first_line), c.claim.variable), theme_.text,
             type_px::note, Face::sans_bold, Align::left, id, card - 2 * state_padding - 16);
    at += state_heading;
    for (const Place place : shown_rows) {
      const auto& row = c.claim.stated.row(place);
      if (!row || row->empty()) continue;
      add_text(scene_, {x + state_padding, at + state_chip_height / 2}, std::string(layout::row_name(place)),
               theme_.text_dim, type_px::note, Face::sans, Align::left, id, state_label);
      const float room = card - 2 * state_padding - state_label;
      const float chip = std::min(chip_width(s), room / static_cast<float>(row->size()) - state_chip_gap);
      for (std::size_t i = 0; i < row->size(); ++i) {
        const std::size_t bit = row->size() - 1 - i;  // most significant first
        const Rect r{x + state_padding + state_label + static_cast<float>(i) * (chip + state_chip_gap), at, chip,
                     state_chip_height};
        one_chip((*row)[bit], is_new(before, s, place, bit), r, id);
      }
      at += state_row;
    }
    at += 2 +
          add_broken(scene_, {x + state_padding, at + 8}, verdict_in_words(c), theme_.verdict(c.result.verdict),
                     type_px::note, card - 2 * state_padding, 15, id, Face::sans, 4) +
          16;
    const bool chosen = selection_.line >= c.claim.first_line && selection_.line <= c.claim.last_line;
    const bool wrong = c.result.verdict == claims::Verdict::differs;
    scene_.boxes[box] = {.id = id,
                         .rect = {x, y, card, at - y + state_padding - 4},
                         .fill = theme_.background,
                         .stroke = wrong    ? theme_.bad
                                   : chosen ? theme_.accent
                                            : theme_.border,
                         .stroke_width = wrong || chosen ? 2.0f : 1.0f,
                         .radius = 6};
    return at - y + state_padding - 4;
  }

  static bool is_new(const State* before, const State& s, Place place, std::size_t bit) {
    if (before == nullptr || !alike(*before, s)) return false;
    const auto& old = before->info->claim.stated.row(place);
    const auto& now = s.info->claim.stated.row(place);
    return old && (bit >= old->size() || (*old)[bit] != (*now)[bit]);
  }

  void one_chip(const Term& term, bool is_new, Rect r, const Id& id) {
    const bool sum = term.role == Term::Role::sum && !term.names.empty();
    const auto axis = sum ? std::ranges::find(axes_, layout::split_name(term.names.front()).axis) : axes_.end();
    scene_.boxes.push_back(
        {.id = id,
         .rect = r,
         .fill = theme_.panel,
         .stroke =
             sum ? theme_.axis(static_cast<int>(axis - axes_.begin()), static_cast<int>(axes_.size())) : theme_.border,
         .stroke_width = is_new ? 2.5f : 1.2f,
         .radius = 4,
         .hatched = !sum});
    add_fitted(scene_, id, center(r), layout::print(term), sum ? theme_.text : theme_.text_dim, type_px::code, r.w, 4);
  }

  const Summary& summary_;
  const Selection& selection_;
  const Theme& theme_;
  float width_;
  std::vector<std::string> axes_;
  Scene scene_;
};

}  // namespace

std::string change_words(const layout::Assignment& before, const layout::Assignment& after) {
  const std::vector<layout::BitDifference> moved = layout::compare(before, after);
  if (moved.empty()) return "nothing moves";
  const auto& [a, a_before, a_after] = moved.front();
  if (moved.size() == 2) {
    const auto& [b, b_before, b_after] = moved.back();
    if (a_before == b_after && b_before == a_after)
      return fmt::format("{} and {} change places", layout::to_string(a), layout::to_string(b));
  }
  return moved.size() == 1 ? fmt::format("{} changes", layout::to_string(a))
                           : fmt::format("{} bits move", moved.size());
}

Scene claim_states_view(const Summary& summary, const Selection& selection, const ClaimStatesOptions& options,
                        const Theme& theme) {
  if (states_of(summary).empty())
    return empty_view(options.width > 0 ? options.width : 440, 110,
                      "No comment of this file states where elements are in registers.", theme);
  return StatesDrawing(summary, selection, options.width > 0 ? options.width : 1180, theme).draw();
}

}  // namespace lanescope::views
