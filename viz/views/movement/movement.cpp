#include "viz/views/movement/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <unordered_map>

#include "viz/views/base/drawing.h"
#include "viz/views/base/elements.h"
#include "viz/views/movement/paths.h"
#include "viz/views/registers/places.h"

namespace lanescope::views {
namespace {

using results::Flow;
using results::Movement;
using results::MovementRow;
using Region = MovementRow::Region;
using TagKind = trace::ElementTag::Kind;

constexpr int most_arrows = 64;

bool has_number(const Cell& c) {
  const auto kind = static_cast<TagKind>(c.kind);
  return c.defined && c.buffer >= 0 &&
         (kind == TagKind::exact || kind == TagKind::computed || kind == TagKind::partial);
}
std::uint64_t number_of(const Cell& c) {
  return static_cast<std::uint64_t>(static_cast<std::uint8_t>(c.buffer)) << 32 | c.element;
}

bool is_cell(const Movement& m, const Id& id) {
  return id.a >= 0 && id.a < static_cast<int>(m.rows.size()) && id.b >= 0 &&
         id.b < static_cast<int>(m.rows[static_cast<std::size_t>(id.a)].after.size());
}

class Painter : Drawing<MovementOptions> {
 public:
  Painter(const Summary& summary, const Moment& moment, const Selection& selection, const MovementOptions& options,
          const Theme& theme, float top)
      : Drawing{summary, selection, options, theme},
        m_(*moment.movement),
        paths_(m_, {.width = options.width,
                    .height = options.height,
                    .top = top,
                    .lane = selection.place ? selection.place->lane : 0}),
        readers_(element_readers(summary)),
        coloring_(readers_, options.color_by) {
    share_ = std::clamp(selection.share, 0.0f, 1.0f);
    for (const MovementRow& r : m_.rows)
      for (const auto* cells : {&r.before, &r.after})
        for (const Cell& c : *cells)
          if (has_number(c)) numbers_.push_back(number_of(c));
    std::ranges::sort(numbers_);
    const auto extra = std::ranges::unique(numbers_);
    numbers_.erase(extra.begin(), extra.end());
    const std::vector<int> flows = selected_flows(m_, selection);
    selected_.insert(flows.begin(), flows.end());
    for (std::size_t n = 0; n < m_.flows.size(); ++n) {
      const Flow& f = m_.flows[n];
      if (is_pinned(f)) pinned_.insert(static_cast<int>(n));
      taking_part_.insert({f.to_row, f.to_column});
      if (f.kind != Flow::Kind::appeared) taking_part_.insert({f.from_row, f.from_column});
    }
  }

  Scene draw() {
    scene_.width = options_.width;
    choose_labels();
    headings();
    for (int row = 0; row < static_cast<int>(m_.rows.size()); ++row) slots(row);
    trails();
    chips();
    arrows();
    remarks();
    return std::move(scene_);
  }

 private:
  const MovementRow& row(int n) const { return m_.rows[static_cast<std::size_t>(n)]; }

  bool is_pinned(const Flow& f) const {
    const Cell& now = row(f.to_row).after[f.to_column];
    const auto pinned = [&](const Cell& c) {
      return has_number(c) && std::ranges::find(selection_.pins, std::pair(int{c.buffer}, std::uint64_t{c.element})) !=
                                  selection_.pins.end();
    };
    return pinned(now) || (f.kind != Flow::Kind::appeared && pinned(row(f.from_row).before[f.from_column]));
  }

  // --- what cells say -------------------------------------------------------------------------------------------------

