#include "viz/views/offsets/offsets.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using source::AxisRange;
using source::OffsetStage;
using source::OffsetStep;
using source::PointerOffsets;
using source::ThreadAt;
using Ranges = std::vector<AxisRange>;

constexpr float picture_margin = 14, most_picture_height = 150, least_picture_height = 48, between = 26;
/// The words above and below the pictures if they are side by side.
constexpr float words_height = 132, least_beside = 420;
constexpr std::size_t most_tiles = 64;  ///< along an axis; more are drawn as one

std::vector<std::int64_t> extents_of(const PointerOffsets& o) {
  std::vector<std::int64_t> out;
  for (const source::Axis& axis : o.axes) out.push_back(static_cast<std::int64_t>(axis.extent));
  return out;
}

std::optional<Ranges> box_of(const PointerOffsets& o, std::size_t step, bool after, const ThreadAt& thread) {
  const auto& stated = after ? o.steps[step].after : o.steps[step].before;
  const auto start = source::start_of(o, step, after, thread);
  if (!stated || !start || o.axes.empty()) return std::nullopt;
  return source::box_in_array(extents_of(o), stated->shape, stated->strides, *start);
}

/// Threads of which each has another part at this stage; `of`: whose block and warp they share.
std::vector<ThreadAt> parts_of_stage(const PointerOffsets& o, OffsetStage stage, const ThreadAt& of,
                                     std::uint64_t most) {
  std::vector<ThreadAt> out;
  const std::uint64_t threads = std::uint64_t{o.block[0]} * o.block[1] * o.block[2];
  switch (stage) {
    case OffsetStage::none:
      return {of};
    case OffsetStage::block:
      for (std::uint64_t b = 0; b < o.blocks() && out.size() < most; ++b) out.push_back({.block = b});
      return out;
    case OffsetStage::warp:
      for (std::uint64_t w = 0; w * 32 < threads && out.size() < most; ++w)
        out.push_back({.block = of.block, .warp = static_cast<std::uint32_t>(w)});
      return out;
    case OffsetStage::thread:
      for (std::uint32_t l = 0; l < 32 && std::uint64_t{of.warp} * 32 + l < threads; ++l)
        out.push_back({.block = of.block, .warp = of.warp, .lane = l});
      return out;
  }
  return out;
}

std::string who(OffsetStage stage, const ThreadAt& t) {
  switch (stage) {
    case OffsetStage::none:
      return "every thread";
    case OffsetStage::block:
      return fmt::format("block {}", spaced(t.block));
    case OffsetStage::warp:
      return fmt::format("warp {} of block {}", t.warp, spaced(t.block));
    case OffsetStage::thread:
      return fmt::format("lane {} of warp {} of block {}", t.lane, t.warp, spaced(t.block));
  }
  return "";
}

std::string_view plural(OffsetStage stage) {
  constexpr std::string_view names[] = {"threads", "blocks", "warps of a block", "lanes of a warp"};
  return entry_for(names, stage);
}

/// The array in perspective: the fastest axis to the right, the next one down, all slower ones together into the depth.
class ArrayDrawing {
 public:
  ArrayDrawing(Scene& scene, const PointerOffsets& o, Rect room, const Theme& theme)
      : scene_(scene), offsets_(o), theme_(theme) {
    const std::size_t n = o.axes.size();
    has_rows_ = n > 1, has_depth_ = n > 2;
    depth_x_ = std::min(54.0f, room.w / 5), depth_y_ = std::min(30.0f, room.h / 4);
    front_ = {room.x, room.y + (has_depth_ ? depth_y_ : 0), room.w - (has_depth_ ? depth_x_ : 0),
              room.h - (has_depth_ ? depth_y_ : 0)};
    if (!has_rows_) front_.h = std::min(front_.h, 40.0f);
  }

  Rect front() const { return front_; }

  void array() {
    const Color line = theme_.text_faint;
    const Rect back = at_depth(front_, 1);
    if (has_depth_) {
      outline(back, line, true);
      corners(front_, back, line, true);
    }
    add_box(scene_, front_, with_alpha(theme_.cell_empty, 120), {}, 0, line);
    axis_words();
  }

