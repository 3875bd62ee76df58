#pragma once
// Watches plain runs of launches that lead to each other, for races between grids: which of them are one tree, and
// which call of its parent launched each.

#include <memory>
#include <vector>

#include "app/engine/prepare/program.h"
#include "kernels/trace/device_launch.h"
#include "profiling/races/grid_races.h"

namespace lanescope::engine {

/// A launch of the host with the launches after it that it leads to.
struct WatchedTree {
  std::size_t first = 0;  ///< launch
  std::unique_ptr<races::GridRaces> races;
};

class GridWatch {
 public:
  GridWatch(const Program& program, std::vector<races::Area> areas) : program_(program), areas_(std::move(areas)) {}
  /// The observer of this launch, the next one; nullptr: it belongs to no tree.
  trace::Observer* before(std::size_t launch);
  void after(std::size_t launch, const std::vector<trace::DeviceLaunch>& launched);
  std::vector<WatchedTree> take();

 private:
  struct Launched {
    std::vector<trace::DeviceLaunch> grids;
    std::size_t next = 0;
  };
  const Program& program_;
  std::vector<races::Area> areas_;
  std::vector<WatchedTree> trees_;
  std::vector<Launched> by_depth_;  ///< of the last launch of each depth
};

}  // namespace lanescope::engine