  std::string label_of(const MovementRow& r, const Cell& c, int most) const {
    if (!c.defined || most < 1) return "";
    const BufferInfo* info = buffer_of(summary_, c.buffer);
    const std::string_view type = info == nullptr ? "" : std::string_view(info->element_type);
    const int bits = std::min(r.cell_bits, 32);
    if (options_.values) return short_value_text(type, bits, c.value, most);
    if (has_number(c)) {
      const std::string text = std::to_string(c.element);
      return static_cast<int>(text.size()) <= most ? text : "";
    }
    if (static_cast<TagKind>(c.kind) != TagKind::mixed) return short_value_text(type, bits, c.value, most);
    // Of few elements each, else how many.
    if (c.set >= 0 && static_cast<std::size_t>(c.set) < m_.sets.size() && c.sources <= 4) {
      std::string text;
      for (const auto& [buffer, element] : unfold(m_.sets[static_cast<std::size_t>(c.set)]))
        text += (text.empty() ? "" : ",") + std::to_string(element);
      if (!text.empty() && static_cast<int>(text.size()) <= most) return text;
    }
    const std::string count = fmt::format("{{{}}}", c.sources);
    return static_cast<int>(count.size()) <= most ? count : "";
  }

  /// All labels have one size.
  void choose_labels() {
    std::size_t longest = 1;
    float least = options_.width;
    for (int n = 0; n < static_cast<int>(m_.rows.size()); ++n) {
      const MovementRow& r = row(n);
      if (!paths_.is_above(n) && !paths_.is_below(n)) continue;
      for (std::size_t c = 0; c < r.after.size(); ++c) {
        if (!paths_.drawn(n, static_cast<int>(c))) continue;
        least = std::min(least, paths_.after(n, static_cast<int>(c)).w);
        for (const Cell* cell : {&r.before[c], &r.after[c]})
          longest = std::max(longest, static_cast<std::size_t>(columns(label_of(r, *cell, options_.values ? 4 : 5))));
      }
    }
    label_px_ =
        std::min({type_px::body, (least - 2) / (mono_advance * static_cast<float>(longest)), paths_.cell_height() - 2});
    most_columns_ = static_cast<int>((least - 2) / (mono_advance * std::max(label_px_, 1.0f)) + 0.01f);
  }

  /// Ramp position of a value: the same on its whole way. `at`: where it stands or stood.
  int ramp_of(const Cell& c, int at_row, int at_column) const {
    if (has_number(c)) {
      if (!options_.color_by.empty() && coloring_.by() == Coloring::By::element)
        return Theme::ramp_index(coloring_.of_element(c.buffer, c.element), coloring_.count(c.buffer));
      const auto place = std::ranges::lower_bound(numbers_, number_of(c)) - numbers_.begin();
      return Theme::ramp_index(static_cast<std::uint64_t>(place), numbers_.size());
    }
    return Theme::ramp_index(static_cast<std::uint64_t>(at_column), row(at_row).after.size());
  }

  // --- rows -----------------------------------------------------------------------------------------------------------

  /// Numbers of lanes, banks or words over each set of rows.
  void headings() {
    for (const bool below : {false, true}) {
      int first = -1;
      for (int n = 0; n < static_cast<int>(m_.rows.size()); ++n) {
        if (below ? !paths_.is_below(n) : !paths_.is_above(n)) continue;
        if (first < 0 || paths_.row_y(n, below) < paths_.row_y(first, below)) first = n;
      }
      if (first < 0) continue;
      const float y = paths_.row_y(first, below) - 7;
      const MovementRow& r = row(first);
      const bool registers = r.region == Region::registers;
      const bool bits = paths_.one_lane();
      const char* what = bits ? "bit" : registers ? "lane" : r.region == Region::shared ? "bank" : "word";
      add_text(scene_, {paths_.left() - 9, y}, what, theme_.text_faint, type_px::tiny, Face::sans, Align::right);
      const int count = bits ? paths_.columns_of_lane() : 32;
      const float w = 32 * paths_.word_width() / static_cast<float>(count);
      const int each = bits ? std::max(r.cell_bits, 1) : 1;
      for (int c = 0; c < count; c += w < 13 ? 4 : 1)
        add_text(scene_, {paths_.left() + (static_cast<float>(c) + 0.5f) * w, y},
                 std::to_string(bits ? (count - 1 - c) * each : c), theme_.text_faint, type_px::tiny, Face::mono,
                 Align::center, registers && !bits ? Id{.kind = Id::Kind::lane_heading, .c = c} : Id{});
    }
  }