  /// Borders of the parts along rows and columns.
  void tiles(const std::vector<Ranges>& boxes) {
    const std::size_t n = offsets_.axes.size();
    std::set<std::int64_t> columns, rows;
    for (const Ranges& box : boxes) {
      columns.insert(box[n - 1].first);
      if (has_rows_) rows.insert(box[n - 2].first);
    }
    const Color line = with_alpha(theme_.accent, 110);
    if (columns.size() > 1 && columns.size() <= most_tiles)
      for (const std::int64_t c : columns)
        if (c > 0) add_line(scene_, {x_of(c), front_.y}, {x_of(c), front_.y + front_.h}, line);
    if (rows.size() > 1 && rows.size() <= most_tiles)
      for (const std::int64_t r : rows)
        if (r > 0) add_line(scene_, {front_.x, y_of(r)}, {front_.x + front_.w, y_of(r)}, line);
  }

  void part(const Ranges& box, Color fill, bool strong) {
    const std::size_t n = offsets_.axes.size();
    const AxisRange& columns = box[n - 1];
    Rect r{x_of(columns.first), front_.y, x_of(columns.last() + 1) - x_of(columns.first), front_.h};
    if (has_rows_) r.y = y_of(box[n - 2].first), r.h = y_of(box[n - 2].last() + 1) - r.y;
    r.w = std::max(r.w, 4.0f), r.h = std::max(r.h, 4.0f);
    const auto [near, far] = depth_of(box);
    const Rect front = at_depth(r, near), back = at_depth(r, far);
    const Color ink = strong ? theme_.accent : theme_.text_dim;
    if (has_depth_ && far - near > 0.02f) {
      outline(back, with_alpha(ink, 170), false);
      add_box(scene_, back, with_alpha(fill, 70));
      corners(front, back, with_alpha(ink, 170), false);
    }
    scene_.boxes.push_back({.rect = front,
                            .fill = with_alpha(fill, strong ? 210 : 110),
                            .stroke = ink,
                            .stroke_width = strong ? 1.5f : 1.0f,
                            .hatched = columns.step > 1});
  }

 private:
  float share(std::int64_t index, std::size_t axis) const {
    return static_cast<float>(index) / static_cast<float>(std::max<std::uint64_t>(offsets_.axes[axis].extent, 1));
  }
  float x_of(std::int64_t index) const { return front_.x + front_.w * share(index, offsets_.axes.size() - 1); }
  float y_of(std::int64_t index) const { return front_.y + front_.h * share(index, offsets_.axes.size() - 2); }
  /// Begin and end of a part in the depth, 0 to 1: slower axes are one after the other.
  std::pair<float, float> depth_of(const Ranges& box) const {
    if (!has_depth_) return {0, 0};
    double first = 0, last = 0, all = 1;
    for (std::size_t axis = 0; axis + 2 < box.size(); ++axis) {
      const auto extent = static_cast<double>(offsets_.axes[axis].extent);
      first = first * extent + static_cast<double>(box[axis].first);
      last = last * extent + static_cast<double>(box[axis].last());
      all *= extent;
    }
    return {static_cast<float>(first / all), static_cast<float>((last + 1) / all)};
  }
  Rect at_depth(Rect r, float depth) const {
    return has_depth_ ? Rect{r.x + depth * depth_x_, r.y - depth * depth_y_, r.w, r.h} : r;
  }
  void outline(Rect r, Color color, bool dashed) {
    scene_.boxes.push_back({.rect = r, .stroke = color, .dashed = dashed});
  }
  void corners(Rect a, Rect b, Color color, bool dashed) {
    for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}})
      add_line(scene_, {a.x + dx * a.w, a.y + dy * a.h}, {b.x + dx * b.w, b.y + dy * b.h}, color, 1, {}, dashed);
  }
  std::string axis_name(std::size_t axis) const {
    const source::Axis& a = offsets_.axes[axis];
    return a.name.empty() ? spaced(a.extent) : fmt::format("{} {}", a.name, spaced(a.extent));
  }
  void axis_words() {
    const std::size_t n = offsets_.axes.size();
    add_text(scene_, {front_.x + front_.w / 2, front_.y + front_.h + 11}, axis_name(n - 1), theme_.text_dim,
             type_px::small, Face::mono, Align::center);
    if (has_rows_)
      add_text(scene_, {front_.x + 5, front_.y + front_.h - 9}, axis_name(n - 2), theme_.text_dim, type_px::small,
               Face::mono);
    if (!has_depth_) return;
    std::string words;
    for (std::size_t axis = 0; axis + 2 < n; ++axis) words += (words.empty() ? "" : ", ") + axis_name(axis);
    add_text(scene_, {front_.x, front_.y - depth_y_ + 4}, words, theme_.text_dim, type_px::small, Face::mono,
             Align::left, {}, std::max(depth_x_ - 6, 10.0f));
  }

  Scene& scene_;
  const PointerOffsets& offsets_;
  const Theme& theme_;
  Rect front_;
  float depth_x_ = 0, depth_y_ = 0;
  bool has_rows_ = false, has_depth_ = false;
};

