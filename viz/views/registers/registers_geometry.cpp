#include "viz/views/registers/registers_geometry.h"

#include <algorithm>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

/// Of a cell: as usual, and how low and high it may become.
struct CellHeights {
  float usual, least, most;
};

// Bits of a packed register get bars instead of cells: 32 rows must fit.
CellHeights heights_of(const RegisterGrid& grid, int lines) {
  if (grid.parts >= 32) return {6, 4, 14};
  constexpr CellHeights heights[] = {{21, 11.5f, 46}, {31.6f, 18, 70}, {42, 26, 90}};
  CellHeights h = heights[std::clamp(lines, 1, 3) - 1];
  if (grid.parts >= 8) h.usual = lines == 1 ? 15.0f : 26.0f;
  return h;
}

}  // namespace

RegistersGeometry::RegistersGeometry(const Moment& moment, float wanted_width, float room,
                                     const std::vector<int>& lines, const std::vector<bool>& last, int label_columns) {
  if (group_of(moment) != 0) headings += ranks_height;
  left = std::clamp(static_cast<float>(label_columns) * type_px::small * mono_advance + 14, 46.0f, 180.0f);
  constexpr float gaps = 7 * lane_group_gap;
  const float pitch = wanted_width > 0 ? std::max((wanted_width - left - right_margin - gaps) / 32, 9.0f) : 22.4f;
  cell_width = pitch - row_gap;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4;
    lane_x[lane] = left + pitch * static_cast<float>(lane) + lane_group_gap * static_cast<float>(group);
  }
  width = lane_x[31] + pitch + right_margin;
  std::vector<CellHeights> heights;
  for (const bool below : {false, true})
    for (std::size_t n = 0; n < moment.grids.size(); ++n) {
      if (last[n] != below) continue;
      const RegisterGrid& grid = moment.grids[n];
      heights.push_back(heights_of(grid, lines[n]));
      Grid g{.grid = &grid, .index = static_cast<int>(grids.size()), .cell_height = heights.back().usual};
      g.register_gap = grid.parts > 1 ? 6.0f : 0.0f;
      g.heading = grid.warps > 1 ? block_heading_height : 0.0f;  // of one warp the rows say what they are
      grids.push_back(g);
    }
  place_grids();
  if (room <= 0) return;
  // The remark takes one line more in a narrow view; cells share what is left in proportion to their usual heights.
  const float remarks = width < 460 ? 2 * remark_pitch : width < 860 ? remark_pitch : 0.0f;
  const auto scaled = [&](float factor) {
    for (std::size_t n = 0; n < grids.size(); ++n)
      grids[n].cell_height = std::clamp(heights[n].usual * factor, heights[n].least, heights[n].most);
    place_grids();
    return height + remarks;
  };
  float low = 0.2f, high = 4;
  for (int i = 0; i < 24; ++i) {  // height grows with the factor
    const float middle = (low + high) / 2;
    (scaled(middle) <= room ? low : high) = middle;
  }
  scaled(low);
}

void RegistersGeometry::place_grids() {
  float y = headings;
  for (Grid& g : grids) {
    const RegisterGrid& grid = *g.grid;
    if (g.index > 0) y += g.heading > 0 ? grid_gap : close_grid_gap;
    g.top = y;
    g.warp_pitch = g.heading + g.register_pitch() * static_cast<float>(grid.registers) + (grid.warps > 1 ? 4.0f : 0.0f);
    y += g.warp_pitch * static_cast<float>(grid.warps) - g.register_gap;
  }
  height = y + remark_height;
}

int RegistersGeometry::lane_label_stride() const {
  const float needed = 2 * mono_advance * type_px::tiny + 2;
  const float pitch = cell_width + row_gap;
  return pitch >= needed ? 1 : pitch * 2 >= needed ? 2 : 4;
}

const RegistersGeometry::Grid* RegistersGeometry::grid_of(const PlaceRef& place) const {
  for (const Grid& g : grids) {
    const RegisterGrid& grid = *g.grid;
    if (grid.family == place.family && place.warp >= grid.first_warp && place.warp < grid.first_warp + grid.warps &&
        place.reg < grid.registers && place.part < grid.parts) {
      return &g;
    }
  }
  return nullptr;
}

}  // namespace lanescope::views