  std::string name_of(const MovementRow& r) const {
    switch (r.region) {
      case Region::registers:
        return register_name(summary_, r.family, r.reg, paths_.one_lane() ? 0 : r.part,
                             paths_.one_lane() ? 1 : r.parts);
      case Region::shared:
        return fmt::format("shared +{}", r.line * 128);
      case Region::global:
        break;
    }
    const BufferInfo* info = buffer_of(summary_, r.buffer);
    const std::uint64_t element =
        r.line * 1024 / static_cast<std::uint64_t>(info ? std::max(info->element_bits, 1) : 32);
    return fmt::format("{}[{}…]", buffer_name(summary_, r.buffer, "global"), element);
  }

  void slots(int n) {
    const MovementRow& r = row(n);
    for (const bool after : {false, true}) {
      if (after ? !paths_.is_below(n) : !paths_.is_above(n)) continue;
      const float y = paths_.row_y(n, after) + paths_.cell_height() / 2;
      const bool first_of_lane = !paths_.one_lane() || r.part == 0;
      const bool named = first_of_lane && std::ranges::all_of(named_y_, [&](float k) { return std::abs(k - y) > 10; });
      if (named) {
        named_y_.push_back(y);
        std::string name = name_of(r);
        if (paths_.twice(n)) name += after ? " after" : " before";
        add_text(scene_, {paths_.left() - 9, y}, std::move(name), theme_.text_dim,
                 std::min(type_px::small, paths_.cell_height() + 3), Face::mono, Align::right, {}, paths_.left() - 12);
      }
      for (int c = 0; c < static_cast<int>(r.after.size()); ++c) {
        if (!paths_.drawn(n, c)) continue;
        const Id id{.kind = Id::Kind::movement_cell, .a = n, .b = c, .c = after ? 1 : 0};
        add_box(scene_, after ? paths_.after(n, c) : paths_.before(n, c), theme_.cell_empty, id, radius(),
                paths_.cell_height() > 5 ? theme_.cell_border : Color{});
      }
    }
  }
  float radius() const { return std::min(3.0f, paths_.cell_height() / 5); }

  // --- values ---------------------------------------------------------------------------------------------------------

  bool travels(std::size_t flow) const {
    const Flow& f = m_.flows[flow];
    if (f.kind == Flow::Kind::appeared || !paths_.flow_drawn(flow)) return false;
    const Rect a = paths_.before(f.from_row, f.from_column), b = paths_.after(f.to_row, f.to_column);
    return a.x != b.x || a.y != b.y;
  }

  /// The path after each value, as dots.
  void trails() {
    std::size_t count = 0;
    for (std::size_t n = 0; n < m_.flows.size(); ++n) count += travels(n);
    const bool all = count <= static_cast<std::size_t>(most_movement_paths);
    for (std::size_t n = 0; n < m_.flows.size(); ++n) {
      const bool chosen = pinned_.contains(static_cast<int>(n));
      if ((!all && !chosen) || !travels(n)) continue;
      const Flow& f = m_.flows[n];
      const float t = paths_.place(n, share_).t;
      if (t <= 0) continue;
      const Cell& was = row(f.from_row).before[f.from_column];
      const Color color = theme_.ramp[static_cast<std::size_t>(ramp_of(was, f.from_row, f.from_column))];
      const Color ink = mix(theme_.panel, color, chosen ? 1.0 : 0.62);
      const Rect from = paths_.before(f.from_row, f.from_column), to = paths_.after(f.to_row, f.to_column);
      const float length = std::hypot(to.x - from.x, to.y - from.y);
      const int dots = std::clamp(static_cast<int>(length / (count > 64 ? 12.0f : 7.0f)), 4, 90);
      const float size = chosen ? 2.4f : 1.5f;
      for (int k = 1; k < dots; ++k) {
        const float at = static_cast<float>(k) / static_cast<float>(dots);
        if (at > t) break;
        const Point p = paths_.point(n, at);
        if (from.contains(p)) continue;
        add_box(scene_, {p.x - size / 2, p.y - size / 2, size, size}, ink, {}, size / 2);
      }
    }
  }