std::string index_words(const PointerOffsets& o, const Ranges& box) {
  std::string out;
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    const AxisRange& r = box[axis];
    std::string one = r.count == 1 ? std::to_string(r.first) : fmt::format("{}..{}", r.first, r.last());
    if (r.step > 1) one += fmt::format(" by {}", r.step);
    out += (axis > 0 ? ", " : "") + (o.axes[axis].name.empty() ? one : o.axes[axis].name + " " + one);
  }
  return "[" + out + "]";
}

}  // namespace

std::string tiling_words(const PointerOffsets& o, std::size_t step, std::uint64_t most_elements) {
  const OffsetStep& s = o.steps[step];
  if (!s.after || o.axes.empty()) return {};
  std::uint64_t all = 1;
  for (const source::Axis& axis : o.axes) all *= axis.extent;
  if (s.stage != OffsetStage::block || all > most_elements) return {};
  const std::vector<ThreadAt> parts = parts_of_stage(o, s.stage, {}, all);
  const std::uint64_t each = static_cast<std::uint64_t>(s.after->elements());
  if (each == 0 || parts.size() > most_elements / each) return {};
  // Every element of every part, counted.
  std::vector<std::uint8_t> owners(all);
  std::uint64_t outside = 0;
  for (const ThreadAt& t : parts) {
    const auto start = source::start_of(o, step, true, t);
    if (!start) return {};
    for (std::uint64_t e = 0; e < each; ++e) {
      std::int64_t at = *start;
      std::uint64_t rest = e;
      for (std::size_t n = s.after->shape.size(); n-- > 0;) {
        at += static_cast<std::int64_t>(rest % static_cast<std::uint64_t>(s.after->shape[n])) * s.after->strides[n];
        rest /= static_cast<std::uint64_t>(s.after->shape[n]);
      }
      if (at < 0 || static_cast<std::uint64_t>(at) >= all)
        ++outside;
      else if (owners[static_cast<std::size_t>(at)] < 2)
        ++owners[static_cast<std::size_t>(at)];
    }
  }
  const auto none = static_cast<std::uint64_t>(std::ranges::count(owners, 0));
  const auto several = static_cast<std::uint64_t>(std::ranges::count(owners, 2));
  if (none == 0 && several == 0 && outside == 0)
    return fmt::format("The {} blocks tile the array: each of its {} elements belongs to exactly one.",
                       spaced(parts.size()), spaced(all));
  std::string words = fmt::format("Of {} elements of the array {} belong to no block and {} to several", spaced(all),
                                  spaced(none), spaced(several));
  if (outside > 0) words += fmt::format("; parts reach {} beyond it", counted(outside, "element"));
  return words + ".";
}

std::string offsets_csv(const PointerOffsets& o, std::size_t step, const ThreadAt& thread) {
  csv::Table table({"state", "axis", "extent", "first", "count", "step"});
  for (const bool after : {false, true})
    if (const auto box = box_of(o, step, after, thread))
      for (std::size_t axis = 0; axis < box->size(); ++axis)
        table.row(after ? "after" : "before", o.axes[axis].name, o.axes[axis].extent, (*box)[axis].first,
                  (*box)[axis].count, (*box)[axis].step);
  return table.text();
}

