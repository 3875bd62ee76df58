#include "viz/views/registers/registers.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "viz/views/base/drawing.h"
#include "viz/views/base/elements.h"
#include "viz/views/registers/places.h"
#include "viz/views/registers/registers_geometry.h"

namespace lanescope::views {
namespace {

using Kind = trace::ElementTag::Kind;
Kind kind_of(const Cell& cell) { return static_cast<Kind>(cell.kind); }
bool has_element(const Cell& cell) {
  const Kind kind = kind_of(cell);
  return cell.buffer >= 0 && (kind == Kind::exact || kind == Kind::computed || kind == Kind::partial);
}

/// The text in the cells: which axes in which order, or values, or tags.
struct CellWords {
  std::vector<std::vector<int>> axes;  ///< per buffer
  std::string color_by;
  int lines = 1;                    ///< of a cell with an element
  std::vector<int> grid_lines{};    ///< of the cells of each grid
  std::vector<bool> no_elements{};  ///< grids whose cells hold none: they stand below the others
};

std::vector<int> label_axes(const ElementReader& reader, int buffer, const Moment& moment, std::string_view wanted) {
  std::vector<int> axes;
  while (!wanted.empty()) {
    const std::string_view word = wanted.substr(0, wanted.find(' '));
    wanted.remove_prefix(std::min(wanted.size(), word.size() + 1));
    if (const int axis = reader.find(word); axis >= 0) axes.push_back(axis);
  }
  if (axes.empty()) {
    // Axes that vary in any of the arrays: a transposed one varies along another axis than the one it was made from.
    std::set<int> varying;
    for (const RegisterGrid& grid : moment.grids)
      for (const int axis : varying_axes(reader, buffer, grid.cells)) varying.insert(axis);
    axes.assign(varying.begin(), varying.end());
    // Over several warps the axis that differs between warps is in the heading of the block, not in the cells.
    while (axes.size() > 2) axes.erase(axes.begin());
  }
  if (axes.empty()) axes.push_back(reader.axes() - 1);
  if (axes.size() > 3) axes.resize(3);
  return axes;
}

CellWords words_of(const Summary& summary, const std::vector<ElementReader>& readers, const Moment& moment,
                   const RegistersOptions& options) {
  CellWords words{.color_by = options.color_by};
  for (std::size_t b = 0; b < readers.size(); ++b)
    words.axes.push_back(label_axes(readers[b], static_cast<int>(b), moment, options.label_axes));
  bool colored = !words.color_by.empty();
  for (const RegisterGrid& grid : moment.grids)
    for (const Cell& cell : grid.cells) {
      if (!has_element(cell) || cell.buffer >= static_cast<int>(readers.size())) continue;
      words.lines = std::max(words.lines, static_cast<int>(words.axes[cell.buffer].size()));
      if (!colored) words.color_by = readers[cell.buffer].name(words.axes[cell.buffer].front());
      colored = true;
      break;
    }
  if (options.label == LabelMode::value) words.lines = 1;
  if (options.label == LabelMode::tag) words.lines = summary.buffers.empty() ? 1 : 2;
  for (const RegisterGrid& grid : moment.grids) {
    const bool any = std::any_of(grid.cells.begin(), grid.cells.end(), has_element);
    words.grid_lines.push_back(any ? words.lines : 1);
    words.no_elements.push_back(!any);
  }
  return words;
}

class RegistersDrawing : Drawing<RegistersOptions> {
 public:
  RegistersDrawing(const Summary& summary, const Moment& moment, const Selection& selection,
                   const RegistersOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        moment_(moment),
        readers_(element_readers(summary)),
        words_(words_of(summary, readers_, moment, options)),
        coloring_(readers_, words_.color_by),
        geometry_(moment, options.width, options.height, words_.grid_lines, words_.no_elements, label_columns()) {}

  Scene draw() {
    scene_.width = geometry_.width;
    scene_.height = geometry_.height;
    for (const RegisterArray& family : summary_.families) scene_.groups.push_back(family.name);
    std::size_t cells = 0;
    for (const RegisterGrid& grid : moment_.grids) cells += grid.cells.size();
    scene_.boxes.reserve(cells + cells / 8 + 64);
    scene_.labels.reserve(cells * static_cast<std::size_t>(words_.lines) + 256);
    lane_headings();
    for (const RegistersGeometry::Grid& grid : geometry_.grids) draw_grid(grid);
    draw_moves();
    remark();
    return std::move(scene_);
  }

 private:
  int label_columns() const {
    int widest = 5;
    for (const RegisterGrid& grid : moment_.grids)
      for (int reg = 0; reg < grid.registers; ++reg)
        widest = std::max(widest, columns(register_name(summary_, grid.family, reg, grid.parts - 1, grid.parts)));
    return widest;
  }

  void lane_headings() {
    add_text(scene_, {geometry_.left - 9, 10}, "lane", theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    const int stride = geometry_.lane_label_stride();
    for (int lane = 0; lane < 32; ++lane) {
      const Id id{.kind = Id::Kind::lane_heading, .c = lane};
      scene_.boxes.push_back({.id = id, .rect = {geometry_.lane_x[lane], 2, geometry_.cell_width, 16}});
      if (lane % stride != 0) continue;
      const bool marked = lane % 8 == 0;
      add_text(scene_, {geometry_.lane_x[lane] + geometry_.cell_width / 2, 10}, std::to_string(lane),
               marked ? theme_.text : theme_.text_dim, type_px::tiny, marked ? Face::mono_bold : Face::mono,
               Align::center, id, 0, marked ? 0.0f : smallest_type / type_px::tiny);
    }
    if (const std::uint32_t group = group_of(moment_); group != 0) ranks(group);
  }

  /// Below the numbers of the lanes: those in the group of lanes that execute the step.
  void ranks(std::uint32_t group) {
    const float y = RegistersGeometry::heading_height + RegistersGeometry::ranks_height / 2 - 1;
    add_text(scene_, {geometry_.left - 9, y}, "rank", theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    const int stride = geometry_.lane_label_stride();
    for (int lane = 0; lane < 32; ++lane) {
      const Id id{.kind = Id::Kind::lane_heading, .c = lane};
      const auto rank = rank_in(group, lane);
      if (!rank) continue;
      scene_.boxes.push_back({.id = id,
                              .rect = {geometry_.lane_x[lane], RegistersGeometry::heading_height - 1,
                                       geometry_.cell_width, RegistersGeometry::ranks_height}});
      if (*rank % stride != 0) continue;
      add_text(scene_, {geometry_.lane_x[lane] + geometry_.cell_width / 2, y}, std::to_string(*rank), theme_.text,
               type_px::tiny, Face::mono, Align::center, id, 0, smallest_type / type_px::tiny);
    }
  }

  void draw_grid(const RegistersGeometry::Grid& place) {
    const RegisterGrid& grid = *place.grid;
    for (int w = 0; w < grid.warps; ++w) {
      if (place.heading > 0) warp_heading(place, w);
      for (int reg = 0; reg < grid.registers; ++reg)
        for (int part = 0; part < grid.parts; ++part) draw_row(place, w, reg, part);
    }
  }

  void warp_heading(const RegistersGeometry::Grid& place, int w) {
    const RegisterGrid& grid = *place.grid;
    const Id id{.kind = Id::Kind::warp_heading, .b = grid.first_warp + w, .group = grid.family};
    const float y = place.warp_top(w) - place.heading;
    scene_.boxes.push_back({.id = id, .rect = {0, y, geometry_.width, place.heading}});
    const std::string family = grid.family >= 0 && grid.family < static_cast<int>(summary_.families.size())
                                   ? summary_.families[grid.family].name + " · "
                                   : "";
    add_text(scene_, {geometry_.left, y + place.heading / 2}, fmt::format("{}warp {}", family, grid.first_warp + w),
             theme_.text_dim, type_px::small, Face::sans_bold, Align::left, id);
  }

  void draw_row(const RegistersGeometry::Grid& place, int w, int reg, int part) {
    const RegisterGrid& grid = *place.grid;
    const int warp = grid.first_warp + w;
    row_label(place, w, reg, part);
    int changed = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const Cell& cell = grid.at(w, reg, part, lane);
      const Rect rect = geometry_.cell(place, w, reg, part, lane);
      const Id id{.kind = Id::Kind::register_cell, .a = reg, .b = warp, .c = lane, .d = part, .group = grid.family};
      draw_cell(grid, cell, id, rect);
      ++cells_;
      if (cell.changed) ++changed, ++changed_;
      const bool same = selection_.element && has_element(cell) && selection_.element->first == cell.buffer &&
                        selection_.element->second == cell.element;
      const bool placed = selection_.place && *selection_.place == PlaceRef{grid.family, warp, reg, part, lane};
      if (same || placed) selected_.push_back({id, rect});
      if (has_element(cell) &&
          std::ranges::find(selection_.pins, std::pair<int, std::uint64_t>(cell.buffer, cell.element)) !=
              selection_.pins.end())
        pinned_.push_back({id, rect});
    }
    if (changed == 0) return;
    const Rect first = geometry_.cell(place, w, reg, part, 0), last = geometry_.cell(place, w, reg, part, 31);
    if (changed == 32) {  // one frame says the same as 32
      outline_changed({.kind = Id::Kind::register_row, .a = reg, .b = warp, .d = part, .group = grid.family},
                      {first.x - 1.5f, first.y - 0.5f, last.x + last.w - first.x + 3, first.h + 1});
      return;
    }
    for (int lane = 0; lane < 32; ++lane) {
      if (!grid.at(w, reg, part, lane).changed) continue;
      outline_changed(
          {.kind = Id::Kind::register_cell, .a = reg, .b = warp, .c = lane, .d = part, .group = grid.family},
          geometry_.cell(place, w, reg, part, lane));
    }
  }

  void outline_changed(Id id, Rect rect) {
    scene_.outlines.push_back({.id = id, .rect = rect, .stroke = theme_.changed, .stroke_width = 1.3f, .radius = 2.5f});
  }

  void row_label(const RegistersGeometry::Grid& place, int w, int reg, int part) {
    const RegisterGrid& grid = *place.grid;
    const Id id{.kind = Id::Kind::register_row, .a = reg, .b = grid.first_warp + w, .d = part, .group = grid.family};
    const float y = place.row_top(w, reg, part);
    scene_.boxes.push_back({.id = id, .rect = {0, y, geometry_.left - 4, place.cell_height}});
    // Of 32 single bits every eighth is named.
    if (grid.parts >= 32 && part % 8 != 0) return;
    add_text(scene_, {geometry_.left - 9, y + place.cell_height / 2},
             register_name(summary_, grid.family, reg, part, grid.parts), theme_.text_dim, type_px::small, Face::mono,
             Align::right, id, geometry_.left - 11, smallest_type / type_px::small * 0.9f);
  }

  int ramp_of(const RegisterGrid& grid, const Cell& cell, const Id& id) const {
    switch (coloring_.by()) {
      case Coloring::By::lane:
        return Theme::ramp_index(id.c, 32);
      case Coloring::By::warp:
        return Theme::ramp_index(id.b, std::max(summary_.warps, 1u));
      case Coloring::By::reg:
        return Theme::ramp_index(id.a, grid.registers);
      case Coloring::By::element:
        break;
    }
    return Theme::ramp_index(coloring_.of_element(cell.buffer, cell.element), coloring_.count(cell.buffer));
  }

  void draw_cell(const RegisterGrid& grid, const Cell& cell, const Id& id, Rect rect) {
    const bool bars = grid.parts >= 32;
    Box box{.id = id, .rect = rect, .fill = theme_.cell_empty, .radius = bars ? 1.0f : 2.0f};
    Color text = theme_.text, second = theme_.text_dim;
    if (!cell.defined) {
      box.stroke = theme_.cell_border;
    } else if (kind_of(cell) == Kind::mixed) {
      box.fill = theme_.cell_mixed, box.hatched = true;
    } else if (!has_element(cell)) {
      box.fill = theme_.cell_plain;
    } else {
      const int ramp = ramp_of(grid, cell, id);
      box.fill = theme_.ramp[ramp], text = theme_.ramp_text[ramp], second = theme_.ramp_text_dim[ramp];
      if (kind_of(cell) == Kind::partial) box.stroke = theme_.ramp_text[ramp], box.dashed = true;
    }
    scene_.boxes.push_back(box);
    if (cell.defined && kind_of(cell) == Kind::computed && !bars) computed_mark(rect, text);
    if (cell.defined && !bars) cell_labels(grid, cell, id, rect, text, second);
    if (!bars || cell.defined) tally(cell);
  }

  // "Computed from this element": a bar along the cell's lower edge.
  void computed_mark(Rect rect, Color color) {
    add_box(scene_, {rect.x + 3, rect.y + rect.h - 3, rect.w - 6, 1.5f}, color);
  }

  void tally(const Cell& cell) {
    if (!cell.defined) {
      ++undefined_;
      return;
    }
    switch (kind_of(cell)) {
      case Kind::computed:
        ++computed_;
        break;
      case Kind::mixed:
        ++mixed_;
        break;
      case Kind::partial:
        ++partial_;
        break;
      default:
        break;
    }
  }

  void cell_labels(const RegisterGrid& grid, const Cell& cell, const Id& id, Rect rect, Color text, Color second) {
    if (options_.label == LabelMode::value)
      return line(id, rect, 0, 1, value_of(grid, cell, rect), text, Face::mono, 4);
    if (kind_of(cell) == Kind::mixed)
      return line(id, rect, 0, 1, fmt::format("{{{}}}", cell.sources), text, Face::mono, 4);
    if (!has_element(cell)) {  // its value says more than nothing
      ++values_;
      const std::size_t before = scene_.labels.size();
      line(id, rect, 0, 1, value_of(grid, cell, rect), second, Face::mono);
      values_drawn_ += scene_.labels.size() - before;
      return;
    }
    if (cell.buffer >= static_cast<int>(readers_.size())) return;
    if (options_.label == LabelMode::tag) {
      line(id, rect, 0, 2, summary_.buffers[cell.buffer].name, second, Face::mono);
      return line(id, rect, 1, 2, std::to_string(cell.element), text, Face::mono_bold, 3);
    }
    const std::vector<int>& axes = words_.axes[cell.buffer];
    const int lines = static_cast<int>(axes.size());
    for (int n = 0; n < lines; ++n)
      line(id, rect, n, lines, std::to_string(readers_[cell.buffer].coordinate(cell.element, axes[n])),
           n == 0 ? text : second, n == 0 && lines > 1 ? Face::mono_bold : Face::mono);
  }

  /// In as many characters as can be read in the cell.
  std::string value_of(const RegisterGrid& grid, const Cell& cell, Rect rect) const {
    const BufferInfo* info = buffer_of(summary_, cell.buffer);
    const std::string_view type = info != nullptr ? std::string_view(info->element_type) : std::string_view();
    const int room = static_cast<int>((rect.w - 1) / (mono_advance * smallest_type));
    return short_value_text(type, grid.element_bits, cell.value, std::max(room, 3));
  }

  /// `least_columns`: texts up to that long get one size, so that "1" is not larger than "1.02".
  void line(const Id& id, Rect rect, int n, int lines, std::string text, Color color, Face face,
            int least_columns = 2) {
    const float fits = (rect.w - 2) / (mono_advance * static_cast<float>(least_columns));
    // High cells have larger numbers: they are there to be read from afar.
    const float largest = std::clamp(rect.h * 0.26f, type_px::note, 16.0f);
    const float pitch = std::min(largest * 1.3f, (rect.h - 3) / static_cast<float>(lines));
    const float y = rect.y + rect.h / 2 + (static_cast<float>(n) - static_cast<float>(lines - 1) / 2) * pitch;
    add_fitted(scene_, id, {rect.x + rect.w / 2, y}, std::move(text), color, std::min({largest, fits, pitch * 1.16f}),
               rect.w, 1.5f, face);
  }

  bool has_elements() const {
    return std::any_of(moment_.grids.begin(), moment_.grids.end(), [](const RegisterGrid& grid) {
      return std::any_of(grid.cells.begin(), grid.cells.end(), has_element);
    });
  }

  void draw_moves();
  void add_move(std::uint32_t number, std::uint32_t bundled);
  std::vector<std::string> remarks() const;
  void remark();

  const Moment& moment_;
  std::vector<ElementReader> readers_;
  CellWords words_;
  Coloring coloring_;
  RegistersGeometry geometry_;
  struct Selected {
    Id id;
    Rect rect;
  };
  std::vector<Selected> selected_, pinned_;
  std::size_t cells_ = 0, changed_ = 0, undefined_ = 0, computed_ = 0, mixed_ = 0, partial_ = 0, values_ = 0,
              values_drawn_ = 0;
  std::size_t hidden_moves_ = 0;
};

// One arrow for move `number`, the first of `bundled` moves.
void RegistersDrawing::add_move(std::uint32_t number, std::uint32_t bundled) {
  const Move& move = moment_.moves[number];
  const auto* from_grid = geometry_.grid_of(move.from);
  const auto* to_grid = geometry_.grid_of(move.to);
  if (from_grid == nullptr || to_grid == nullptr) {
    hidden_moves_ += bundled;
    return;
  }
  const auto cell = [&](const RegistersGeometry::Grid& g, const PlaceRef& p) {
    return geometry_.cell(g, p.warp - g.grid->first_warp, p.reg, p.part, p.lane);
  };
  const Rect a = cell(*from_grid, move.from), b = cell(*to_grid, move.to);
  Point from = center(a), to = center(b);
  const float length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1.0f);
  float bend = std::min(0.16f, 48 / length);  // long arrows bulge about one row
  if (b.y > a.y + 1) {
    from.y = a.y + a.h - 2, to.y = b.y;
  } else if (b.y < a.y - 1) {
    from.y = a.y + 2, to.y = b.y + b.h;
  } else {
    from.y = a.y + 2, to.y = b.y;
    bend = std::min(0.22f, 40 / length) * (from.x < to.x ? -1.0f : 1.0f);  // both ways arch above the row
  }
  const bool many = bundled > 1;
  scene_.arrows.push_back(
      {.id = {.kind = Id::Kind::move_arrow, .a = static_cast<int>(number), .b = many ? static_cast<int>(bundled) : 0},
       .from = from,
       .to = to,
       .color = theme_.arrow,
       .width = many ? 2.0f : 1.5f,
       .bend = bend,
       .count = many ? fmt::format("×{}", spaced(bundled)) : std::string()});
}

void RegistersDrawing::draw_moves() {
  for (const Selected& one : selected_) add_selection(scene_, one.id, one.rect, theme_);
  for (const Selected& one : pinned_) add_pin(scene_, one.id, one.rect, theme_);
  const std::vector<Move>& moves = moment_.moves;
  if (!options_.arrows || moves.empty()) return;
  if (static_cast<int>(moves.size()) <= options_.most_arrows) {
    for (std::uint32_t n = 0; n < moves.size(); ++n) add_move(n, 1);
    return;
  }
  const std::vector<MoveBundle> bundles = bundle(moves);
  const std::size_t drawn = std::min(bundles.size(), static_cast<std::size_t>(std::max(options_.most_arrows, 1)));
  for (std::size_t n = drawn; n < bundles.size(); ++n) hidden_moves_ += bundles[n].moves;
  // Bundles of one pair of registers share a range of lanes, different pairs are side by side, so that few cross.
  std::vector<std::array<int, 4>> pairs;
  std::vector<std::size_t> slots;
  for (std::size_t n = 0; n < drawn; ++n) {
    const Move& m = bundles[n].first;
    std::array<int, 2> a{m.from.reg, m.from.part}, b{m.to.reg, m.to.part};
    if (b < a) std::swap(a, b);
    const std::array<int, 4> pair{a[0], a[1], b[0], b[1]};
    const auto known = std::find(pairs.begin(), pairs.end(), pair);
    slots.push_back(static_cast<std::size_t>(known - pairs.begin()));
    if (known == pairs.end()) pairs.push_back(pair);
  }
  for (std::size_t n = 0; n < drawn; ++n) {
    const MoveBundle& all = bundles[n];
    const std::size_t per_warp = std::max<std::size_t>(all.moves / std::max(all.warps, 1u), 1);
    const std::size_t member = per_warp * (2 * slots[n] + 1) / (2 * pairs.size());
    add_move(all.members[std::min(member, all.members.size() - 1)], all.moves);
  }
}

std::vector<std::string> RegistersDrawing::remarks() const {
  std::vector<std::string> parts;
  if (moment_.grids.size() > 1 && moment_.grids.front().warps == 1)
    parts.push_back(fmt::format("warp {}", moment_.grids.front().first_warp));
  const bool labelled =
      std::any_of(moment_.grids.begin(), moment_.grids.end(), [](const auto& g) { return g.parts < 32; });
  if (labelled && options_.label == LabelMode::element && words_.lines > 1 && !words_.axes.empty()) {
    std::string axes;
    for (std::size_t n = 0; n < words_.axes[0].size(); ++n) {
      const std::string& name = readers_[0].name(words_.axes[0][n]);
      const bool last = n + 1 == words_.axes[0].size();
      axes += fmt::format("{}{} {}", n == 0 ? "" : ", ", name, n == 0 ? "above" : last ? "below" : "between");
    }
    parts.push_back("each cell: " + axes);
  } else if (labelled && options_.label == LabelMode::value) {
    parts.emplace_back("each cell: its value");
  } else if (labelled && options_.label == LabelMode::tag) {
    parts.emplace_back("each cell: buffer and element number");
  }
  if (values_ > 0)
    parts.emplace_back(has_elements()      ? "grey: a value that is no element"
                       : values_drawn_ > 0 ? "each cell: its value"
                                           : "too narrow for the values of its cells");
  if (!words_.color_by.empty() && has_elements()) parts.push_back("colour: " + words_.color_by);
  if (changed_ > 0)
    parts.push_back(fmt::format("outlined: written in this step, {} of {} cells", spaced(changed_), spaced(cells_)));
  if (!moment_.moves.empty()) {
    const std::size_t moved = moment_.moves.size();
    parts.push_back(moved < changed_ ? fmt::format("arrows: {} of these elements {} in another cell before",
                                                   spaced(moved), moved == 1 ? "was" : "were")
                                     : counted(moved, "element") + (moved == 1 ? " moves" : " move"));
  }
  if (hidden_moves_ > 0) parts.push_back(counted(hidden_moves_, "move") + " not drawn");
  if (computed_ > 0) parts.push_back(fmt::format("underlined: computed ({})", spaced(computed_)));
  if (mixed_ > 0) parts.push_back(fmt::format("hatched {{n}}: depends on n elements ({})", spaced(mixed_)));
  if (partial_ > 0) parts.push_back(fmt::format("dashed: part of an element ({})", spaced(partial_)));
  if (undefined_ > 0) parts.push_back(fmt::format("empty: no value yet ({})", spaced(undefined_)));
  return parts;
}

// As many lines as the remarks need; they are never cut.
void RegistersDrawing::remark() {
  const float room = scene_.width - 24;
  std::vector<std::string> lines(1);
  for (const std::string& part : remarks()) {
    const std::string longer = lines.back().empty() ? part : lines.back() + " · " + part;
    if (sans_width(longer, type_px::note) > room && !lines.back().empty())
      lines.push_back(part);
    else
      lines.back() = longer;
  }
  float y = scene_.height - 11;
  for (std::string& line : lines) {
    add_text(scene_, {12, y}, std::move(line), theme_.text_dim, type_px::note, Face::sans, Align::left,
             {.kind = Id::Kind::remark}, room);
    y += RegistersGeometry::remark_pitch;
  }
  scene_.height = y - 6;
}

}  // namespace

std::string color_in_use(const Summary& summary, const Moment& moment, const std::string& color_by) {
  RegistersOptions options{.color_by = color_by};
  return color_by.empty() ? words_of(summary, element_readers(summary), moment, options).color_by : color_by;
}

Scene registers_view(const Summary& summary, const Moment& moment, const Selection& selection,
                     const RegistersOptions& options, const Theme& theme) {
  if (moment.grids.empty())
    return empty_view(options.width > 0 ? options.width : 720, 200,
                      "No variable has a probe here. Choose one in the source to see its registers.", theme);
  return RegistersDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
