#pragma once
// The tree of grids with equal ones folded: "64 x child<<<1, 32>>>".

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

/// Grids that one grid launched in one way, with equal trees below each of them.
struct GridFold {
  std::size_t first = 0;    ///< in Summary::grids
  std::uint64_t count = 1;  ///< grids, under one of `first`'s parent
  std::uint32_t depth = 0;
  std::vector<std::size_t> members{};  ///< in Summary::grids; the first one too
};

/// From the top, each fold after that of its parent; the tree below a fold is listed once, for its first grid.
std::vector<GridFold> folded(const std::vector<GridInfo>& grids);

/// "child<<<(2,4), 32, 128>>>": grid, block and, where there are, bytes of dynamic shared memory.
std::string launch_words(const GridInfo& grid);
/// "64 x child<<<1, 32>>> · line 12 · tail launch"
std::string words_of(const GridFold& fold, const std::vector<GridInfo>& grids, const SourceLines& lines);

}  // namespace lanescope::results
