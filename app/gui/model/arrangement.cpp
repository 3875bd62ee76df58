#include "app/gui/model/arrangement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace lanescope::gui {
namespace {

constexpr int most_tabs = 24;
/// A window of 800 pixels, a projector's, leaves the middle column less than this many times the smallest panel.
constexpr float tight_panels = 7;
/// The split between source and PTX, in any arrangement: after those of its tree.
constexpr int code_split = 7;
constexpr float wide_code_share = 0.52f;

/// A node of the tree: a set of tabs, or two children and how they share the room. Written in prefix order.
struct Node {
  std::array<PanelId, most_tabs> panels{};
  int count = 0;  ///< of panels; 0: a split
  bool side_by_side = false;
  float share = 0.5f;
  float tight_share = 0.5f;  ///< where the room is less than tight_panels times the smallest panel
  bool new_split = false;    ///< of a split: numbered after all others, so that shares of older sessions stay right
  constexpr bool leaf() const { return count > 0; }
  constexpr std::span<const PanelId> tabs() const { return {panels.data(), static_cast<std::size_t>(count)}; }
};

template <class... Panels>
constexpr Node tabs(Panels... panels) {
  return {.panels = {panels...}, .count = sizeof...(panels)};
}
constexpr Node columns(float share) { return {.side_by_side = true, .share = share, .tight_share = share}; }
constexpr Node rows(float share, float tight_share = 0) {
  return {.side_by_side = false, .share = share, .tight_share = tight_share > 0 ? tight_share : share};
}
/// Above a strip that is as wide as the window and there only on request.
constexpr Node strip_below(float share) {
  Node node = rows(share);
  node.new_split = true;
  return node;
}

using enum PanelId;

constexpr Node code_tabs = tabs(source, ptx, sass, lesson);
constexpr Node words_tabs = tabs(inspector, problems, grid, output, PanelId::options, moments);
constexpr Node picture_tabs =
    tabs(registers, movement, claims, lanes, barriers, tree, divergence, occupancy, calculator, metrics, stalls,
         compare, buffers, host_calls, live, designer, plans, elements, code);

// Learn: the picture of the moment in the middle, as large as it gets.
constexpr Node learn_tree[] = {rows(0.852f), strip_below(0.81f), columns(0.299f), rows(0.725f, 0.665f),
                               code_tabs,    tabs(assignment),   columns(0.728f), rows(0.487f, 0.56f),
                               picture_tabs, columns(0.495f),    tabs(global),    tabs(shared),
                               words_tabs,   tabs(journey),      tabs(timeline)};

// Debug: more code, and what a claim says beside what is really there.
constexpr Node debug_tree[] = {rows(0.848f),     strip_below(0.81f),  columns(0.380f), code_tabs,
                               columns(0.700f),  rows(0.520f, 0.58f), picture_tabs,    columns(0.520f),
                               tabs(assignment), rows(0.5f),          tabs(shared),    tabs(global),
                               words_tabs,       tabs(journey),       tabs(timeline)};

// The same in a low window: both memories in one place.
constexpr Node low_debug_tree[] = {rows(0.848f),     strip_below(0.81f),   columns(0.380f), code_tabs,
                                   columns(0.700f),  rows(0.520f, 0.58f),  picture_tabs,    columns(0.520f),
                                   tabs(assignment), tabs(shared, global), words_tabs,      tabs(journey),
                                   tabs(timeline)};

// Profile: memory and counters; what the moment holds waits in the menu.
constexpr Node profile_tree[] = {
    rows(0.868f),
    strip_below(0.81f),
    columns(0.340f),
    code_tabs,
    columns(0.710f),
    rows(0.5f),
    tabs(global, divergence, metrics, stalls, registers, movement, claims, lanes, barriers, tree),
    tabs(shared, occupancy, calculator, compare, buffers, host_calls, live, assignment, designer, plans, elements,
         code),
    words_tabs,
    tabs(journey),
    tabs(timeline)};

// Design: both ends at the left, plans and steps over the elements, the code at the right.
constexpr Node design_tree[] = {columns(0.315f),
                                tabs(designer, source, ptx, sass, lesson),
                                columns(0.60f),
                                rows(0.47f),
                                tabs(plans, assignment, registers, movement, claims, lanes, barriers, tree, divergence,
                                     occupancy, calculator, metrics, stalls, compare, buffers, host_calls, live),
                                tabs(elements, shared, global, journey, timeline),
                                tabs(code, inspector, problems, grid, output, PanelId::options, moments)};

/// The same while a lesson is open: what the source is compiled to stands with the pictures, so that it does not cover the page.
template <std::size_t count>
constexpr std::array<Node, count> beside_lesson(const Node (&tree)[count]) {
  std::array<Node, count> out{};
  for (std::size_t n = 0; n < count; ++n) {
    Node& node = out[n];
    node = tree[n];
    bool pictures = false;
    node.count = 0;
    for (const PanelId panel : tree[n].tabs()) {
      if (panel != ptx && panel != sass) node.panels[static_cast<std::size_t>(node.count++)] = panel;
      pictures = pictures || panel == registers;
    }
    if (!pictures) continue;
    for (const PanelId panel : {ptx, sass}) node.panels[static_cast<std::size_t>(node.count++)] = panel;
  }
  return out;
}
constexpr auto learn_lesson_tree = beside_lesson(learn_tree);
constexpr auto debug_lesson_tree = beside_lesson(debug_tree);
constexpr auto low_debug_lesson_tree = beside_lesson(low_debug_tree);
constexpr auto profile_lesson_tree = beside_lesson(profile_tree);
constexpr auto design_lesson_tree = beside_lesson(design_tree);

std::span<const Node> tree_of(const ViewOptions& options) {
  const auto one = [&](std::span<const Node> tree, std::span<const Node> lesson) {
    return options.lesson_open ? lesson : tree;
  };
  switch (options.arrangement) {
    case Arrangement::learn:
      return one(learn_tree, learn_lesson_tree);
    case Arrangement::debug:
      if (options.low) return one(low_debug_tree, low_debug_lesson_tree);
      return one(debug_tree, debug_lesson_tree);
    case Arrangement::profile:
      return one(profile_tree, profile_lesson_tree);
    case Arrangement::design:
      return one(design_tree, design_lesson_tree);
  }
  return learn_tree;
}

bool is_visible(const ViewOptions& options, PanelId panel) { return !options.hidden[static_cast<int>(panel)]; }

bool is_code(const Node& node) { return node.leaf() && node.panels[0] == source; }  // none where one designs

/// The places of a leaf: one, or two where the source and what it is compiled to stand side by side.
std::vector<std::span<const PanelId>> places_of(const ViewOptions& options, const Node& leaf) {
  if (!options.code_beside || !is_code(leaf)) return {leaf.tabs()};
  return {leaf.tabs().first(1), leaf.tabs().subspan(1)};
}

/// The tabs that a panel belongs to, hidden ones too.
std::span<const PanelId> all_tabs_beside(const ViewOptions& options, PanelId panel) {
  for (const Node& node : tree_of(options)) {
    if (!node.leaf()) continue;
    for (const auto all : places_of(options, node))
      if (std::find(all.begin(), all.end(), panel) != all.end()) return all;
  }
  return {};
}

std::vector<PanelId> visible_of(const ViewOptions& options, std::span<const PanelId> all) {
  std::vector<PanelId> shown;
  std::copy_if(all.begin(), all.end(), std::back_inserter(shown),
               [&](PanelId panel) { return is_visible(options, panel); });
  return shown;
}

/// The one that was brought to the front, else the first.
PanelId front_of(const ViewOptions& options, const std::vector<PanelId>& shown) {
  for (const PanelId panel : options.front[static_cast<int>(options.arrangement)])
    if (std::find(shown.begin(), shown.end(), panel) != shown.end()) return panel;
  return shown.front();
}

class Placer {
 public:
  Placer(const ViewOptions& options, float gap, float smallest)
      : options_(options), tree_(tree_of(options)), gap_(gap), smallest_(smallest) {}

