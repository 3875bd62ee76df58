#include "viz/views/registers/block.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/drawing.h"
#include "viz/views/registers/registers_geometry.h"

namespace lanescope::views {
namespace {

using trace::ThreadPlace;

static_assert(block_label_count == enum_size<BlockLabel>);
constexpr std::string_view label_names[] = {"place", "index in the block", "index in the grid", "rank in its row",
                                            "lane",  "rank in its tile",   "rank in its group"};
constexpr float wide_left = 64, narrow_left = 34, narrow_block = 420, block_right = 8, head_px = 16, section_gap = 22;
/// Narrower cells have no outline of their own.
constexpr float least_outlined = 9;
constexpr float slice_gap = 24, rows_high_px = 200;
constexpr float least_width = 140, largest_block_cell = 38, smallest_block_cell = 0.25f, row_px = 24;

class BlockDrawing : Drawing<BlockOptions> {
 public:
  BlockDrawing(const Summary& summary, const Moment& moment, const Selection& selection, const BlockOptions& options,
               const Theme& theme)
      : Drawing{summary, selection, options, theme}, moment_(moment), shape_(trace::block_shape(summary.block)) {}

  Scene draw() {
    scene_.width = options_.width > 0 ? std::max(options_.width, least_width) : 920;
    left_ = scene_.width < narrow_block ? narrow_left : wide_left;
    float y = add_broken(scene_, {12, 14}, sentence(), theme_.text, type_px::note, scene_.width - 24, 16) + 14;
    y += 20;
    // A row of a one-dimensional block is its warps.
    if (summary_.block.y * summary_.block.z > 1) y = rows_of_block(y);
    y = warps(y);
    scene_.height = foot(y);
    return std::move(scene_);
  }

 private:
  std::string sentence() const {
    std::string text = trace::words(summary_.block, shape_);
    if (shape_.idle_lanes > 0) text += "; idle lanes hold registers, too";
    if (shape_.cut_rows > 0)
      text += fmt::format(" · {} of {} rows lie in more warps than they fill", shape_.cut_rows,
                          summary_.block.y * summary_.block.z);
    else if (shape_.rows_in_a_warp > 1)
      text += fmt::format(" · a warp has {} rows of the block", shape_.rows_in_a_warp);
    return text + fmt::format(" · block {}, number {} of {}",
                              trace::to_string(trace::index_of(summary_.grid, moment_.block)), moment_.block,
                              spaced(summary_.grid.count()));
  }

  void section(float y, const std::string& title, std::string_view note) {
    add_text(scene_, {12, y}, title, theme_.text, type_px::note, Face::sans_bold);
    const float x = 12 + sans_width(title, type_px::note) + 18;
    if (narrow()) return;
    add_text(scene_, {x, y}, std::string(note), theme_.text_dim, type_px::small, Face::sans, Align::left, {},
             scene_.width - x - 8);
  }

  /// Slices of a block with several z, as many beside each other as there is room for.
  float rows_of_block(float y) {
    const trace::Dim3 b = summary_.block;
    const float room = scene_.width - left_ - block_right;
    const float cell = std::clamp(room / static_cast<float>(b.x), smallest_block_cell, largest_block_cell);
    const float slice = cell * static_cast<float>(b.x);
    const auto fitting = static_cast<std::uint32_t>((room + slice_gap) / (slice + slice_gap));
    const std::uint32_t across = std::clamp(fitting, 1u, b.z), below = (b.z + across - 1) / across;
    joined_ = joined_fits(true, cell - 1);
    section(y, "threadIdx",
            std::string("x across, y down") +
                (b.z == 1     ? ""
                 : across > 1 ? ", z beside each other"
                              : ", z below each other") +
                wording(true));
    // Low where there are many rows, but never lower than they must be.
    const float high = std::min(std::max({cell, 3.0f, rows_high_px / static_cast<float>(b.y * below)}), row_px);
    y += head_px;
    for (std::uint32_t first = 0; first < b.z; first += across) {
      const std::uint32_t end = std::min(first + across, b.z);
      if (across > 1) {
        for (std::uint32_t z = first; z < end; ++z)
          add_text(scene_, {slice_x(z - first, slice), y}, fmt::format("z {}", z), theme_.text_dim, type_px::tiny,
                   Face::mono);
        y += head_px * 0.8f;
      }
      if (first == 0 || across > 1) {
        for (std::uint32_t z = first; z < end; ++z)
          columns_head(y, static_cast<int>(b.x), cell, z == first ? "x" : "", slice_x(z - first, slice));
        y += head_px * 0.7f;
      }
      for (std::uint32_t row = 0; row < b.y; ++row, y += high) {
        if (high >= 9 || row == 0)
          add_text(scene_, {left_ - 6, y + high / 2},
                   b.z == 1 || across > 1 ? fmt::format("y {}", row)
                   : narrow()             ? fmt::format("{},{}", row, first)
                                          : fmt::format("y {} z {}", row, first),
                   theme_.text_dim, type_px::tiny, Face::mono, Align::right);
        for (std::uint32_t z = first; z < end; ++z)
          for (std::uint32_t x = 0; x < b.x; ++x)
            thread(trace::thread_place(summary_.grid, b, moment_.block, (z * b.y + row) * b.x + x),
                   {slice_x(z - first, slice) + static_cast<float>(x) * cell, y, cell, high}, true);
      }
      y += across > 1 ? 12 : 6;
    }
    return y + section_gap - (across > 1 ? 12 : 6);
  }
  float slice_x(std::uint32_t column, float slice) const {
    return left_ + static_cast<float>(column) * (slice + slice_gap);
  }

