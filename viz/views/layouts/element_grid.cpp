#include "viz/views/layouts/layouts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "kernels/layout/affine_map.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using layout::Place;

constexpr float grid_left = 34, grid_top = 20, grid_row_gap = 3, least_cell = 8, most_cell_height = 32;

/// An assignment as a function from places of a warp to elements.
class Holder {
 public:
  Holder(const layout::Assignment& a, const ElementsInput& in) : map_(layout::to_map(a)) {
    if (!map_) {
      why_ = layout::why_no_map(a);
      return;
    }
    parts_ = 1 << map_->shape.bits[0];
    registers_ = 1 << std::min(map_->shape.bits[1], 12);
    lanes_ = 1 << std::min(map_->shape.bits[2], 5);
    for (const std::string& name : map_->names) {
      const auto at = std::ranges::find(in.names, name);
      offsets_.push_back(at == in.names.end() ? 0 : in.offsets[static_cast<std::size_t>(at - in.names.begin())]);
      lit_.push_back(name == in.lit);
    }
  }
  const std::string& why() const { return why_; }
  bool known() const { return map_.has_value(); }
  int parts() const { return parts_; }
  int registers() const { return registers_; }
  int lanes() const { return lanes_; }
  int warps() const { return 1 << map_->shape.bits[3]; }
  struct Held {
    std::uint64_t logical = 0, offset = 0;
    bool lit = true;
  };
  Held at(int reg, int part, int lane, int warp) const {
    const layout::PhysicalShape& s = map_->shape;
    const std::uint64_t place = static_cast<std::uint64_t>(part) |
                                static_cast<std::uint64_t>(reg) << s.offset(Place::reg) |
                                static_cast<std::uint64_t>(lane) << s.offset(Place::thread) |
                                static_cast<std::uint64_t>(warp) << s.offset(Place::warp);
    Held out{.logical = map_->map(place), .offset = 0, .lit = true};
    for (std::size_t n = 0; n < offsets_.size(); ++n) {
      const bool one = (out.logical >> n & 1) != 0;
      if (one) out.offset += offsets_[n];
      if (lit_[n] && !one) out.lit = false;
    }
    return out;
  }
  /// Axes with the coordinates of an element.
  std::vector<std::pair<std::string, std::uint64_t>> coordinates(std::uint64_t logical) const {
    std::vector<std::pair<std::string, std::uint64_t>> axes;
    for (std::size_t n = 0; n < map_->names.size(); ++n) {
      const layout::LogicalBit l = layout::split_name(map_->names[n]);
      auto at = std::ranges::find(axes, l.axis, &std::pair<std::string, std::uint64_t>::first);
      if (at == axes.end()) at = axes.insert(axes.end(), {l.axis, 0});
      at->second |= (logical >> n & 1) << l.bit;
    }
    std::ranges::sort(axes);
    return axes;
  }
  /// "(i=3, j=5)".
  std::string words(std::uint64_t logical) const {
    std::string out = "(";
    for (const auto& [axis, value] : coordinates(logical))
      out += (out.size() > 1 ? ", " : "") + axis + "=" + std::to_string(value);
    return out + ")";
  }

 private:
  std::optional<layout::PhysicalToLogical> map_;
  std::string why_;
  int parts_ = 1, registers_ = 1, lanes_ = 1;
  std::vector<std::uint64_t> offsets_;
  std::vector<bool> lit_;
};

/// Rows and columns on the paper.
struct GridPaper {
  float cell_width = 0, cell_height = 0;
  int parts = 1;
  Rect at(int reg, int part, int lane) const {
    const float row = static_cast<float>(reg * parts + part);
    return {grid_left + static_cast<float>(lane) * cell_width,
            grid_top + row * cell_height + static_cast<float>(reg) * grid_row_gap, cell_width - 1, cell_height - 1};
  }
};

}  // namespace

