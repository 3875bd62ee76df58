#pragma once
// Grids that launch grids (dynamic parallelism) as a tree: a row for each depth, each grid below the one that launched
// it, equal grids with equal trees below them once, with their number.

#include <string>

#include "results/summary.h"
#include "viz/scene/scene.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct LaunchTreeOptions {
  float width = 0;  ///< of the room; a tree that is wider makes the picture wider
};

/// Boxes are launched_grid/INDEX; without grids the scene has a sentence with the reason.
scene::Scene launch_tree_view(const results::Summary& summary, const LaunchTreeOptions& options, const Theme& theme);

/// Words about a launched_grid; empty for any other id.
std::string launch_tree_tooltip(const results::Summary& summary, const scene::Id& id);

/// One row a box, parents before children:
/// "grids,kernel,grid,block,dynamic_shared_bytes,depth,order,line,first_index,parent,launch,threads_each".
std::string launch_tree_csv(const results::Summary& summary);

}  // namespace lanescope::views