  void chips() {
    const std::vector<MovementChip> all = movement_chips(m_, paths_, share_);
    const std::vector<bool> covered = covered_middles(all);
    for (std::size_t n = 0; n < all.size(); ++n) {
      const MovementChip& c = all[n];
      const bool still = c.flow < 0;
      const Id id = still ? Id{.kind = Id::Kind::movement_cell, .a = c.row, .b = c.column, .c = c.above ? 0 : 1}
                          : Id{.kind = Id::Kind::movement_chip, .a = c.flow};
      const bool mixed = static_cast<TagKind>(c.cell->kind) == TagKind::mixed;
      const int ramp = ramp_of(*c.cell, c.origin_row, c.origin_column);
      Color fill = theme_.ramp[static_cast<std::size_t>(ramp)], ink = theme_.ramp_text[static_cast<std::size_t>(ramp)];
      // A copy that stays is drawn a little weaker while copies travel.
      float strength = c.strength;
      if (still && !takes_part(c)) strength *= 0.3f;
      if (still && share_ > 0 && share_ < 1 && is_read(c)) strength *= 0.6f;
      if (strength < 1) fill = mix(theme_.cell_empty, fill, strength), ink = mix(fill, theme_.text, strength);
      if (c.ghost) ink = mix(fill, theme_.text, 0.55);
      scene_.boxes.push_back({.id = id,
                              .rect = c.rect,
                              .fill = fill,
                              .stroke = still ? Color{} : theme_.panel,
                              .stroke_width = 1,
                              .radius = radius(),
                              .hatched = mixed && paths_.cell_height() > 10});
      if (covered[n] || label_px_ < smallest_type || (strength < 0.3f && !c.ghost)) continue;
      std::string text = label_of(row(c.row), *c.cell, most_columns_);
      if (!text.empty() && c.rect.h + 1.5f >= label_px_)
        add_fitted(scene_, id, center(c.rect), std::move(text), ink, label_px_, std::max(c.rect.w, 1.0f), 1);
    }
    for (const MovementChip& c : all) mark(c);
  }

  /// It is read, or stands where something is written.
  bool takes_part(const MovementChip& c) const {
    return row(c.row).region == Region::registers || taking_part_.contains({c.row, c.column});
  }
  bool is_read(const MovementChip& c) const { return row(c.row).read && !row(c.row).written; }

  void mark(const MovementChip& c) {
    const bool pinned =
        has_number(*c.cell) && c.strength > 0 && !c.ghost &&
        std::ranges::find(selection_.pins, std::pair(int{c.cell->buffer}, std::uint64_t{c.cell->element})) !=
            selection_.pins.end();
    const Id id{.kind = Id::Kind::movement_chip, .a = c.flow};
    if (pinned)
      scene_.outlines.push_back(
          {.id = id, .rect = inset(c.rect, -1), .stroke = theme_.accent, .stroke_width = 2, .radius = 3});
    if (c.flow >= 0 && selected_.contains(c.flow) && static_cast<int>(selected_.size()) <= most_arrows)
      add_selection(scene_, id, c.rect, theme_);
  }

  /// The middle, or a part of the number around it.
  static bool covers(const Rect& r, Point p, float width) {
    const float half = width * 0.3f;
    return r.contains(p) || r.contains({p.x - half, p.y}) || r.contains({p.x + half, p.y});
  }
  /// Whose middle another one covers that is painted later: its number would be painted over that.
  static std::vector<bool> covered_middles(const std::vector<MovementChip>& all) {
    std::vector<bool> covered(all.size(), false);
    float w = 8, h = 8;
    for (const MovementChip& c : all) w = std::max(w, c.rect.w), h = std::max(h, c.rect.h);
    std::unordered_map<std::int64_t, std::vector<std::size_t>> at;
    const auto cell = [&](float x, float y) {
      return static_cast<std::int64_t>(std::floor(x / w)) * 65536 + static_cast<std::int64_t>(std::floor(y / h));
    };
    for (std::size_t n = 0; n < all.size(); ++n) at[cell(center(all[n].rect).x, center(all[n].rect).y)].push_back(n);
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Point p = center(all[n].rect);
      for (int dx = -1; dx <= 1 && !covered[n]; ++dx)
        for (int dy = -1; dy <= 1 && !covered[n]; ++dy) {
          const auto found = at.find(cell(p.x + static_cast<float>(dx) * w, p.y + static_cast<float>(dy) * h));
          if (found == at.end()) continue;
          for (const std::size_t other : found->second)
            if (other > n && covers(all[other].rect, p, all[n].rect.w)) covered[n] = true;
        }
    }
    return covered;
  }

