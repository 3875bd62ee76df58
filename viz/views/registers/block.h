#pragma once
// The threads of a block twice: as the kernel indexes them (threadIdx.x across, y down, z below each other), and as the
// hardware runs them, in warps of 32 lanes. One colour a warp; lanes without a thread are hatched.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/trace/launch.h"
#include "viz/scene/scene.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// The text in the cells.
enum class BlockLabel : std::uint8_t {
  place,          ///< warp and lane in the block, threadIdx in the warps
  in_block,       ///< linear index in the block
  in_grid,        ///< linear index in the grid
  rank_in_row,    ///< threadIdx.x
  rank_in_warp,   ///< lane
  rank_in_tile,   ///< of a cooperative-groups tile of `tile` threads
  rank_in_group,  ///< among the lanes that execute the step
};
inline constexpr int block_label_count = 7;
/// "place", "index in the block", ...
std::string_view block_label_name(BlockLabel label);
std::optional<BlockLabel> block_label(std::string_view name);

struct BlockOptions {
  float width = 0;
  BlockLabel label = BlockLabel::place;
  int tile = 0;  ///< threads of a cooperative-groups tile: 2, 4, 8, 16 or 32; 0: none is drawn
};
/// Of the shown launch and the recorded block; the lanes that execute the step are outlined.
scene::Scene block_view(const Summary& summary, const Moment& moment, const Selection& selection,
                        const BlockOptions& options, const Theme& theme);

/// "thread (5,0,0) of block (1,0,0)", "5 in the block, 133 in the grid", ...; empty where the lane has no thread.
struct ThreadRow {
  std::string name, value;
};
std::vector<ThreadRow> thread_rows(const Summary& summary, const Moment& moment, int warp, int lane);
/// The same as one sentence; of an idle lane, that it is one.
std::string thread_words(const Summary& summary, const Moment& moment, int warp, int lane);
/// One row a lane: "warp,lane,idle,x,y,z,in_block,in_grid,rank_in_row".
std::string block_csv(const Summary& summary);

}  // namespace lanescope::views
