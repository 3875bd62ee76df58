#pragma once
// Comments that say at which place of a shared array the element at (row, col) of a tile lies, where it is not [row][col]:
//
//   logical (row=x, col=y) lies at physical (row=x, col=x^y)        (row, col) -> (row, col ^ (row & 7))
//   swizzled col = col ^ (row % 8)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/notation/index_formula.h"

namespace lanescope::source {

struct SwizzleStatement {
  std::string row, col;  ///< names of the tile's coordinates
  IndexFormula physical_row, physical_col;
  /// For each place of an array of these extents the element row * columns + col that lies there; empty where that is no
  /// permutation.
  std::vector<std::int32_t> logical_of_place(std::int64_t rows, std::int64_t columns) const;
};

/// What `line`, or the line before it together with it, states.
std::optional<SwizzleStatement> swizzle_statement(std::string_view before, std::string_view line);

}  // namespace lanescope::source