  float warps(float y) {
    const float cell = std::min((scene_.width - left_ - block_right) / 32, largest_block_cell);
    joined_ = joined_fits(false, cell - 1);
    section(y, "Warps", "lanes across" + wording(false));
    y += head_px;
    columns_head(y, 32, cell, "lane", left_);
    y += head_px * 0.7f;
    const float top = y;
    for (std::uint32_t warp = 0; warp < shape_.warps; ++warp, y += row_px) {
      add_text(scene_, {left_ - 6, y + row_px / 2}, (narrow() ? "w " : "warp ") + std::to_string(warp), theme_.text_dim,
               type_px::tiny, Face::mono, Align::right);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const Rect rect{left_ + static_cast<float>(lane) * cell, y, cell, row_px};
        if (const auto place = trace::thread_at(summary_.grid, summary_.block, moment_.block, warp, lane))
          thread(*place, rect, false);
        else
          idle(warp, lane, rect);
      }
      if (cell < least_outlined) outline_runs(warp, y, cell);
    }
    if (options_.tile > 1 && options_.tile < 32)
      for (int lane = options_.tile; lane < 32; lane += options_.tile) {
        const float x = left_ + static_cast<float>(lane) * cell - 0.5f;
        add_line(scene_, {x, top - 2}, {x, y}, theme_.text, 2);
      }
    return y;
  }

  /// One outline around neighbouring lanes that execute the step.
  void outline_runs(std::uint32_t warp, float y, float cell) {
    for (std::uint32_t lane = 0; lane < 32;) {
      std::uint32_t end = lane;
      while (end < 32 && runs(warp, end)) ++end;
      if (end > lane)
        scene_.outlines.push_back({.rect = {left_ + static_cast<float>(lane) * cell, y + 0.5f,
                                            static_cast<float>(end - lane) * cell - 1, row_px - 2},
                                   .stroke = theme_.changed,
                                   .stroke_width = 1.5f});
      lane = end + 1;
    }
  }

  void columns_head(float y, int count, float cell, std::string_view word, float left) {
    if (!word.empty())
      add_text(scene_, {left_ - 6, y}, std::string(word), theme_.text_dim, type_px::tiny, Face::mono, Align::right);
    // Numbers as far apart as the widest of them needs.
    const float widest = static_cast<float>(std::to_string(count - 1).size()) * mono_advance * type_px::tiny + 4;
    int step = 1;
    while (static_cast<float>(step) * cell < widest) step *= 2;
    for (int n = 0; n < count; n += step)
      add_text(scene_, {left + (static_cast<float>(n) + 0.5f) * cell, y}, std::to_string(n), theme_.text_dim,
               type_px::tiny, Face::mono, Align::center);
  }

  bool narrow() const { return left_ == narrow_left; }

  bool runs(std::uint32_t warp, std::uint32_t lane) const {
    return moment_.step >= 0 && moment_.warp == warp && (moment_.active >> lane & 1) != 0;
  }

