#include "viz/views/costs/grid.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using results::BlockCounters;
using results::Problem;

static_assert(block_heat_count == enum_size<BlockHeat>);
struct BlockFigure {
  std::string_view name;
  std::uint64_t (*value)(const BlockCounters&);
};
/// By BlockHeat.
constexpr BlockFigure heats[] = {
    {"instructions", [](const BlockCounters& b) { return b.instructions; }},
    {"inactive lanes", [](const BlockCounters& b) { return b.instructions * 32 - b.thread_instructions; }},
    {"global sectors", [](const BlockCounters& b) { return b.global_sectors; }},
    {"shared wavefronts", [](const BlockCounters& b) { return b.shared_wavefronts; }},
    {"bank conflicts", [](const BlockCounters& b) { return b.bank_conflicts; }}};
constexpr float grid_margin = 2, grid_head = 22, grid_foot = 22, largest_cell = 40, smallest_cell = 3;

/// How the entries of Summary::blocks lie: `columns` in a row.
struct Shape {
  std::size_t columns = 1, rows = 1;
  float cell = smallest_cell;
};

Shape shape_of(const Summary& summary, float width, float height) {
  const std::size_t count = std::max<std::size_t>(summary.blocks.size(), 1);
  const auto rows_of = [&](std::size_t columns) { return (count + columns - 1) / columns; };
  const auto cell_of = [&](std::size_t columns) {
    return std::min({width / static_cast<float>(columns), height / static_cast<float>(rows_of(columns)), largest_cell});
  };
  // As the grid is written, where its rows fit; else broken where cells get largest.
  if (summary.blocks_each == 1 && summary.grid.x > 1 && summary.grid.y * summary.grid.z > 1) {
    const std::size_t x = summary.grid.x;
    if (cell_of(x) >= 5) return {x, rows_of(x), cell_of(x)};
  }
  std::size_t best = 1;
  for (std::size_t columns = 1; columns <= count; columns = columns < 64 ? columns + 1 : columns * 2)
    if (cell_of(columns) > cell_of(best) * 1.001f) best = columns;
  return {best, rows_of(best), std::max(cell_of(best), smallest_cell)};
}

class GridDrawing {
 public:
  GridDrawing(const Summary& summary, std::span<const Problem> problems, const GridOptions& options, const Theme& theme)
      : summary_(summary), problems_(problems), options_(options), theme_(theme) {
    for (const BlockCounters& b : summary.blocks) {
      if (b.instructions == 0) continue;
      least_ = std::min(least_, block_heat_value(b, options.heat));
      most_ = std::max(most_, block_heat_value(b, options.heat));
      ++ran_;
      if (b.divergent_branches > 0) ++diverging_;
    }
  }

  Scene draw() {
    scene_.width = options_.width > 0 ? std::max(options_.width, 120.0f) : 480;
    const float room = std::max(options_.height, 120.0f) - grid_head - grid_foot;
    shape_ = shape_of(summary_, scene_.width - 2 * grid_margin, room);
    head();
    for (std::size_t n = 0; n < summary_.blocks.size(); ++n) cell(n);
    foot(grid_head + static_cast<float>(shape_.rows) * shape_.cell + 13);
    return std::move(scene_);
  }

 private:
  void head() {
    std::string words = counted(summary_.grid.count(), "block");
    if (summary_.blocks_each > 1) words += fmt::format(", {} a cell", summary_.blocks_each);
    if (ran_ < summary_.blocks.size()) words += fmt::format(", {} did not run", spaced(summary_.blocks.size() - ran_));
    if (diverging_ > 0) words += fmt::format(", {} diverge", spaced(diverging_));
    add_text(scene_, {grid_margin, 10}, words, theme_.text_dim, type_px::note, Face::sans, Align::left, {},
             scene_.width - 4);
  }

  /// Least to most, with the ramp between.
  void foot(float y) {
    const bool flat = least_ >= most_;
    std::string low = ran_ == 0 ? "" : spaced(least_), name(block_heat_name(options_.heat));
    if (flat) low += " " + name + (ran_ > 1 ? " in each" : "");
    add_text(scene_, {grid_margin, y}, low, theme_.text_dim, type_px::note);
    float x = grid_margin + sans_width(low, type_px::note) + 8;
    if (!flat) {
      for (int i = 0; i < 40; ++i)
        add_box(scene_, {x + static_cast<float>(i) * 2, y - 5, 2, 10}, heat_color(theme_, i / 39.0));
      x += 88;
      add_text(scene_, {x, y}, spaced(most_) + " " + name, theme_.text_dim, type_px::note);
    }
    scene_.height = y + 9;
  }

  Color fill_of(const BlockCounters& b) const {
    if (b.instructions == 0) return {};
    if (least_ >= most_) return mix(theme_.panel, theme_.text_dim, 0.35);
    const auto value = static_cast<double>(block_heat_value(b, options_.heat) - least_);
    return heat_color(theme_, value / static_cast<double>(most_ - least_));
  }

  const Problem* worst_in(std::uint64_t first) const {
    const auto at = std::ranges::find_if(problems_, [&](const Problem& p) {
      return p.severity != Severity::note && (p.launch < 0 || p.launch == summary_.recorded_launch) &&
             p.block >= static_cast<std::int64_t>(first) &&
             p.block < static_cast<std::int64_t>(first + summary_.blocks_each);
    });
    return at == problems_.end() ? nullptr : &*at;  // the list begins with the worst
  }

