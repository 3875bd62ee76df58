#include "viz/views/layouts/layouts.h"

#include <algorithm>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using layout::Place;
using layout::Term;

constexpr float chips_margin = 4, chip_row_label = 58, chip_rows_pitch = 31, chip_box_height = 25, chip_between = 6,
                end_heading = 24, least_chip = 30;

std::vector<std::string> axes_of(const ChipsInput& in) {
  std::vector<std::string> axes;
  for (const layout::Assignment* a : in.ends) {
    if (a == nullptr) continue;
    for (const std::string& name : layout::logical_bits(*a)) {
      std::string axis = layout::split_name(name).axis;
      if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(std::move(axis));
    }
  }
  std::ranges::sort(axes);
  return axes;
}

class ChipsDrawing {
 public:
  ChipsDrawing(const ChipsInput& in, float width, const Theme& theme)
      : in_(in), theme_(theme), axes_(axes_of(in)), width_(std::max(width, 200.0f)) {
    for (const layout::Assignment* a : in.ends) {
      if (a == nullptr) continue;
      for (const auto& row : a->rows) {
        if (!row) continue;
        most_ = std::max(most_, row->size());
        for (const Term& t : *row)
          chip_ = std::max(chip_, static_cast<float>(columns(layout::print(t))) * type_px::body * mono_advance + 14);
      }
    }
    const float needed = chip_row_label + static_cast<float>(most_) * (chip_ + chip_between);
    beside_ = width_ >= 2 * needed + 2 * chips_margin + 20;
    const float room = (beside_ ? (width_ - 20) / 2 : width_) - chip_row_label - 2 * chips_margin;
    if (most_ > 0) chip_ = std::max(std::min(chip_, room / static_cast<float>(most_) - chip_between), 20.0f);
    scene_.width = width_;
  }

  Scene draw() {
    float y = 0;
    if (beside_)
      y = std::max(end(0, chips_margin, 0), end(1, (width_ + 20) / 2, 0));
    else
      y = end(1, chips_margin, end(0, chips_margin, 0) + 6);
    y = remark(y + 2);
    y = facts(y);
    scene_.height = y;
    return std::move(scene_);
  }

 private:
  float end(int which, float x, float y) {
    add_text(scene_, {x, y + end_heading / 2 - 1}, which == 0 ? "From" : "To", theme_.text, type_px::title,
             Face::sans_bold);
    y += end_heading;
    const layout::Assignment* a = in_.ends[which];
    if (a == nullptr) {
      add_text(scene_, {x, y + 10}, "The notation has a mistake.", theme_.bad, type_px::note);
      return y + chip_rows_pitch;
    }
    for (int p = 0; p < layout::place_count; ++p) {
      const auto place = static_cast<Place>(p);
      const auto& row = a->row(place);
      if (!row || (row->empty() && (place == Place::warp || place == Place::block))) continue;
      add_text(scene_, {x, y + chip_box_height / 2}, std::string(layout::row_name(place)), theme_.text_dim,
               type_px::body);
      if (row->empty())
        add_text(scene_, {x + chip_row_label, y + chip_box_height / 2},
                 place == Place::reg    ? "a single register"
                 : place == Place::simd ? "one element a register"
                                        : "a single one",
                 theme_.text_faint, type_px::note);
      float at = x + chip_row_label;
      for (int i = static_cast<int>(row->size()) - 1; i >= 0; --i) {
        chip({which, {place, i}}, (*row)[static_cast<std::size_t>(i)], {at, y, chip_, chip_box_height});
        at += chip_ + chip_between;
      }
      y += chip_rows_pitch;
    }
    return y;
  }

  void chip(const ChipRef& ref, const Term& term, Rect r) {
    const bool sum = term.role == Term::Role::sum;
    const bool moved = ref.end == 1 && in_.ends[0] != nullptr && other_term(ref.bit) != layout::print(term);
    const bool held = in_.picked == ref, aimed = in_.aimed_at == ref;
    scene_.boxes.push_back({.id = id_of(ref),
                            .rect = r,
                            .fill = aimed ? mixed(theme_, Mixed::chosen_row) : theme_.background,
                            .stroke = held    ? theme_.accent
                                      : moved ? theme_.changed
                                      : sum   ? axis_color(term)
                                              : theme_.border,
                            .stroke_width = held || moved ? 2.0f : 1.5f,
                            .radius = 6,
                            .dashed = held,
                            .hatched = !sum});
    add_fitted(scene_, id_of(ref), center(r), sum ? layout::print(term) : short_word(term),
               sum ? theme_.text : theme_.text_dim, type_px::body, r.w, 6);
    if (in_.focused == ref) add_selection(scene_, id_of(ref), r, theme_, 6);
    scene_.facts.push_back({id_of(ref), layout::to_string(ref.bit) + " = " + layout::print(term)});
  }

  std::string other_term(layout::PhysicalBit bit) const {
    const auto& row = in_.ends[0]->row(bit.place);
    return row && bit.index < static_cast<int>(row->size()) ? layout::print((*row)[static_cast<std::size_t>(bit.index)])
                                                            : std::string();
  }
  static std::string short_word(const Term& term) {
    return term.role == Term::Role::unused ? "copy" : term.role == Term::Role::junk ? "junk" : "any";
  }
  Color axis_color(const Term& term) const {
    const auto at = std::ranges::find(axes_, layout::split_name(term.names.front()).axis);
    return theme_.axis(static_cast<int>(at - axes_.begin()), static_cast<int>(axes_.size()));
  }

  float remark(float y) {
    if (in_.sentence.empty()) return y;
    return y + 10 +
           add_broken(scene_, {chips_margin, y + 10}, in_.sentence, theme_.text, type_px::note,
                      width_ - 2 * chips_margin, 16, {.kind = Id::Kind::remark}) +
           12;
  }

  float facts(float y) {
    if (in_.facts.empty()) return y;
    add_line(scene_, {0, y + 4}, {width_, y + 4}, theme_.border);
    y += 20;
    add_text(scene_, {chips_margin, y}, "Costs of both ends for a warp", theme_.text, type_px::title, Face::sans_bold);
    y += 20;
    for (const EndFact& f : in_.facts) {
      add_text(scene_, {chips_margin, y}, f.name, theme_.text_dim, type_px::note);
      const float x = chips_margin + 92;
      const Color ink = f.tone == EndFact::Tone::good   ? theme_.good
                        : f.tone == EndFact::Tone::warn ? theme_.warn
                                                        : theme_.text;
      y += add_broken(scene_, {x, y}, f.words, ink, type_px::note, width_ - x - chips_margin, 16) + 19;
    }
    return y;
  }

  const ChipsInput& in_;
  const Theme& theme_;
  std::vector<std::string> axes_;
  float width_, chip_ = least_chip;
  std::size_t most_ = 0;
  bool beside_ = false;
  Scene scene_;
};

}  // namespace

scene::Id id_of(const ChipRef& chip) {
  return {
      .kind = scene::Id::Kind::layout_chip, .a = chip.end, .b = static_cast<int>(chip.bit.place), .c = chip.bit.index};
}

std::optional<ChipRef> chip_of(const scene::Id& id) {
  if (id.kind != scene::Id::Kind::layout_chip || id.b < 0 || id.b >= layout::place_count) return std::nullopt;
  return ChipRef{id.a, {static_cast<layout::Place>(id.b), id.c}};
}

scene::Scene assignment_chips(const ChipsInput& input, float width, const Theme& theme) {
  return ChipsDrawing(input, width, theme).draw();
}

}  // namespace lanescope::views