scene::Scene element_grid(const ElementsInput& in, float width, float height, const Theme& theme) {
  if (in.before == nullptr) return empty_view(width, height, "The notation has a mistake.", theme);
  const Holder before(*in.before, in);
  const Holder after(in.after != nullptr ? *in.after : *in.before, in);
  for (const Holder* h : {&before, &after})
    if (!h->known())
      return empty_view(width, height, "The places of the elements are not known: " + h->why() + ".", theme);
  const int warp = std::clamp(in.warp, 0, std::min(before.warps(), after.warps()) - 1);
  Scene s{.width = std::max(width, grid_left + 32 * least_cell)};
  GridPaper paper{.parts = std::max(before.parts(), after.parts())};
  const int shown = std::min(after.registers(), most_grid_rows / paper.parts);
  const int from_shown = std::min(before.registers(), most_grid_rows / paper.parts);
  const int rows = std::max(shown, from_shown);
  paper.cell_width = (s.width - grid_left) / 32;
  const float room =
      (height - grid_top - 22 - static_cast<float>(rows) * grid_row_gap) / static_cast<float>(rows * paper.parts);
  paper.cell_height = std::clamp(room, least_cell, most_cell_height);
  // Where every element of this warp was: by element, the place nearest to its end.
  std::unordered_map<std::uint64_t, std::vector<Point>> was;
  const bool moves = in.after != nullptr && in.share < 1;
  if (moves) {
    for (int r = 0; r < from_shown; ++r)
      for (int p = 0; p < before.parts(); ++p)
        for (int l = 0; l < before.lanes(); ++l) {
          const Rect cell = paper.at(r, p, l);
          was[before.at(r, p, l, warp).logical].push_back({cell.x, cell.y});
        }
  }
  std::uint64_t count = 1;
  for (const std::uint64_t o : in.offsets) count = std::max(count, o * 2);
  const float t = std::clamp(in.share, 0.0f, 1.0f), ease = t * t * (3 - 2 * t);
  // Every cell has its number, or none has; where they are too long, two axes stand one above the other.
  const auto fit = [&](std::uint64_t largest) {
    return mono_advance * smallest_type * static_cast<float>(std::to_string(largest).size()) <= paper.cell_width - 3;
  };
  // Axes that vary in this warp: axes that stand still there need no room.
  std::uint64_t varied = 0, least = ~std::uint64_t{0}, most = 0;
  for (int r = 0; r < shown; ++r)
    for (int p = 0; p < after.parts(); ++p)
      for (int l = 0; l < after.lanes(); ++l) {
        const Holder::Held held = after.at(r, p, l, warp);
        varied |= held.logical ^ after.at(0, 0, 0, warp).logical;
        least = std::min(least, held.offset), most = std::max(most, held.offset);
      }
  const auto moving = after.coordinates(varied), largest = after.coordinates(~std::uint64_t{0});
  std::vector<std::size_t> axes;
  for (std::size_t n = 0; n < moving.size(); ++n)
    if (moving[n].second != 0) axes.push_back(n);
  // All numbers in the same size.
  const float number_px = std::min(
      type_px::small, (paper.cell_width - 3) / (mono_advance * static_cast<float>(std::to_string(count - 1).size())));
  const bool numbered = fit(count - 1) && paper.cell_height > smallest_type;
  const bool paired = !numbered && axes.size() == 2 && fit(largest[axes[0]].second) && fit(largest[axes[1]].second) &&
                      paper.cell_height > 2 * smallest_type + 2;
  for (int l = 0; l < 32; l += paper.cell_width < 20 ? 4 : 1)
    add_text(s, {grid_left + (static_cast<float>(l) + 0.5f) * paper.cell_width, 9}, std::to_string(l), theme.text_dim,
             type_px::tiny, Face::mono, Align::center, {.kind = Id::Kind::lane_heading, .c = l});
  for (int r = 0; r < rows; ++r) {
    const Rect first = paper.at(r, 0, 0);
    add_text(s, {grid_left - 8, first.y + paper.cell_height * static_cast<float>(paper.parts) / 2},
             "r" + std::to_string(r), theme.text_dim, type_px::tiny, Face::mono, Align::right);
    if (paper.cell_height * static_cast<float>(paper.parts) < 9) r += 3;
  }
  for (int r = 0; r < shown; ++r)
    for (int p = 0; p < after.parts(); ++p)
      for (int l = 0; l < after.lanes(); ++l) {
        const Holder::Held held = after.at(r, p, l, warp);
        Rect cell = paper.at(r, p, l);
        const Rect end = cell;
        bool appears = false;
        if (moves) {
          const auto places = was.find(held.logical);
          appears = places == was.end();
          if (!appears) {
            const Point from = *std::ranges::min_element(places->second, {},
                                                         [&](Point q) { return std::hypot(q.x - end.x, q.y - end.y); });
            cell.x = from.x + (end.x - from.x) * ease;
            cell.y = from.y + (end.y - from.y) * ease;
          }
        }
        const Id id{.kind = Id::Kind::register_cell, .a = r, .b = warp, .c = l, .d = p};
        const int ramp = Theme::ramp_index(held.offset - least, most - least + 1);
        const bool faint = !held.lit || (appears && ease < 0.5f);
        s.boxes.push_back({.id = id,
                           .rect = cell,
                           .fill = faint ? theme.cell_empty : theme.ramp[static_cast<std::size_t>(ramp)],
                           .stroke_width = 1,
                           .radius = std::min(2.0f, paper.cell_height / 5)});
        const Color ink = faint ? theme.text_faint : theme.ramp_text[static_cast<std::size_t>(ramp)];
        if (numbered) add_fitted(s, id, center(cell), std::to_string(held.offset), ink, number_px, cell.w, 2);
        if (paired) {
          const auto at = after.coordinates(held.logical);
          const float apart = std::min(cell.h / 4, 6.0f);
          for (int n = 0; n < 2; ++n)
            add_fitted(s, id, {center(cell).x, center(cell).y + (n == 0 ? -apart : apart)},
                       std::to_string(at[axes[static_cast<std::size_t>(n)]].second), ink, type_px::tiny, cell.w, 2);
        }
        s.facts.push_back(
            {id, fmt::format("{} · r{}{}, lane {}, warp {} · element {} in memory", after.words(held.logical), r,
                             after.parts() > 1 ? fmt::format(", part {}", p) : "", l, warp, held.offset)});
      }
  const Rect last = paper.at(rows - 1, paper.parts - 1, 0);
  s.height = last.y + paper.cell_height + 2;
  if (shown >= after.registers()) {
    add_text(s, {grid_left, s.height + 9},
             numbered ? "each cell: the number of its element in memory"
             : paired ? fmt::format("each cell: {} above, {} below", largest[axes[0]].first, largest[axes[1]].first)
                      : "The cells are too small for numbers. Point at one, or make the panel larger.",
             theme.text_dim, type_px::note, Face::sans, Align::left, {}, s.width - grid_left);
    s.height += 20;
  }
  if (shown < after.registers()) {
    add_text(s, {grid_left, s.height + 9},
             fmt::format("The first {} of {} registers are drawn.", shown, after.registers()), theme.text_dim,
             type_px::note);
    s.height += 20;
  }
  return s;
}