  Placement run(Area whole) {
    place_node(0, split_numbers(), whole);
    return std::move(result_);
  }

 private:
  /// Number of the split at each node, in prefix order; those that came later after the others.
  std::vector<int> split_numbers() const {
    std::vector<int> numbers(tree_.size(), -1);
    int next = 0;
    for (const bool new_ones : {false, true})
      for (std::size_t i = 0; i < tree_.size(); ++i)
        if (!tree_[i].leaf() && tree_[i].new_split == new_ones) numbers[i] = next++;
    return numbers;
  }

  std::size_t end_of(std::size_t node) const {
    if (tree_[node].leaf()) return node + 1;
    return end_of(end_of(node + 1));
  }

  bool visible(std::size_t node) const {
    for (std::size_t i = node; i < end_of(node); ++i)
      if (!visible_of(options_, tree_[i].tabs()).empty()) return true;
    return false;
  }

  void place_node(std::size_t node, const std::vector<int>& numbers, Area area) {
    if (!visible(node)) return;
    if (tree_[node].leaf()) return place_leaf(tree_[node], area);
    const std::size_t first = node + 1, second = end_of(first);
    if (!visible(first)) return place_node(second, numbers, area);
    if (!visible(second)) return place_node(first, numbers, area);
    const int split = numbers[node];
    const float chosen = options_.shares[static_cast<int>(options_.arrangement)][split];
    const bool tight = (tree_[node].side_by_side ? area.w : area.h) < tight_panels * smallest_;
    float share = chosen > 0 ? chosen : tight ? tree_[node].tight_share : tree_[node].share;
    // Two columns of code need more room than one.
    if (chosen <= 0 && tree_[node].side_by_side && two_places(first, second)) share = std::max(share, wide_code_share);
    Area a = area, b = area, between = area;
    cut(tree_[node].side_by_side, share, area, a, between, b);
    result_.splitters.push_back({split, tree_[node].side_by_side, between, area});
    place_node(first, numbers, a);
    place_node(second, numbers, b);
  }

