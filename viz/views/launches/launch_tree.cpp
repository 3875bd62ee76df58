#include "viz/views/launches/launch_tree.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "results/grids.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using results::GridFold;
using results::GridInfo;
using results::Summary;
using Order = results::GridInfo::Order;

constexpr float tree_margin = 12, head_height = 30, launch_height = 50, launch_pitch = 72, column_gap = 18,
                foot_height = 26;
constexpr float depth_width = 62, least_box = 96, after_launch = 3;

constexpr std::string_view order_names[] = {"host", "stream", "fire and forget", "tail"};

std::string kernel_words(const GridFold& fold, const GridInfo& g) {
  return (fold.count > 1 ? spaced(fold.count) + " × " : std::string()) + results::launch_words(g);
}

std::string work_words(const GridInfo& g) {
  return counted(g.grid.count(), "block") + ", " + counted(g.grid.count() * g.block.count(), "thread");
}

class LaunchTreeDrawing {
 public:
  LaunchTreeDrawing(const Summary& summary, const LaunchTreeOptions& options, const Theme& theme)
      : summary_(summary), theme_(theme), folds_(results::folded(summary.grids)), items_(folds_.size()) {
    scene_.width = options.width > 0 ? options.width : 960;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      deepest_ = std::max(deepest_, folds_[f].depth);
      const GridInfo& g = grid_of(f);
      items_[f].first_words = kernel_words(folds_[f], g);
      items_[f].second_words = (g.line > 0 ? summary.lines.words(g.line) + " · " : std::string()) + work_words(g) +
                               (folds_[f].count > 1 ? " each" : "");
      find_parent(f);
      items_[f].launchers = launchers_words(f);
      items_[f].width =
          std::max({least_box, 16 + mono_advance * type_px::code * static_cast<float>(columns(items_[f].first_words)),
                    16 + sans_width(items_[f].second_words, type_px::tiny),
                    16 + sans_width(items_[f].launchers, type_px::tiny)});
    }
  }

  Scene draw() {
    if (folds_.empty()) {
      add_text(scene_, {tree_margin, 20}, "no kernel of this run launches kernels", theme_.text_dim, type_px::note);
      scene_.height = 40;
      return std::move(scene_);
    }
    head();
    place();
    for (std::size_t f = 0; f < folds_.size(); ++f) edge(f);
    depths();
    for (std::size_t f = 0; f < folds_.size(); ++f) box(f);
    foot(head_height + static_cast<float>(deepest_ + 1) * launch_pitch - (launch_pitch - launch_height) +
         foot_height / 2 + 8);
    return std::move(scene_);
  }

 private:
  struct Item {
    int parent = -1;
    std::vector<std::size_t> children{};
    std::string first_words{}, second_words{}, launchers{};
    std::uint64_t grids = 1;    ///< that the box stands for, in all
    float width = 0, room = 0;  ///< of the box; of the box and all below it
    float middle = 0;
  };

  const GridInfo& grid_of(std::size_t fold) const { return summary_.grids[folds_[fold].first]; }
  static float top_of(std::uint32_t depth) { return head_height + static_cast<float>(depth) * launch_pitch; }

  /// The nearest fold before it that is one level higher: folds are after that of their parent.
  void find_parent(std::size_t f) {
    for (std::size_t p = f; p-- > 0 && items_[f].parent < 0;)
      if (folds_[p].depth + 1 == folds_[f].depth) items_[f].parent = static_cast<int>(p);
    items_[f].grids = folds_[f].count;
    if (items_[f].parent < 0) return;
    Item& parent = items_[static_cast<std::size_t>(items_[f].parent)];
    parent.children.push_back(f);
    items_[f].grids *= parent.grids;
  }

  void head() {
    const std::uint64_t grids = summary_.grids.size();
    std::uint64_t threads = 0, by_host = 0;
    for (const GridInfo& g : summary_.grids) threads += g.grid.count() * g.block.count(), by_host += g.depth == 0;
    const std::string words =
        fmt::format("{}: {} launched by the host, {} by {} kernels; {} in all, {} deep", counted(grids, "grid"),
                    spaced(by_host), spaced(grids - by_host), by_host == 1 ? "its" : "their",
                    counted(threads, "thread"), counted(std::uint64_t{deepest_} + 1, "level"));
    add_text(scene_, {tree_margin, 13}, words, theme_.text_dim, type_px::note, Face::sans, Align::left,
             {.kind = Id::Kind::title}, scene_.width - 2 * tree_margin);
  }

  /// Each box over the middle of its child grids; the boxes of one row never overlap.
  void place() {
    for (std::size_t f = folds_.size(); f-- > 0;) {  // children first
      float below = 0;
      for (const std::size_t c : items_[f].children) below += items_[c].room;
      items_[f].room = std::max(items_[f].width + column_gap, below);
    }
    float all = 0;
    for (std::size_t f = 0; f < folds_.size(); ++f)
      if (items_[f].parent < 0) all += items_[f].room;
    const float room = scene_.width - depth_width - tree_margin;
    scene_.width = std::max(scene_.width, all + depth_width + tree_margin);
    float left = depth_width + std::max(room - all, 0.0f) / 2;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      if (items_[f].parent >= 0) continue;
      put(f, left);
      left += items_[f].room;
    }
  }

  void put(std::size_t f, float left) {
    Item& item = items_[f];
    item.middle = left + item.room / 2;
    float below = 0;
    for (const std::size_t c : item.children) below += items_[c].room;
    left += (item.room - below) / 2;
    for (const std::size_t c : item.children) {
      put(c, left);
      left += items_[c].room;
    }
  }

  Rect rect_of(std::size_t f) const {
    return {items_[f].middle - items_[f].width / 2, top_of(folds_[f].depth), items_[f].width, launch_height};
  }

  Color color_of(Order order) const {
    return order == Order::tail ? theme_.warn : order == Order::fire_and_forget ? theme_.accent : theme_.text_dim;
  }

  void edge(std::size_t f) {
    if (items_[f].parent < 0) return;
    const auto parent = static_cast<std::size_t>(items_[f].parent);
    const GridInfo& g = grid_of(f);
    const Id id{.kind = Id::Kind::launched_grid, .a = static_cast<std::int32_t>(folds_[f].first)};
    const Rect from = rect_of(parent), to = rect_of(f);
    const std::vector<std::size_t>& siblings = items_[parent].children;
    const auto place = static_cast<float>(std::ranges::find(siblings, f) - siblings.begin());
    // From a point of its own on the lower edge: lines of one launcher do not cover each other.
    const Point a{from.x + from.w * (place + 1) / (static_cast<float>(siblings.size()) + 1), from.y + from.h},
        b{to.x + to.w / 2, to.y};
    add_line(scene_, a, b, color_of(g.order), g.order == Order::tail ? 2.2f : 1.5f, id,
             g.order == Order::fire_and_forget);
    orders_.insert(g.order);
  }

  /// "4 blocks, thread 0": the launching threads of all members.
  std::string launchers_words(std::size_t f) const {
    if (grid_of(f).parent < 0) return "launched by the host";
    std::set<std::uint32_t> blocks, threads;
    for (const std::size_t m : folds_[f].members)
      blocks.insert(summary_.grids[m].from_block), threads.insert(summary_.grids[m].from_thread);
    std::string words =
        "by " + (blocks.size() == 1 ? fmt::format("block {}", *blocks.begin()) : counted(blocks.size(), "block"));
    words +=
        ", " + (threads.size() == 1 ? fmt::format("thread {}", *threads.begin()) : counted(threads.size(), "thread"));
    const auto parent = static_cast<std::size_t>(items_[f].parent);
    if (items_[parent].grids > 1) words += ", of each of " + spaced(items_[parent].grids);
    return words;
  }

  void depths() {
    for (std::uint32_t depth = 0; depth <= deepest_; ++depth) {
      const float y = top_of(depth) + launch_height / 2;
      add_text(scene_, {tree_margin, y}, depth == 0 ? "host" : fmt::format("depth {}", depth), theme_.text_dim,
               type_px::tiny, Face::sans, Align::left, {}, depth_width - tree_margin - 4);
    }
  }

  void box(std::size_t f) {
    const GridFold& fold = folds_[f];
    const Id id{.kind = Id::Kind::launched_grid, .a = static_cast<std::int32_t>(fold.first)};
    const Rect r = rect_of(f);
    for (int n = fold.count > 1 ? std::min<int>(static_cast<int>(fold.count) - 1, 2) : 0; n > 0; --n)  // a pile
      add_box(scene_,
              {r.x + after_launch * static_cast<float>(n), r.y - after_launch * static_cast<float>(n), r.w, r.h},
              theme_.cell_empty, id, 4, theme_.cell_border);
    add_box(scene_, r, theme_.cell_plain, id, 4, theme_.cell_border);
    add_text(scene_, {r.x + 8, r.y + 12}, items_[f].first_words, theme_.text, type_px::code, Face::mono, Align::left,
             id, r.w - 10);
    float y = r.y + 27;
    for (const std::string& words : {items_[f].second_words, items_[f].launchers}) {
      add_text(scene_, {r.x + 8, y}, words, theme_.text_dim, type_px::tiny, Face::sans, Align::left, id, r.w - 10);
      y += 13;
    }
    const bool shown = std::ranges::any_of(
        fold.members, [&](std::size_t m) { return summary_.grids[m].launch == summary_.recorded_launch; });
    if (shown) add_selection(scene_, id, r, theme_);
  }

  /// Meaning of the lines that are drawn.
  void foot(float y) {
    float x = tree_margin;
    const auto entry = [&](Order order, const char* words) {
      if (!orders_.contains(order)) return;
      add_line(scene_, {x, y}, {x + 26, y}, color_of(order), order == Order::tail ? 2.2f : 1.5f, {},
               order == Order::fire_and_forget);
      add_text(scene_, {x + 32, y}, words, theme_.text_dim, type_px::note, Face::sans, Align::left,
               {.kind = Id::Kind::legend});
      x += 32 + sans_width(words, type_px::note) + 22;
    };
    entry(Order::stream, "in its stream, at any time from the launch on");
    entry(Order::fire_and_forget, "fire and forget: ordered with nothing");
    entry(Order::tail, "tail launch: when the launching grid has ended");
    scene_.width = std::max(scene_.width, x);
    scene_.height = y + foot_height / 2;
  }

  const Summary& summary_;
  const Theme& theme_;
  std::vector<GridFold> folds_;
  std::vector<Item> items_;
  std::set<Order> orders_;
  std::uint32_t deepest_ = 0;
  Scene scene_;
};

}  // namespace

