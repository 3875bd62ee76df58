#include "viz/views/values/value_tree.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/drawing.h"
#include "viz/views/base/elements.h"

namespace lanescope::views {
namespace {

using NodeKind = ValueTree::Kind;
using EdgeWay = ValueTree::Way;
using Item = DrawnTree::Item;

constexpr float value_margin = 12, level_label_width = 84, value_right_margin = 14, subject_height = 22,
                meaning_pitch = 18;
constexpr float least_column = 40, widest_column = 92, least_row = 40, widest_row = 66, legend_height = 24;
constexpr float value_height = 22, value_heading = 18;

constexpr std::string_view way_words[] = {"same thread", "shuffle", "shared memory", "global memory"};

std::string thread_words(const ValueTree::Node& n) { return fmt::format("warp {}, lane {}", n.warp, n.lane); }

/// "14", "14, 17", "14 to 21".
std::string numbers_words(const std::set<std::string>& words) {
  if (words.size() > 2) return *words.begin() + ", …";
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

std::string steps_words(std::int64_t first, std::int64_t last) {
  const auto number = [](std::int64_t step) { return spaced(static_cast<std::uint64_t>(step + 1)); };
  return first == last ? "step " + number(first) : number(first) + "–" + number(last);
}

class TreeDrawing : Drawing<ValueTreeOptions> {
 public:
  TreeDrawing(const Summary& summary, const ValueTree& tree, const Selection& selection,
              const ValueTreeOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        tree_(tree),
        readers_(element_readers(summary)),
        coloring_(readers_, "") {
    scene_.width = options.width > 0 ? options.width : 960;
    const float room = scene_.width - level_label_width - value_right_margin;
    drawn_ = arrange(tree, options.root, std::max(static_cast<int>(room / least_column), 4));
    pitch_ = std::min(room / std::max(drawn_.columns, 1.0f), widest_column);
    if (drawn_.by_lane) pitch_ = std::min(room / 32, 40.0f);
  }

  Scene draw() {
    float y = heading();
    if (drawn_.by_lane) y = lane_headings(y);
    const int levels = drawn_.last_level - drawn_.first_level + 1;
    float row = widest_row;
    if (options_.height > 0)
      row = (options_.height - y - legend_height - value_height) / static_cast<float>(std::max(levels - 1, 1));
    row_ = std::floor(std::clamp(row, least_row, widest_row));
    top_ = y + value_height / 2 + 4;
    lanes_ground();
    level_labels();
    for (const Item& item : drawn_.items) edges(item);
    for (int n = 0; n < static_cast<int>(drawn_.items.size()); ++n) box(drawn_.items[static_cast<std::size_t>(n)], n);
    y = top_ + row_ * static_cast<float>(levels - 1) + value_height / 2 + 6;
    y = legend(y + legend_height / 2);
    scene_.height = y + 8;
    return std::move(scene_);
  }

 private:
  const ValueTree::Node& node_of(const Item& item) const { return tree_.nodes[static_cast<std::size_t>(item.node)]; }
  float x_of(const Item& item) const { return level_label_width + item.column * pitch_; }
  float y_of(const Item& item) const {
    return top_ + row_ * static_cast<float>(node_of(item).level - drawn_.first_level);
  }
  float box_width(const Item& item) const {
    if (drawn_.by_lane) return pitch_ - (pitch_ > 12 ? 3 : 1);
    return (item.elements.size() > 1 ? pitch_ * 3 : pitch_) - 6;
  }

  float heading() {
    const std::string where = tree_.line > 0 ? " · " + summary_.lines.words(tree_.line) : std::string();
    const bool part = options_.root >= 0 && options_.root < static_cast<int>(tree_.nodes.size());
    std::string subject = tree_.subject + where;
    std::string meaning = "holds " + meaning_of(summary_, tree_);
    if (tree_.roots.size() > 1) meaning = "together depend on " + meaning_of(summary_, tree_);
    if (part) {
      const ValueTree::Node& n = tree_.nodes[static_cast<std::size_t>(options_.root)];
      subject = fmt::format("part of {}: {} in {}", tree_.subject, n.variable.empty() ? "value" : n.variable,
                            thread_words(n));
      meaning = "depends on " + counted_set_words(summary_, n.elements);
    }
    add_text(scene_, {value_margin, subject_height / 2 + 3}, subject, theme_.text, type_px::title, Face::sans_bold,
             Align::left, {.kind = Id::Kind::title}, scene_.width - 2 * value_margin);
    float y = subject_height + meaning_pitch / 2;
    y += add_broken(scene_, {value_margin, y}, meaning, theme_.text_dim, type_px::note, scene_.width - 2 * value_margin,
                    meaning_pitch, {.kind = Id::Kind::remark});
    if (tree_.not_followed > 0) {
      y += meaning_pitch;
      y += add_broken(scene_, {value_margin, y},
                      counted(tree_.not_followed, "element") +
                          " of them came through instructions that the tree does not follow (matrix products, calls, "
                          "values that an atomic operation returned)",
                      theme_.warn, type_px::note, scene_.width - 2 * value_margin, meaning_pitch,
                      {.kind = Id::Kind::remark});
    }
    return y + meaning_pitch / 2 + 6;
  }

  float lane_headings(float y) {
    add_text(scene_, {level_label_width - 12, y + value_heading / 2}, "lane", theme_.text_dim, type_px::tiny,
             Face::sans, Align::right);
    for (int lane = 0; lane < 32; ++lane) {
      const float x = level_label_width + (static_cast<float>(lane) + 0.5f) * pitch_;
      if (pitch_ < 13 && lane % 4 != 0) continue;
      add_text(scene_, {x, y + value_heading / 2}, std::to_string(lane), lane % 8 == 0 ? theme_.text : theme_.text_dim,
               type_px::tiny, Face::mono, Align::center, {.kind = Id::Kind::lane_heading, .c = lane});
    }
    return y + value_heading;
  }

  /// A hairline down each eighth lane, to count from.
  void lanes_ground() {
    if (!drawn_.by_lane) return;
    const float bottom = top_ + row_ * static_cast<float>(drawn_.last_level - drawn_.first_level) + value_height / 2;
    for (int lane = 0; lane <= 32; lane += 8) {
      const float x = level_label_width + static_cast<float>(lane) * pitch_ - (pitch_ > 12 ? 1.5f : 0.5f);
      add_line(scene_, {x, top_ - value_height / 2}, {x, bottom}, theme_.border);
    }
  }

  void level_labels() {
    for (int level = drawn_.first_level; level <= drawn_.last_level; ++level) {
      std::set<std::string> lines;
      std::int64_t first = -1, last = -1;
      for (const Item& item : drawn_.items) {
        const ValueTree::Node& n = node_of(item);
        if (n.level != level || n.step < 0) continue;
        if (n.line > 0) lines.insert(summary_.lines.number(n.line));
        first = first < 0 ? n.step : std::min(first, n.step), last = std::max(last, n.step);
      }
      const float y = top_ + row_ * static_cast<float>(level - drawn_.first_level);
      std::string words = level == 0 ? "elements" : lines.empty() ? fmt::format("level {}", level) : "";
      if (level > 0 && !lines.empty()) words = (lines.size() == 1 ? "line " : "lines ") + numbers_words(lines);
      add_text(scene_, {value_margin, y - 6}, words, theme_.text, type_px::small, Face::sans, Align::left, {},
               level_label_width - value_margin - 4);
      if (first >= 0)
        add_text(scene_, {value_margin, y + 7}, level == 0 ? loaded_words(lines) : steps_words(first, last),
                 theme_.text_dim, type_px::tiny, Face::sans, Align::left, {}, level_label_width - value_margin - 4);
    }
  }

  static std::string loaded_words(const std::set<std::string>& lines) {
    return lines.empty() ? std::string() : (lines.size() == 1 ? "of line " : "of lines ") + numbers_words(lines);
  }

  // --- lines between values ---

  Color way_color(EdgeWay way) const {
    switch (way) {
      case EdgeWay::shuffle:
        return theme_.step(trace::StepKind::shuffle);
      case EdgeWay::shared:
      case EdgeWay::global:
        return theme_.step(trace::StepKind::load);
      case EdgeWay::direct:
        break;
    }
    return theme_.text_dim;
  }

  void edges(const Item& item) {
    for (const Item::Operand& operand : item.operands) {
      const Item& from = drawn_.items[static_cast<std::size_t>(operand.item)];
      const EdgeWay way = operand.edge.way;
      used_ways_.insert(way);
      const Point a{x_of(from), y_of(from) + value_height / 2}, b{x_of(item), y_of(item) - value_height / 2};
      const Id id{.kind = Id::Kind::tree_edge, .a = item.node, .b = from.node};
      add_line(scene_, a, b, way_color(way), way == EdgeWay::shuffle ? 1.8f : 1.3f, id,
               way == EdgeWay::shared || way == EdgeWay::global);
      if (!operand.edge.changed) continue;
      changed_ = true;
      const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
      add_box(scene_, {middle.x - 3.5f, middle.y - 3.5f, 7, 7}, theme_.panel, id, 3.5f, theme_.text, 1.3f);
    }
  }

  // --- values ---

  bool is_root(int index) const { return std::ranges::find(drawn_.roots, index) != drawn_.roots.end(); }

  void box(const Item& item, int index) {
    const ValueTree::Node& n = node_of(item);
    const Id id{.kind = Id::Kind::tree_node, .a = item.node, .b = item.folded ? 1 : 0};
    const float w = box_width(item);
    const Rect r{x_of(item) - w / 2, y_of(item) - value_height / 2, w, value_height};
    Box shape{.id = id, .rect = r, .fill = theme_.cell_plain, .stroke = theme_.cell_border, .radius = 4};
    Color ink = theme_.text;
    const bool element = n.kind == NodeKind::element && item.elements.size() < 2;
    if (element && !n.elements.runs.empty()) {
      const ElementRun& e = n.elements.runs.front();
      const auto count = coloring_.count(e.buffer);
      const auto at = static_cast<std::size_t>(Theme::ramp_index(coloring_.of_element(e.buffer, e.first), count));
      shape.fill = theme_.ramp[at], ink = theme_.ramp_text[at], shape.stroke = {};
    } else if (item.folded || item.elements.size() > 1 || n.kind == NodeKind::set) {
      shape.fill = theme_.cell_mixed, shape.hatched = item.folded || n.kind == NodeKind::set;
      ink = text_on(theme_.cell_mixed);
      folded_ = folded_ || item.folded;
    } else {
      ink = text_on(theme_.cell_plain);
    }
    if (item.again) shape.dashed = true, again_ = true;
    scene_.boxes.push_back(shape);
    if (is_root(index) && drawn_.roots.size() == 1)
      add_selection(scene_, id, r, theme_, 4);
    else if (n.step >= 0 && n.step == selection_.step)
      scene_.outlines.push_back({.id = id, .rect = r, .stroke = theme_.changed, .stroke_width = 1.6f, .radius = 4});
    words(item, n, r, id, ink);
  }

  void words(const Item& item, const ValueTree::Node& n, Rect r, const Id& id, Color ink) {
    const Point middle = center(r);
    if (item.elements.size() > 1) {
      std::vector<std::pair<int, std::uint64_t>> all;
      for (const int e : item.elements)
        for (const ElementRun& run : tree_.nodes[static_cast<std::size_t>(e)].elements.runs)
          all.emplace_back(run.buffer, run.first);
      std::ranges::sort(all);
      const auto extra = std::ranges::unique(all);
      all.erase(extra.begin(), extra.end());
      return add_fitted(scene_, id, middle, set_words(summary_, fold(all), 1), ink, type_px::code, r.w, 6);
    }
    if (n.kind == NodeKind::element) {
      const ElementRun& e = n.elements.runs.front();
      const std::string number = std::to_string(e.first);
      const std::string full = fmt::format("{}[{}]", buffer_name(summary_, e.buffer, "?"), number);
      const bool room = static_cast<float>(columns(full)) * mono_advance * type_px::small <= r.w - 4;
      return add_fitted(scene_, id, middle, room ? full : number, ink, type_px::code, r.w, 3);
    }
    if (item.folded || n.kind == NodeKind::set) {
      const std::string count = n.elements.known ? fmt::format("{{{}}}", n.elements.count) : std::string("{?}");
      return add_fitted(scene_, id, middle, count, ink, type_px::code, r.w, 3);
    }
    const bool wide = !drawn_.by_lane && r.w >= 62;
    const std::string place = several_warps() ? fmt::format("w{} l{}", n.warp, n.lane) : fmt::format("lane {}", n.lane);
    add_fitted(scene_, id, {middle.x - (wide ? r.w * 0.28f : 0), middle.y - (drawn_.by_lane || wide ? 0.0f : 4.5f)},
               n.op, ink, drawn_.by_lane ? type_px::code : type_px::body, wide ? r.w * 0.4f : r.w, 3, Face::mono_bold);
    if (drawn_.by_lane) return;
    if (wide)
      add_fitted(scene_, id, {middle.x + r.w * 0.16f, middle.y}, place, ink, type_px::small, r.w * 0.62f, 4,
                 Face::sans);
    else
      add_fitted(scene_, id, {middle.x, middle.y + 5.5f}, place, ink, type_px::tiny, r.w, 2, Face::sans);
  }

  bool several_warps() const {
    return std::ranges::any_of(tree_.nodes,
                               [&](const ValueTree::Node& n) { return n.warp != tree_.nodes.front().warp; });
  }

  // --- legend ---

  float legend(float y) {
    float x = value_margin;
    const auto entry = [&](float wide, const std::string& text, const auto& sign) {
      const float need = wide + 6 + sans_width(text, type_px::note) + 18;
      if (x + need > scene_.width && x > value_margin) x = value_margin, y += legend_height - 4;
      sign(x);
      add_text(scene_, {x + wide + 6, y}, text, theme_.text_dim, type_px::note);
      x += need;
    };
    for (const EdgeWay way : used_ways_)
      entry(26, std::string(entry_for(way_words, way)), [&](float at) {
        add_line(scene_, {at, y}, {at + 26, y}, way_color(way), way == EdgeWay::shuffle ? 1.8f : 1.3f, {},
                 way == EdgeWay::shared || way == EdgeWay::global);
      });
    if (changed_)
      entry(8, "changed on the way (scaled, converted, negated)", [&](float at) {
        add_box(scene_, {at, y - 3.5f, 7, 7}, theme_.panel, {}, 3.5f, theme_.text, 1.3f);
      });
    if (!drawn_.by_lane && several_warps()) entry(0, "w1 l3: warp 1, lane 3", [](float) {});
    if (folded_)
      entry(20, "{n}: n elements, folded; a click unfolds", [&](float at) {
        scene_.boxes.push_back({.rect = {at, y - 6, 20, 12}, .fill = theme_.cell_mixed, .radius = 3, .hatched = true});
      });
    if (again_)
      entry(20, "dashed: a value that is drawn elsewhere, too", [&](float at) {
        scene_.boxes.push_back({.rect = {at, y - 6, 20, 12},
                                .fill = theme_.cell_plain,
                                .stroke = theme_.cell_border,
                                .radius = 3,
                                .dashed = true});
      });
    return y + legend_height / 2;
  }

  const ValueTree& tree_;
  std::vector<ElementReader> readers_;
  Coloring coloring_;
  DrawnTree drawn_;
  float pitch_ = 1, row_ = widest_row, top_ = 0;
  std::set<EdgeWay> used_ways_;
  bool changed_ = false, folded_ = false, again_ = false;
};

}  // namespace

Scene value_tree_view(const Summary& summary, const ValueTree& tree, const Selection& selection,
                      const ValueTreeOptions& options, const Theme& theme) {
  const float width = options.width > 0 ? options.width : 960;
  if (!tree.refused.empty()) return empty_view(width, 90, capitalised(tree.refused + "."), theme);
  const bool any = std::ranges::any_of(tree.roots, [](const ValueTree::Edge& e) { return e.from >= 0; });
  if (!any) {
    const std::string why = tree.not_followed > 0
                                ? " depends on " + counted_set_words(summary, tree.depends) +
                                      ", which came through instructions that the tree does not follow."
                                : " depends on no element of a buffer.";
    return empty_view(width, 90, tree.subject + why, theme);
  }
  return TreeDrawing(summary, tree, selection, options, theme).draw();
}

std::string tree_tooltip(const Summary& summary, const ValueTree& tree, const Id& id) {
  if (id.a < 0 || id.a >= static_cast<int>(tree.nodes.size())) return {};
  const ValueTree::Node& n = tree.nodes[static_cast<std::size_t>(id.a)];
  const std::string at = n.line > 0 ? ", " + summary.lines.words(n.line) : std::string();
  const std::string step = n.step >= 0 ? ", step " + spaced(static_cast<std::uint64_t>(n.step + 1)) : std::string();
  if (id.kind == Id::Kind::tree_edge) {
    const auto edge = std::ranges::find(n.operands, id.b, &ValueTree::Edge::from);
    if (edge == n.operands.end()) return {};
    const ValueTree::Node& from = tree.nodes[static_cast<std::size_t>(id.b)];
    return fmt::format("{} to {}: {}{}", thread_words(from), thread_words(n), entry_for(way_words, edge->way),
                       edge->changed ? ", changed on the way" : "");
  }
  std::string words = thread_words(n) + at + step + "\n";
  if (n.kind == NodeKind::element) return words + "loads " + set_words(summary, n.elements);
  if (n.kind == NodeKind::set) return words + "a value made of " + counted_set_words(summary, n.elements);
  if (!n.variable.empty()) words += n.variable + " = ";
  return words + fmt::format("{} of {}", n.op, n.operands.empty() ? "values" : counted(n.operands.size(), "value")) +
         ", made of " + counted_set_words(summary, n.elements) +
         (n.kind == NodeKind::folded || id.b == 1 ? "\nA click unfolds it." : "");
}

std::string to_csv(const Summary& summary, const ValueTree& tree) {
  csv::Table table(
      {"node", "level", "operation", "warp", "lane", "step", "line", "variable", "elements", "set", "operands"});
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const ValueTree::Node& x = tree.nodes[n];
    std::string operands;
    for (const ValueTree::Edge& e : x.operands)
      operands += fmt::format("{}{}{}", operands.empty() ? "" : " ", e.from,
                              e.way == EdgeWay::direct ? "" : fmt::format(" ({})", entry_for(way_words, e.way)));
    table.row(n, x.level,
              x.kind == NodeKind::element ? "element"
              : x.kind == NodeKind::set   ? "set"
                                          : x.op,
              x.warp, x.lane, x.step, summary.lines.number(x.line), x.variable, x.elements.count,
              set_words(summary, x.elements, ElementSet::most_runs), operands);
  }
  return table.text();
}

}  // namespace lanescope::views