  void cell(std::size_t n) {
    const BlockCounters& b = summary_.blocks[n];
    const std::uint64_t first = n * summary_.blocks_each;
    const float gap = shape_.cell >= 8 ? 2.0f : shape_.cell >= 5 ? 1.0f : 0.5f;
    const Rect rect{grid_margin + static_cast<float>(n % shape_.columns) * shape_.cell,
                    grid_head + static_cast<float>(n / shape_.columns) * shape_.cell, shape_.cell - gap,
                    shape_.cell - gap};
    const Id id{.kind = Id::Kind::grid_block,
                .a = static_cast<std::int32_t>(first),
                .b = static_cast<std::int32_t>(summary_.blocks_each)};
    const Color fill = fill_of(b);
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = fill,
                            .stroke = b.instructions == 0 ? theme_.text_faint : Color{},
                            .radius = shape_.cell >= 8 ? 2.0f : 0.0f,
                            .dashed = b.instructions == 0 && shape_.cell >= 12});
    const Problem* problem = worst_in(first);
    if (shape_.cell >= 22 && summary_.blocks_each == 1 && b.instructions > 0)
      add_fitted(scene_, id, center(rect), std::to_string(first), text_on(fill), type_px::tiny, rect.w, 4);
    if (b.divergent_branches > 0 && shape_.cell >= 6) divergence_sign(id, rect);
    if (summary_.recorded_block >= first && summary_.recorded_block < first + summary_.blocks_each)
      add_selection(scene_, id, rect, theme_);
    if (problem != nullptr) problem_sign(id, rect, *problem);  // above the ring
  }

  /// A bar at the foot of the cell, on a ground of its own so that it is seen on any heat.
  void divergence_sign(const Id& id, Rect r) {
    const float h = std::max(r.h * 0.12f, 1.5f);
    scene_.outlines.push_back({.id = id, .rect = {r.x + 1, r.y + r.h - h - 2, r.w / 2, h + 1}, .fill = theme_.panel});
    scene_.outlines.push_back(
        {.id = id, .rect = {r.x + 1.5f, r.y + r.h - h - 1.5f, r.w / 2 - 1, h}, .fill = theme_.changed});
  }

  void problem_sign(const Id& id, Rect r, const Problem& p) {
    const bool error = p.severity == Severity::error;
    const float extent = std::clamp(r.w * 0.4f, 3.0f, 11.0f);
    scene_.outlines.push_back({.id = id,
                               .rect = {r.x + r.w - extent, r.y, extent, extent},
                               .fill = error ? theme_.bad : theme_.warn,
                               .stroke = theme_.panel,
                               .stroke_width = r.w > 8 ? 1.0f : 0.0f,
                               .radius = error ? 1.0f : extent / 2});
  }

  const Summary& summary_;
  std::span<const Problem> problems_;
  const GridOptions& options_;
  const Theme& theme_;
  std::uint64_t least_ = ~std::uint64_t{0}, most_ = 0;
  std::size_t ran_ = 0, diverging_ = 0;
  Shape shape_;
  Scene scene_;
};

}  // namespace

std::string_view block_heat_name(BlockHeat heat) { return entry_for(heats, heat).name; }

std::uint64_t block_heat_value(const BlockCounters& b, BlockHeat heat) { return entry_for(heats, heat).value(b); }

scene::Scene grid_view(const Summary& summary, std::span<const Problem> problems, const GridOptions& options,
                       const Theme& theme) {
  if (summary.blocks.empty())
    return empty_view(std::max(options.width, 120.0f), 90, "Counters of single blocks are not known for this launch.",
                      theme);
  return GridDrawing(summary, problems, options, theme).draw();
}

std::string grid_words(const Summary& summary, std::uint32_t first, std::uint32_t blocks) {
  const std::size_t n = first / std::max(summary.blocks_each, 1u);
  if (n >= summary.blocks.size()) return {};
  const BlockCounters& b = summary.blocks[n];
  std::string words = blocks == 1 ? fmt::format("block {} ({},{},{})", first, first % std::max(summary.grid.x, 1u),
                                                first / std::max(summary.grid.x, 1u) % std::max(summary.grid.y, 1u),
                                                first / std::max(summary.grid.x * summary.grid.y, 1u))
                                  : fmt::format("blocks {} to {}", first, first + blocks - 1);
  if (b.instructions == 0) return words + ": did not run";
  words += ": " + counted(b.instructions, "warp instruction");
  if (b.divergent_branches > 0) words += fmt::format(", {} of its branches diverge", spaced(b.divergent_branches));
  if (b.global_sectors > 0) words += ", " + counted(b.global_sectors, "global sector");
  if (b.shared_wavefronts > 0) words += ", " + counted(b.shared_wavefronts, "shared wavefront");
  if (b.bank_conflicts > 0) words += ", " + counted(b.bank_conflicts, "bank conflict");
  for (const Problem& p : results::problems_of(summary))
    if (p.severity != Severity::note && (p.launch < 0 || p.launch == summary.recorded_launch) && p.block >= first &&
        p.block < static_cast<std::int64_t>(first) + blocks)
      return words + "; " + p.title + (p.line > 0 ? " in " + summary.lines.words(p.line) : "");
  return words;
}

}  // namespace lanescope::views
