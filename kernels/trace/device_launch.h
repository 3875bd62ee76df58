#pragma once
// Launches that kernels make themselves (dynamic parallelism, as it is since CUDA 12): a tree of grids, as a list.
//
//   launch of the host
//     0  child<<<4, 32>>>        of block 0, thread 0
//       1  leaf<<<1, 32>>>       parent 0
//     2  child<<<4, 32>>>        of block 1, thread 0
//
// A grid has ended when its child grids have. Parents are before their children, in the order in which grids run.

#include <cstdint>

#include "kernels/trace/launch.h"
#include "kernels/trace/observer.h"

namespace lanescope::trace {

/// How deep grids may be nested: the host's launch has depth 0 (CUDA C++ Programming Guide, dynamic parallelism).
inline constexpr std::uint32_t most_nested_grids = 24;
/// Launches that may wait to begin, unless the host requests more (cudaLimitDevRuntimePendingLaunchCount).
inline constexpr std::uint32_t most_pending_launches = 2048;

struct DeviceLaunch {
  enum class Order : std::uint8_t {
    stream,           ///< after the earlier launches of its block in the same stream
    fire_and_forget,  ///< after nothing but the launch itself
    tail,             ///< when the grid and all its other launches have ended, after earlier tail launches
  };
  Launch launch;             ///< arguments are bytes, as the kernel that launched it packed them
  std::int64_t parent = -1;  ///< index in the list; -1: the launch of the host
  Order order = Order::stream;
  std::uint64_t stream = 0;  ///< handle, valid in its block; 0: the block's own
  Where where{};             ///< of the launching call, in the parent; step counts the parent's own
  int lane = 0;
  std::uint32_t thread = 0;  ///< linear in its block
  int line = 0;              ///< the user's line of the call; 0: not known
};

}  // namespace lanescope::trace