  /// One for each value that the selection is about, from before to after.
  void arrows() {
    std::set<int> shown = pinned_;
    shown.insert(selected_.begin(), selected_.end());
    if (static_cast<int>(shown.size()) > most_arrows) shown = pinned_;
    int number = 0;
    for (const int n : shown) {
      if (!travels(static_cast<std::size_t>(n)) || number >= most_arrows) continue;
      const Flow& f = m_.flows[static_cast<std::size_t>(n)];
      const Rect a = paths_.before(f.from_row, f.from_column), b = paths_.after(f.to_row, f.to_column);
      Point from = center(a), to = center(b);
      // From edge to edge, so that neither number is hidden.
      if (std::abs(to.y - from.y) > a.h) {
        from.y += (to.y > from.y ? 0.5f : -0.5f) * a.h;
        to.y -= (to.y > from.y ? 0.5f : -0.5f) * b.h;
      }
      scene_.arrows.push_back({.id = {.kind = Id::Kind::move_arrow, .a = number++},
                               .from = from,
                               .to = to,
                               .color = theme_.arrow,
                               .width = 2,
                               .bend = std::abs(to.x - from.x) < 2 ? 0.0f : 0.1f});
    }
  }

  /// Whether all lanes do what the drawn one does.
  bool lanes_alike() const {
    std::set<std::array<int, 3>> pattern[2];
    for (int lane = 0; lane < 32; ++lane) {
      std::set<std::array<int, 3>>& own = pattern[lane > 0];
      own.clear();
      for (const Flow& f : m_.flows)
        if (f.to_column == lane) own.insert({static_cast<int>(f.kind), f.from_row, f.to_row});
      if (lane > 0 && pattern[0] != pattern[1]) return false;
    }
    return true;
  }

  void remarks() {
    float y = paths_.bottom() + 10;
    std::vector<std::string> words;
    if (paths_.one_lane()) {
      const int lane = selection_.place ? std::clamp(selection_.place->lane, 0, 31) : 0;
      words.push_back(lanes_alike() ? fmt::format("Drawn: lane {}. All lanes do the same.", lane)
                                    : fmt::format("Drawn: lane {}. Other lanes do something else.", lane));
    }
    if (m_.overwritten > 0)
      words.push_back(fmt::format("{} overwritten.",
                                  m_.overwritten == 1 ? "One value is" : fmt::format("{} values are", m_.overwritten)));
    if (const int hidden = paths_.hidden_rows(); hidden > 0)
      words.push_back(fmt::format("{} more rows do not fit, with {} values.", hidden, paths_.hidden_flows()));
    std::string all;
    for (const std::string& w : words) all += (all.empty() ? "" : " ") + w;
    if (!all.empty()) {
      add_text(scene_, {paths_.left(), y}, all, theme_.text_dim, type_px::note, Face::sans, Align::left,
               {.kind = Id::Kind::remark}, options_.width - paths_.left());
      y += 16;
    }
    scene_.height = std::max(y, options_.height);
  }

  const Movement& m_;
  MovementPaths paths_;
  std::vector<ElementReader> readers_;
  Coloring coloring_;
  std::vector<std::uint64_t> numbers_;  ///< elements that are shown, ascending
  std::set<int> selected_, pinned_;
  std::set<std::pair<int, int>> taking_part_;  ///< cells: row and column
  std::vector<float> named_y_;
  float share_ = 1, label_px_ = 0;
  int most_columns_ = 0;
};

}  // namespace

