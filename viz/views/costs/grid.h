#pragma once
// The blocks of the launch as a map: which ran, which diverged, where problems are, and one counter of each as heat.

#include <cstdint>
#include <span>
#include <string_view>

#include "results/problems.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

enum class BlockHeat : std::uint8_t { instructions, inactive_lanes, global_sectors, shared_wavefronts, bank_conflicts };
inline constexpr int block_heat_count = 5;
/// "instructions", "inactive lanes", ...
std::string_view block_heat_name(BlockHeat heat);
/// Inactive lanes: lanes that a block's instructions did without, summed.
std::uint64_t block_heat_value(const results::BlockCounters& block, BlockHeat heat);

struct GridOptions {
  float width = 0, height = 0;  ///< of the room; cells are as large as fit
  BlockHeat heat = BlockHeat::instructions;
};

/// Rows are y (and z, below each other), columns x; a grid that is long and thin is broken into rows like text.
scene::Scene grid_view(const Summary& summary, std::span<const results::Problem> problems, const GridOptions& options,
                       const Theme& theme);
std::string grid_words(const Summary& summary, std::uint32_t first_block, std::uint32_t blocks);

}  // namespace lanescope::views
