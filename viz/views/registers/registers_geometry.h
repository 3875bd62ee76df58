#pragma once
// Geometry of the register view, apart from what its cells say: lanes across, registers and their parts down, one block of
// rows per warp, one grid below the other.

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "results/moment.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

struct RegistersGeometry {
  static constexpr float heading_height = 20, ranks_height = 14, block_heading_height = 20, remark_height = 26,
                         remark_pitch = 17, grid_gap = 14, close_grid_gap = 7;
  static constexpr float lane_group_gap = 3, right_margin = 6, row_gap = 1.4f;

  struct Grid {
    const RegisterGrid* grid = nullptr;
    int index = 0;
    float top = 0, cell_height = 0, register_gap = 0, heading = 0, warp_pitch = 0;
    float row_pitch() const { return cell_height + row_gap; }
    float register_pitch() const { return row_pitch() * grid->parts + register_gap; }
    float warp_top(int warp) const { return top + heading + warp_pitch * static_cast<float>(warp); }
    float row_top(int warp, int reg, int part) const {
      return warp_top(warp) + register_pitch() * static_cast<float>(reg) + row_pitch() * static_cast<float>(part);
    }
  };

  float headings = heading_height;  ///< of the lanes' numbers, and of their ranks where there are any
  float left = 0, cell_width = 0, width = 0, height = 0;
  std::array<float, 32> lane_x{};
  std::vector<Grid> grids;

  /// `lines`: of text per cell, by grid; `last`: grids that stand below the others; `label_columns`: the widest row label, in characters; `room`: the height to fill,
  /// 0: none in particular.
  RegistersGeometry(const Moment& moment, float wanted_width, float room, const std::vector<int>& lines,
                    const std::vector<bool>& last, int label_columns);
  /// The grid that shows a place; nullptr when none does.
  const Grid* grid_of(const PlaceRef& place) const;
  /// Lane numbers stand over every n-th column where columns are too narrow for all.
  int lane_label_stride() const;
  scene::Rect cell(const Grid& grid, int warp_in_grid, int reg, int part, int lane) const {
    return {lane_x[lane], grid.row_top(warp_in_grid, reg, part), cell_width, grid.cell_height};
  }

 private:
  void place_grids();
};

// The rank of a lane in its group: cooperative groups number the threads of a tile, of a coalesced group or of a labelled
// part from 0 on, and shuffles of the group count in these numbers.
//
// No event says which group a statement belongs to, and none is needed: what lanes of a group do together is executed by
// these lanes and by no others. So the group of a step is its active lanes, and a lane's rank the number of active lanes
// below it, which is how coalesced_group::thread_rank() is defined.

/// The lanes that execute the step; 0: there is no step, or ranks are the lanes' numbers, as of all lanes or the first few.
inline std::uint32_t group_of(const results::Moment& moment) {
  return (moment.active & (moment.active + 1)) == 0 ? 0 : moment.active;
}

/// nullopt: the lane is not in the group.
inline std::optional<int> rank_in(std::uint32_t group, int lane) {
  if ((group >> lane & 1) == 0) return std::nullopt;
  return std::popcount(group & ((std::uint32_t{1} << lane) - 1));
}

}  // namespace lanescope::views
