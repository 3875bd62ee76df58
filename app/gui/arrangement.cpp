#include "app/gui/arrangement.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace lanescope::gui {
namespace {

/// A node of the tree: a panel, or two children and how they share the room. Written in prefix order.
struct Node {
  bool leaf = true;
  PanelId panel = PanelId::source;
  bool side_by_side = false;
  float share = 0.5f;
};

constexpr Node panel(PanelId id) { return {.leaf = true, .panel = id}; }
constexpr Node columns(float share) { return {.leaf = false, .side_by_side = true, .share = share}; }
constexpr Node rows(float share) { return {.leaf = false, .side_by_side = false, .share = share}; }

// Learn: the picture of the moment in the middle, as large as it gets.
constexpr Node learn_tree[] = {rows(0.852f),
                               columns(0.299f),
                               rows(0.725f),
                               panel(PanelId::source),
                               panel(PanelId::assignment),
                               columns(0.728f),
                               rows(0.487f),
                               panel(PanelId::registers),
                               columns(0.495f),
                               panel(PanelId::global),
                               panel(PanelId::shared),
                               panel(PanelId::inspector),
                               panel(PanelId::timeline)};

// Debug: more code, and what a claim says beside what is really there.
constexpr Node debug_tree[] = {rows(0.848f),
                               columns(0.380f),
                               panel(PanelId::source),
                               columns(0.700f),
                               rows(0.520f),
                               panel(PanelId::registers),
                               columns(0.520f),
                               panel(PanelId::assignment),
                               rows(0.5f),
                               panel(PanelId::shared),
                               panel(PanelId::global),
                               panel(PanelId::inspector),
                               panel(PanelId::timeline)};

// Profile: memory and counters; the registers wait in the menu.
constexpr Node profile_tree[] = {rows(0.868f),
                                 columns(0.340f),
                                 panel(PanelId::source),
                                 columns(0.640f),
                                 rows(0.5f),
                                 panel(PanelId::global),
                                 panel(PanelId::shared),
                                 rows(0.72f),
                                 panel(PanelId::inspector),
                                 rows(0.5f),
                                 panel(PanelId::assignment),
                                 panel(PanelId::registers),
                                 panel(PanelId::timeline)};

std::span<const Node> tree_of(Arrangement a) {
  switch (a) {
    case Arrangement::learn:
      return learn_tree;
    case Arrangement::debug:
      return debug_tree;
    case Arrangement::profile:
      return profile_tree;
  }
  return learn_tree;
}

class Placer {
 public:
  Placer(const ViewOptions& options, float gap, float smallest)
      : options_(options), tree_(tree_of(options.arrangement)), gap_(gap), smallest_(smallest) {}

  Placement run(Area whole) {
    place_node(0, split_numbers(), whole);
    return std::move(result_);
  }

 private:
  /// Number of the split at each node, in prefix order.
  std::vector<int> split_numbers() const {
    std::vector<int> numbers(tree_.size(), -1);
    int next = 0;
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (!tree_[i].leaf) numbers[i] = next++;
    }
    return numbers;
  }

  std::size_t end_of(std::size_t node) const {
    if (tree_[node].leaf) return node + 1;
    return end_of(end_of(node + 1));
  }

  bool visible(std::size_t node) const {
    for (std::size_t i = node; i < end_of(node); ++i) {
      if (tree_[i].leaf && !options_.hidden[static_cast<int>(tree_[i].panel)]) return true;
    }
    return false;
  }

  void place_node(std::size_t node, const std::vector<int>& numbers, Area area) {
    if (!visible(node)) return;
    if (tree_[node].leaf) {
      result_.panels.push_back({tree_[node].panel, area});
      return;
    }
    const std::size_t first = node + 1, second = end_of(first);
    if (!visible(first)) return place_node(second, numbers, area);
    if (!visible(second)) return place_node(first, numbers, area);
    const int split = numbers[node];
    const float chosen = options_.shares[static_cast<int>(options_.arrangement)][split];
    const float share = chosen > 0 ? chosen : tree_[node].share;
    Area a = area, b = area, between = area;
    cut(tree_[node].side_by_side, share, area, a, between, b);
    result_.splitters.push_back({split, tree_[node].side_by_side, between, area});
    place_node(first, numbers, a);
    place_node(second, numbers, b);
  }

  void cut(bool side_by_side, float share, Area area, Area& a, Area& between, Area& b) const {
    const float extent = (side_by_side ? area.w : area.h) - gap_;
    float first = std::round(extent * share);
    if (extent > 2 * smallest_) first = std::clamp(first, smallest_, extent - smallest_);
    first = std::max(first, 1.0f);
    if (side_by_side) {
      a.w = first;
      between.x = area.x + first;
      between.w = gap_;
      b.x = between.x + gap_;
      b.w = std::max(extent - first, 1.0f);
    } else {
      a.h = first;
      between.y = area.y + first;
      between.h = gap_;
      b.y = between.y + gap_;
      b.h = std::max(extent - first, 1.0f);
    }
  }

  const ViewOptions& options_;
  std::span<const Node> tree_;
  float gap_, smallest_;
  Placement result_;
};

}  // namespace

Placement place(const ViewOptions& options, Area whole, float gap, float smallest) {
  if (options.maximised) return {.panels = {{*options.maximised, whole}}, .splitters = {}};
  return Placer(options, gap, smallest).run(whole);
}

float share_at(const Splitter& s, float position) {
  const float start = s.side_by_side ? s.whole.x : s.whole.y;
  const float gap = s.side_by_side ? s.area.w : s.area.h;
  const float extent = (s.side_by_side ? s.whole.w : s.whole.h) - gap;
  return std::clamp((position - gap / 2 - start) / std::max(extent, 1.0f), 0.05f, 0.95f);
}

float default_share(Arrangement arrangement, int split) {
  int number = 0;
  for (const Node& node : tree_of(arrangement)) {
    if (!node.leaf && number++ == split) return node.share;
  }
  return 0.5f;
}

std::array<bool, panel_count> default_hidden(Arrangement arrangement) {
  std::array<bool, panel_count> hidden{};
  if (arrangement == Arrangement::profile) {
    hidden[static_cast<int>(PanelId::registers)] = true;
    hidden[static_cast<int>(PanelId::assignment)] = true;
  }
  return hidden;
}

}  // namespace lanescope::gui
