#pragma once
// The element in each register of each lane: one warp as a grid, in one assignment or between two. And the bit matrix
// of the conversion.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/layout/assignment.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct ElementsInput {
  const layout::Assignment* before = nullptr;
  const layout::Assignment* after = nullptr;  ///< nullptr: nothing moves
  float share = 1;                            ///< position between the two, 0 to 1
  int warp = 0;
  std::vector<std::string> names;      ///< logical bits,
  std::vector<std::uint64_t> offsets;  ///< and how far each moves an element in memory, in elements
  std::string lit;                     ///< a logical bit: elements where it is 0 are drawn faintly; empty: all alike
};

/// Registers that are drawn at most; of more the first ones.
inline constexpr int most_grid_rows = 256;

/// Cells are register_cell/REGISTER/WARP/LANE/PART, where they arrive. Elements that come from another warp appear.
scene::Scene element_grid(const ElementsInput&, float width, float height, const Theme&);

struct MatrixInput {
  std::vector<std::string> rows, columns;
  std::vector<std::vector<bool>> ones;
  std::vector<std::string> remarks;
};
/// Cells are matrix_cell/ROW/COLUMN.
scene::Scene bit_matrix(const MatrixInput&, float width, const Theme&);

}  // namespace lanescope::views