  /// Lines of text in a cell: one, or two where an index with a comma is too wide for one.
  std::vector<std::string> label_of(const ThreadPlace& p, bool in_block) const {
    switch (options_.label) {
      case BlockLabel::in_block:
        return {std::to_string(p.in_block)};
      case BlockLabel::in_grid:
        return {std::to_string(p.in_grid)};
      case BlockLabel::rank_in_row:
        return {std::to_string(p.in_row)};
      case BlockLabel::rank_in_warp:
        return {std::to_string(p.lane)};
      case BlockLabel::rank_in_tile:
        return {std::to_string(options_.tile > 0 ? p.lane % static_cast<std::uint32_t>(options_.tile) : p.lane)};
      case BlockLabel::rank_in_group:
        return {runs(p.warp, p.lane)
                    ? std::to_string(std::popcount(moment_.active & ((std::uint32_t{1} << p.lane) - 1)))
                    : std::string()};
      case BlockLabel::place:
        break;
    }
    if (in_block) return {std::to_string(p.warp), std::to_string(p.lane)};
    if (summary_.block.y * summary_.block.z == 1) return {std::to_string(p.thread.x)};
    return {std::to_string(p.thread.x),
            summary_.block.z > 1 ? fmt::format("{},{}", p.thread.y, p.thread.z) : std::to_string(p.thread.y)};
  }

  /// The text of label_of, beside the title of a section.
  std::string wording(bool in_block) const {
    if (options_.label != BlockLabel::place)
      return fmt::format("; written: {}", entry_for(label_names, options_.label));
    if (in_block) return joined_ ? "; written: warp,lane" : "; written: warp over lane";
    if (summary_.block.y * summary_.block.z == 1) return "; written: threadIdx.x";
    const std::string rest = summary_.block.z > 1 ? "y,z" : "y";
    return (joined_ ? "; written: threadIdx.x," : "; written: threadIdx.x over ") + rest;
  }

  void thread(const ThreadPlace& p, Rect rect, bool in_block) {
    const Id id{.kind = Id::Kind::block_thread,
                .a = static_cast<std::int32_t>(p.warp),
                .b = static_cast<std::int32_t>(p.lane),
                .c = in_block ? 0 : 1};
    const int at = Theme::ramp_index(p.warp, std::max(shape_.warps, 2u));
    const float gap = rect.w >= 8 ? 1.0f : 0.0f;
    const Rect box{rect.x, rect.y, rect.w - gap, rect.h - (rect.h >= 6 ? 1.0f : 0.0f)};
    add_box(scene_, box, theme_.ramp[static_cast<std::size_t>(at)], id);
    write(id, box, label_of(p, in_block), theme_.ramp_text[static_cast<std::size_t>(at)],
          theme_.ramp_text_dim[static_cast<std::size_t>(at)]);
    const bool chosen = selection_.place && selection_.place->warp == static_cast<int>(p.warp) &&
                        selection_.place->lane == static_cast<int>(p.lane);
    if (runs(p.warp, p.lane) && box.w >= least_outlined)
      scene_.outlines.push_back({.id = id, .rect = inset(box, 0.75f), .stroke = theme_.changed, .stroke_width = 1.5f});
    if (chosen) add_selection(scene_, id, box, theme_, 0);
  }

  void idle(std::uint32_t warp, std::uint32_t lane, Rect rect) {
    const Id id{.kind = Id::Kind::block_thread,
                .a = static_cast<std::int32_t>(warp),
                .b = static_cast<std::int32_t>(lane),
                .c = 1};
    scene_.boxes.push_back({.id = id,
                            .rect = {rect.x, rect.y, rect.w - 1, rect.h - 1},
                            .fill = theme_.cell_empty,
                            .stroke = theme_.border,
                            .hatched = true});
  }

  /// In every cell of a section alike: whether its widest label fits into one line.
  bool joined_fits(bool in_block, float width) const {
    const trace::Dim3 b = summary_.block;
    const std::string widest = in_block  ? fmt::format("{},31", shape_.warps - 1)
                               : b.z > 1 ? fmt::format("{},{},{}", b.x - 1, b.y - 1, b.z - 1)
                                         : fmt::format("{},{}", b.x - 1, b.y - 1);
    return static_cast<float>(columns(widest)) * mono_advance * type_px::tiny + 4 <= width;
  }

  void write(const Id& id, Rect box, const std::vector<std::string>& lines, Color color, Color dim) {
    if (lines.empty() || lines.front().empty() || box.h < 8) return;
    const std::string joined = lines.size() == 1 ? lines.front() : lines[0] + "," + lines[1];
    const bool one = lines.size() == 1 || joined_ || box.h < 18;
    if (one) return add_fitted(scene_, id, center(box), joined, color, type_px::tiny, box.w, 2);
    add_fitted(scene_, id, {box.x + box.w / 2, box.y + box.h * 0.30f}, lines[0], color, type_px::tiny, box.w, 2);
    add_fitted(scene_, id, {box.x + box.w / 2, box.y + box.h * 0.73f}, lines[1], dim, type_px::micro, box.w, 2);
  }