std::vector<int> selected_flows(const Movement& m, const Selection& selection) {
  std::vector<int> out;
  const auto is_there = [&](int number, int column) {
    const MovementRow& r = m.rows[static_cast<std::size_t>(number)];
    if (selection.place && r.region == Region::registers)
      return selection.place->family == r.family && selection.place->reg == r.reg && selection.place->part == r.part &&
             selection.place->lane == column && selection.place->warp == static_cast<int>(m.warp);
    if (!selection.address || r.region == Region::registers) return false;
    const std::uint64_t first = r.line * 128 + static_cast<std::uint64_t>(column * r.cell_bits) / 8;
    const std::uint64_t end = first + static_cast<std::uint64_t>(std::max(r.cell_bits / 8, 1));
    return selection.address->first == (r.region == Region::shared ? -1 : r.buffer) &&
           selection.address->second >= first && selection.address->second < end;
  };
  const auto is_it = [&](const Cell& c) {
    return has_number(c) && selection.element->first == c.buffer && selection.element->second == c.element;
  };
  for (std::size_t n = 0; n < m.flows.size(); ++n) {
    const Flow& f = m.flows[n];
    const bool from = f.kind != Flow::Kind::appeared;
    const auto& to_row = m.rows[static_cast<std::size_t>(f.to_row)];
    bool hit = false;
    if (selection.element)
      hit = is_it(to_row.after[f.to_column]) ||
            (from && is_it(m.rows[static_cast<std::size_t>(f.from_row)].before[f.from_column]));
    else
      hit = is_there(f.to_row, f.to_column) || (from && is_there(f.from_row, f.from_column));
    if (hit) out.push_back(static_cast<int>(n));
  }
  return out;
}

std::string movement_tooltip(const Summary& summary, const Moment& moment, const Id& id) {
  if (!moment.movement) return "";
  const Movement& m = *moment.movement;
  if (id.kind == Id::Kind::movement_chip && id.a >= 0 && id.a < static_cast<int>(m.flows.size()))
    return movement_flow_words(summary, m, id.a);
  if (id.kind == Id::Kind::movement_cell && is_cell(m, id))
    return movement_cell_words(summary, m, id.a, id.b, id.c == 1);
  return "";
}

void select_of_movement(const Movement& m, const Id& id, Selection& s) {
  int number = id.a, column = id.b;
  bool after = id.c == 1;
  const bool chip = id.kind == Id::Kind::movement_chip;
  if (chip) {
    if (id.a < 0 || id.a >= static_cast<int>(m.flows.size())) return;
    const Flow& f = m.flows[static_cast<std::size_t>(id.a)];
    number = f.to_row, column = f.to_column, after = true;
    if (f.kind == Flow::Kind::part) number = f.from_row, column = f.from_column, after = false;
  } else if (!is_cell(m, id)) {
    return;
  }
  const MovementRow& r = m.rows[static_cast<std::size_t>(number)];
  const Cell& cell = (after ? r.after : r.before)[static_cast<std::size_t>(column)];
  s.place.reset(), s.address.reset(), s.element.reset();
  if (r.region == Region::registers) {
    s.place =
        PlaceRef{.family = r.family, .warp = static_cast<int>(m.warp), .reg = r.reg, .part = r.part, .lane = column};
    s.family = r.family;
  } else {
    s.address = {{r.region == Region::shared ? -1 : r.buffer,
                  r.line * 128 + static_cast<std::uint64_t>(column * r.cell_bits) / 8}};
  }
  if (has_number(cell)) s.element = {{int{cell.buffer}, std::uint64_t{cell.element}}};
}

scene::Scene movement_view(const Summary& summary, const Moment& moment, const Selection& selection,
                           const MovementOptions& given, const Theme& theme) {
  MovementOptions options = given;
  if (options.height <= 0) options.height = options.width * 0.62f;
  if (!moment.movement || moment.movement->rows.empty() || moment.movement->flows.empty())
    return empty_view(options.width, options.height, movement_words(summary, moment), theme);
  Scene words;
  float top = 2;
  if (options.words)
    top = 26 + add_broken(words, {8, 12}, movement_words(summary, moment), theme.text, type_px::title,
                          options.width - 16, 18, {.kind = Id::Kind::remark}, Face::sans, 2);
  Scene scene = Painter(summary, moment, selection, options, theme, top).draw();
  scene.labels.insert(scene.labels.end(), words.labels.begin(), words.labels.end());
  return scene;
}

}  // namespace lanescope::views
