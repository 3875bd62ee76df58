#include "viz/views/registers/registers_geometry.h"

#include <algorithm>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

// Bits of a packed register get bars instead of cells: 32 rows must fit.
float cell_height_of(const RegisterGrid& grid, int lines) {
  if (grid.parts >= 32) return 6;
  if (grid.parts >= 8) return lines == 1 ? 15.0f : 26.0f;
  constexpr float heights[] = {21, 31.6f, 42};
  return heights[std::clamp(lines, 1, 3) - 1];
}

}  // namespace

RegistersGeometry::RegistersGeometry(const Moment& moment, float wanted_width, int lines, int label_columns) {
  left = std::clamp(static_cast<float>(label_columns) * type_px::small * mono_advance + 14, 46.0f, 180.0f);
  constexpr float gaps = 7 * lane_group_gap;
  const float pitch = wanted_width > 0 ? std::max((wanted_width - left - right_margin - gaps) / 32, 9.0f) : 22.4f;
  cell_width = pitch - row_gap;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4;
    lane_x[lane] = left + pitch * static_cast<float>(lane) + lane_group_gap * static_cast<float>(group);
  }
  width = lane_x[31] + pitch + right_margin;
  float y = heading_height;
  const bool several = moment.grids.size() > 1;
  for (const RegisterGrid& grid : moment.grids) {
    if (!grids.empty()) y += grid_gap;
    Grid g{
        .grid = &grid, .index = static_cast<int>(grids.size()), .top = y, .cell_height = cell_height_of(grid, lines)};
    g.register_gap = grid.parts > 1 ? 6.0f : 0.0f;
    g.heading = several || grid.warps > 1 ? block_heading_height : 0.0f;
    g.warp_pitch = g.heading + g.register_pitch() * static_cast<float>(grid.registers) + (grid.warps > 1 ? 4.0f : 0.0f);
    y += g.warp_pitch * static_cast<float>(grid.warps) - g.register_gap;
    grids.push_back(g);
  }
  height = y + remark_height;
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