Scene launch_tree_view(const Summary& summary, const LaunchTreeOptions& options, const Theme& theme) {
  return LaunchTreeDrawing(summary, options, theme).draw();
}

std::string launch_tree_tooltip(const Summary& s, const Id& id) {
  if (id.kind != Id::Kind::launched_grid || id.a < 0 || static_cast<std::size_t>(id.a) >= s.grids.size()) return {};
  const GridInfo& g = s.grids[static_cast<std::size_t>(id.a)];
  std::string words = results::launch_words(g) + ": " + work_words(g);
  if (g.order == Order::host) return words + "\nlaunched by the host";
  words += fmt::format("\nlaunched by block {}, thread {} of {}", g.from_block, g.from_thread,
                       results::launch_words(s.grids[static_cast<std::size_t>(g.parent)]));
  if (g.line > 0) words += ", " + s.lines.words(g.line);
  if (g.order == Order::stream) words += "\nin its stream: it may begin at any time from the launch on";
  if (g.order == Order::fire_and_forget)
    words += "\nfire and forget: ordered with nothing that its launcher does later";
  if (g.order == Order::tail) words += "\ntail launch: begins when the launching grid has ended";
  words += g.launch < 0                    ? "\nran with the launch above it: it has no steps of its own"
           : g.launch == s.recorded_launch ? "\nshown"
                                           : "\na click shows its steps";
  return words;
}

std::string launch_tree_csv(const Summary& s) {
  csv::Table table{"grids", "kernel",      "grid",   "block",  "dynamic_shared_bytes", "depth", "order",
                   "line",  "first_index", "parent", "launch", "threads_each"};
  for (const GridFold& f : results::folded(s.grids)) {
    const GridInfo& g = s.grids[f.first];
    const auto extent = [](const trace::Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); };
    table.row(f.count, g.kernel, extent(g.grid), extent(g.block), g.dynamic_shared_bytes, g.depth,
              entry_for(order_names, g.order), g.line, f.first, g.parent, g.launch, g.grid.count() * g.block.count());
  }
  return table.text();
}

}  // namespace lanescope::views