scene::Scene bit_matrix(const MatrixInput& in, float width, const Theme& theme) {
  Scene s;
  constexpr float left = 54, top = 40, most = 30;
  const float cell =
      std::clamp((width - left - 60) / static_cast<float>(std::max<std::size_t>(in.columns.size(), 1)), 12.0f, most);
  s.width = std::max(width, left + cell * static_cast<float>(in.columns.size()) + 60);
  add_text(s, {left, 10}, "bits of the place in the source", theme.text_dim, type_px::note);
  for (std::size_t c = in.columns.size(); c-- > 0;) {
    const float x = left + (static_cast<float>(in.columns.size() - 1 - c) + 0.5f) * cell;
    add_text(s, {x, 28}, in.columns[c], theme.text_dim, type_px::small, Face::mono, Align::center);
  }
  for (std::size_t n = 0; n < in.rows.size(); ++n) {
    const std::size_t row = in.rows.size() - 1 - n;
    const float y = top + static_cast<float>(n) * cell;
    add_text(s, {left - 10, y + cell / 2}, in.rows[row], theme.text_dim, type_px::small, Face::mono, Align::right);
    for (std::size_t c = 0; c < in.columns.size(); ++c) {
      const float x = left + static_cast<float>(in.columns.size() - 1 - c) * cell;
      const bool one = in.ones[row][c], stays = one && row == c;
      const Id id{.kind = Id::Kind::matrix_cell, .a = static_cast<int>(row), .b = static_cast<int>(c)};
      s.boxes.push_back({.id = id,
                         .rect = {x, y, cell - 2, cell - 2},
                         .fill = one ? (stays ? theme.cell_plain : theme.accent) : theme.cell_empty,
                         .stroke = theme.cell_border,
                         .radius = 2});
      if (one)
        add_fitted(s, id, {x + cell / 2 - 1, y + cell / 2 - 1}, "1", stays ? theme.text : theme.background,
                   type_px::body, cell - 2);
      s.facts.push_back({id, fmt::format("{} of the destination {} {} of the source", in.rows[row],
                                         one ? "reads" : "does not read", in.columns[c])});
    }
    if (row < in.remarks.size() && !in.remarks[row].empty())
      add_text(s, {left + static_cast<float>(in.columns.size()) * cell + 6, y + cell / 2}, in.remarks[row],
               theme.text_dim, type_px::small);
  }
  s.height = top + cell * static_cast<float>(in.rows.size()) + 4;
  return s;
}

}  // namespace lanescope::views