scene::Scene offsets_view(const PointerOffsets& o, std::size_t step, const OffsetsOptions& options,
                          const Theme& theme) {
  Scene scene{.width = options.width > 0 ? options.width : 640};
  const OffsetStep& s = o.steps[step];
  const float room = scene.width - 2 * picture_margin;
  float y = 12;
  const std::string title = s.whole ? fmt::format("{}: the part of each {}", s.pointer, to_string(s.stage)) : s.text;
  add_text(scene, {picture_margin, y}, title, theme.text, type_px::code, Face::mono_bold, Align::left,
           {.kind = Id::Kind::title}, room);
  y += 17;
  const std::string where = o.buffer.empty() ? o.root : o.buffer;
  const std::string what =
      s.whole ? fmt::format("stated at line {}", s.comment_line)
              : fmt::format("per-{} offset of {} · {}", s.stage == OffsetStage::none ? "grid" : to_string(s.stage),
                            where, who(s.stage, options.thread));
  y += add_broken(scene, {picture_margin, y}, what, theme.text_dim, type_px::note, room, 15) + 18;
  if (!s.before && !s.after) {
    y += add_broken(
        scene, {picture_margin, y},
        "No comment states the shape of the array before and after this offset. Write: // before: shape (…), "
        "strides (…) and // after: …",
        theme.text_dim, type_px::note, room, 16);
    scene.height = y + 20;
    return scene;
  }
  const bool low = options.height > 0 && options.height < 2 * (most_picture_height + 76) + 60;
  const bool beside = room >= least_beside || low;
  const float high =
      low ? std::clamp(options.height - words_height, least_picture_height, most_picture_height) : most_picture_height;
  const float width = beside ? (room - between) / 2 : room;
  const float top = y;
  std::vector<std::string> remarks;
  for (const bool after : {false, true}) {
    const float x = picture_margin + (beside && after ? width + between : 0);
    if (beside) y = top;
    const auto& stated = after ? s.after : s.before;
    add_text(scene, {x, y}, after ? "after" : "before", theme.text, type_px::body, Face::sans_bold);
    add_text(scene, {x + 46, y}, stated ? stated->text : "not stated", theme.text_dim, type_px::small, Face::mono,
             Align::left, {}, width - 46);
    y += 14;
    if (o.axes.empty()) {
      remarks.emplace_back("The shape of the whole array is not known, so nothing is drawn.");
      continue;
    }
    ArrayDrawing drawing(scene, o, {x, y, width, high}, theme);
    drawing.array();
    const auto box = box_of(o, step, after, options.thread);
    if (after && s.after) {
      std::vector<Ranges> boxes;
      for (const ThreadAt& t : parts_of_stage(o, s.stage, options.thread, 4096))
        if (auto one = box_of(o, step, true, t)) boxes.push_back(std::move(*one));
      drawing.tiles(boxes);
      // Where it was before, and the parts of its like, stay in sight.
      if (const auto outer = box_of(o, step, false, options.thread)) drawing.part(*outer, theme.cell_plain, false);
      if (s.stage != OffsetStage::block && boxes.size() <= most_tiles)
        for (const Ranges& one : boxes) drawing.part(one, theme.cell_plain, false);
    }
    if (box) {
      drawing.part(*box, after ? theme.ramp[170] : theme.ramp[90], true);
      add_text(scene, {x, drawing.front().y + drawing.front().h + 28}, index_words(o, *box), theme.text, type_px::small,
               Face::mono, Align::left, {}, width);
    } else if (stated) {
      const bool known = source::start_of(o, step, after, options.thread).has_value();
      remarks.push_back(fmt::format("{}: {}.", after ? "after" : "before",
                                    s.whole ? "an index, not an offset of the pointer, selects the start of the part"
                                    : known ? "the stated part is no box of this array, or leaves it"
                                            : "its start depends on values that are not known here"));
    }
    y = drawing.front().y + drawing.front().h + 48;
  }
  const std::size_t count = parts_of_stage(o, s.stage, options.thread, 1U << 20).size();
  if (const std::string words = tiling_words(o, step); !words.empty())
    remarks.push_back(words);
  else if (s.after && s.stage != OffsetStage::none && !s.whole)
    remarks.push_back(fmt::format("{} {} have a part of {} each.", spaced(count), plural(s.stage),
                                  counted(static_cast<std::uint64_t>(s.after->elements()), "element")));
  if (!o.axes.empty() && !low)
    remarks.emplace_back("Axes are not to scale with each other; thin parts are drawn thicker.");
  for (const std::string& words : remarks)
    y += add_broken(scene, {picture_margin, y}, words, theme.text_dim, type_px::note, room, 16,
                    {.kind = Id::Kind::remark}) +
         18;
  scene.height = y + 4;
  return scene;
}

}  // namespace lanescope::views
