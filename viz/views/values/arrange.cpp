// Which nodes of a tree are drawn, and in which column.

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "viz/views/values/value_tree.h"

namespace lanescope::views {
namespace {

using NodeKind = ValueTree::Kind;
using Item = DrawnTree::Item;

/// So many elements beside each other are easier to read as one box.
constexpr std::size_t most_single_elements = 4;
constexpr float wide_box = 3;  ///< columns

const ValueTree::Node& node_of(const ValueTree& tree, int n) { return tree.nodes[static_cast<std::size_t>(n)]; }

std::vector<int> roots_of(const ValueTree& tree, int root) {
  std::vector<int> roots;
  if (root >= 0 && root < static_cast<int>(tree.nodes.size())) return {root};
  for (const ValueTree::Edge& e : tree.roots)
    if (e.from >= 0 && std::ranges::find(roots, e.from) == roots.end()) roots.push_back(e.from);
  return roots;
}

/// Nodes below the roots, themselves included.
std::set<int> below(const ValueTree& tree, const std::vector<int>& roots) {
  std::set<int> all(roots.begin(), roots.end());
  for (auto n = all.rbegin(); n != all.rend(); ++n)  // operands have smaller numbers
    for (const ValueTree::Edge& e : node_of(tree, *n).operands) all.insert(e.from);
  return all;
}

bool fits_lanes(const ValueTree& tree, const std::set<int>& nodes) {
  std::set<std::pair<int, int>> taken;
  for (const int n : nodes) {
    const ValueTree::Node& x = node_of(tree, n);
    if (x.warp != node_of(tree, *nodes.begin()).warp || x.operands.size() > most_single_elements) return false;
    if (!taken.insert({x.lane, x.level}).second) return false;
  }
  return true;
}

DrawnTree by_lane(const ValueTree& tree, const std::vector<int>& roots, const std::set<int>& nodes) {
  DrawnTree out{.by_lane = true, .columns = 32};
  std::map<int, int> items;
  for (const int n : nodes) {
    const ValueTree::Node& x = node_of(tree, n);
    Item item{.node = n, .folded = x.kind == NodeKind::folded, .column = static_cast<float>(x.lane) + 0.5f};
    for (const ValueTree::Edge& e : x.operands) item.operands.push_back({.item = items.at(e.from), .edge = e});
    items[n] = static_cast<int>(out.items.size());
    out.items.push_back(std::move(item));
  }
  for (const int r : roots) out.roots.push_back(items.at(r));
  return out;
}

class Tidy {
 public:
  Tidy(const ValueTree& tree, int most_columns) : tree_(tree), most_(static_cast<float>(most_columns)) {}

  DrawnTree make(const std::vector<int>& roots) {
    for (const int r : roots) out_.roots.push_back(add(r));
    // The roots first, then what they are made of, while there is room.
    while (!next_.empty()) {
      expand(next_.front());
      next_.pop_front();
    }
    for (const int r : out_.roots) place(r);
    out_.columns = std::max(used_, 1.0f);
    return std::move(out_);
  }

 private:
  float width(const Item& item) const { return item.elements.size() > 1 ? wide_box : 1; }

  int add(int n) {
    Item item{.node = n};
    const bool made = !node_of(tree_, n).operands.empty();
    item.again = made && !expanded_.insert(n).second;
    item.folded = node_of(tree_, n).kind == NodeKind::folded;
    out_.items.push_back(item);
    const int index = static_cast<int>(out_.items.size()) - 1;
    if (made && !item.again) next_.push_back(index);
    columns_ += 1;
    return index;
  }

  /// Elements that are taken as they are, next to each other in one box where they are many.
  static bool plain(const ValueTree& tree, const ValueTree::Edge& e) {
    return node_of(tree, e.from).kind == NodeKind::element && !e.changed && e.way == ValueTree::Way::direct;
  }

  void expand(int index) {
    const ValueTree::Node& n = node_of(tree_, out_.items[static_cast<std::size_t>(index)].node);
    std::vector<ValueTree::Edge> single;
    std::vector<int> grouped;
    for (const ValueTree::Edge& e : n.operands)
      if (plain(tree_, e)) grouped.push_back(e.from);
    const bool group = grouped.size() > most_single_elements;
    for (const ValueTree::Edge& e : n.operands)
      if (!group || !plain(tree_, e)) single.push_back(e);
    const float more = static_cast<float>(single.size()) + (group ? wide_box : 0) - 1;
    if (columns_ + more > most_) {
      out_.items[static_cast<std::size_t>(index)].folded = true;
      return;
    }
    columns_ -= 1;
    std::vector<Item::Operand> operands;
    if (group) {
      out_.items.push_back({.node = grouped.front(), .elements = grouped});
      columns_ += wide_box;
      operands.push_back({.item = static_cast<int>(out_.items.size()) - 1, .edge = {.from = grouped.front()}});
    }
    for (const ValueTree::Edge& e : single) operands.push_back({.item = add(e.from), .edge = e});
    out_.items[static_cast<std::size_t>(index)].operands = std::move(operands);
  }

  float place(int index) {
    Item& item = out_.items[static_cast<std::size_t>(index)];
    if (item.operands.empty()) {
      item.column = used_ + width(item) / 2;
      used_ += width(item);
      return item.column;
    }
    float first = 0, last = 0;
    for (std::size_t n = 0; n < item.operands.size(); ++n) {
      last = place(item.operands[n].item);
      if (n == 0) first = last;
    }
    return item.column = (first + last) / 2;
  }

  const ValueTree& tree_;
  float most_ = 0, columns_ = 0, used_ = 0;
  std::deque<int> next_;
  std::set<int> expanded_;
  DrawnTree out_;
};

}  // namespace

DrawnTree arrange(const ValueTree& tree, int root, int most_columns) {
  const std::vector<int> roots = roots_of(tree, root);
  if (roots.empty()) return {};
  const std::set<int> nodes = below(tree, roots);
  DrawnTree out =
      nodes.size() > 1 && fits_lanes(tree, nodes) ? by_lane(tree, roots, nodes) : Tidy(tree, most_columns).make(roots);
  out.first_level = node_of(tree, roots.front()).level;
  for (const Item& item : out.items) {
    out.first_level = std::min(out.first_level, node_of(tree, item.node).level);
    out.last_level = std::max(out.last_level, node_of(tree, item.node).level);
  }
  return out;
}

}  // namespace lanescope::views