  /// Whether a leaf from `node` to before `end` has two places with something visible in both.
  bool two_places(std::size_t node, std::size_t end) const {
    for (std::size_t i = node; i < end; ++i) {
      if (!tree_[i].leaf()) continue;
      const auto places = places_of(options_, tree_[i]);
      if (places.size() > 1 && !visible_of(options_, places[0]).empty() && !visible_of(options_, places[1]).empty())
        return true;
    }
    return false;
  }

  void place_leaf(const Node& leaf, Area area) {
    std::vector<std::vector<PanelId>> places;
    for (const auto all : places_of(options_, leaf))
      if (auto shown = visible_of(options_, all); !shown.empty()) places.push_back(std::move(shown));
    std::vector<Area> areas{area};
    if (places.size() > 1) {
      Area a = area, b = area, between = area;
      const float chosen = options_.shares[static_cast<int>(options_.arrangement)][code_split];
      cut(true, chosen > 0 ? chosen : 0.5f, area, a, between, b);
      result_.splitters.push_back({code_split, true, between, area});
      areas = {a, b};
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const PanelId front = front_of(options_, places[i]);
      result_.panels.push_back({front, areas[i], std::move(places[i])});
    }
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
  if (options.maximised) return {.panels = {{*options.maximised, whole, tabs_beside(options, *options.maximised)}}};
  return Placer(options, gap, smallest).run(whole);
}

float share_at(const Splitter& s, float position) {
  const float start = s.side_by_side ? s.whole.x : s.whole.y;
  const float gap = s.side_by_side ? s.area.w : s.area.h;
  const float extent = (s.side_by_side ? s.whole.w : s.whole.h) - gap;
  return std::clamp((position - gap / 2 - start) / std::max(extent, 1.0f), 0.05f, 0.95f);
}

std::vector<PanelId> tabs_beside(const ViewOptions& options, PanelId panel) {
  return visible_of(options, all_tabs_beside(options, panel));
}

std::optional<PanelId> front_beside(const ViewOptions& options, PanelId panel) {
  const std::vector<PanelId> shown = tabs_beside(options, panel);
  return shown.empty() ? std::nullopt : std::optional(front_of(options, shown));
}

void bring_to_front(ViewOptions& options, PanelId panel) {
  const auto rivals = all_tabs_beside(options, panel);
  auto& front = options.front[static_cast<int>(options.arrangement)];
  std::erase_if(front, [&](PanelId other) { return std::find(rivals.begin(), rivals.end(), other) != rivals.end(); });
  front.push_back(panel);
}

}  // namespace lanescope::gui