  float foot(float y) {
    std::vector<std::string> marks;
    if (moment_.step >= 0)
      marks.push_back(fmt::format("outlined: the {} of warp {} that execute{} this step",
                                  counted(static_cast<std::uint64_t>(std::popcount(moment_.active)), "lane"),
                                  moment_.warp, std::popcount(moment_.active) == 1 ? "s" : ""));
    if (shape_.idle_lanes > 0) marks.emplace_back("hatched: idle lanes, which have no thread");
    if (options_.tile > 1 && options_.tile < 32)
      marks.push_back(fmt::format("lines: tiles of {} threads", options_.tile));
    std::string words;
    for (const std::string& m : marks) words += (words.empty() ? "" : " · ") + m;
    if (words.empty()) return y + 8;
    return y + 16 + add_broken(scene_, {12, y + 16}, words, theme_.text_dim, type_px::small, scene_.width - 24, 15) +
           12;
  }

  const Moment& moment_;
  trace::BlockShape shape_;
  float left_ = wide_left;
  bool joined_ = false;  ///< of the section being drawn
};

}  // namespace

std::string_view block_label_name(BlockLabel label) { return entry_for(label_names, label); }

std::optional<BlockLabel> block_label(std::string_view name) {
  const auto at = std::ranges::find(label_names, name);
  if (at == std::end(label_names)) return std::nullopt;
  return static_cast<BlockLabel>(at - std::begin(label_names));
}

Scene block_view(const Summary& summary, const Moment& moment, const Selection& selection, const BlockOptions& options,
                 const Theme& theme) {
  if (summary.block.count() == 0 || summary.grid.count() == 0)
    return empty_view(std::max(options.width, least_width), 90, "The launch is not known yet.", theme);
  return BlockDrawing(summary, moment, selection, options, theme).draw();
}

std::vector<ThreadRow> thread_rows(const Summary& summary, const Moment& moment, int warp, int lane) {
  if (warp < 0 || lane < 0) return {};
  const auto p = trace::thread_at(summary.grid, summary.block, moment.block, static_cast<std::uint32_t>(warp),
                                  static_cast<std::uint32_t>(lane));
  if (!p) return {};
  std::vector<ThreadRow> rows = {{"threadIdx", trace::to_string(p->thread)},
                                 {"blockIdx", trace::to_string(p->block)},
                                 {"index in the block", spaced(p->in_block)},
                                 {"index in the grid", spaced(p->in_grid)},
                                 {"rank in its row", fmt::format("{}, row {}", p->in_row, p->row)}};
  if (moment.step >= 0 && moment.warp == p->warp)
    if (const auto rank = rank_in(group_of(moment), lane))
      rows.push_back({"rank in its group", fmt::format("{} of {} active lanes", *rank, std::popcount(moment.active))});
  return rows;
}

std::string thread_words(const Summary& summary, const Moment& moment, int warp, int lane) {
  const std::vector<ThreadRow> rows = thread_rows(summary, moment, warp, lane);
  if (rows.empty())
    return fmt::format("warp {}, lane {}: idle, the block has {} and no thread for it; its registers are allocated",
                       warp, lane, counted(summary.block.count(), "thread"));
  std::string text = fmt::format("warp {}, lane {}", warp, lane);
  for (const ThreadRow& row : rows) text += "; " + row.name + " " + row.value;
  return text;
}

std::string block_csv(const Summary& summary) {
  csv::Table table({"warp", "lane", "idle", "x", "y", "z", "in_block", "in_grid", "rank_in_row"});
  const std::uint32_t warps = trace::block_shape(summary.block).warps;
  for (std::uint32_t warp = 0; warp < warps; ++warp)
    for (std::uint32_t lane = 0; lane < trace::warp_lanes; ++lane) {
      const auto p = trace::thread_at(summary.grid, summary.block, summary.recorded_block, warp, lane);
      if (p)
        table.row(warp, lane, 0, p->thread.x, p->thread.y, p->thread.z, p->in_block, p->in_grid, p->in_row);
      else
        table.row(warp, lane, 1, "", "", "", "", "", "");
    }
  return table.text();
}

}  // namespace lanescope::views
