#pragma once
// Which thread a lane is. The threads of a block are numbered with x fastest, then y, then z, and every 32 consecutive
// numbers are a warp; so are the blocks of a grid. (CUDA C++ Programming Guide, "Thread Hierarchy" and "SIMT Architecture".)
//
//   block 40x2     thread (39,0,0) is number 39: warp 1, lane 7     thread (0,1,0) is number 40: warp 1, lane 8
//                  80 threads in 3 warps of 32 lanes: lanes 16 to 31 of warp 2 are idle, and hold registers nevertheless
//
// A tile of cooperative groups of N threads (a power of two up to 32) is N consecutive lanes of a warp.

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/trace/launch.h"

namespace lanescope::trace {

inline constexpr std::uint32_t warp_lanes = 32;

struct ThreadPlace {
  Dim3 thread{0, 0, 0};            ///< threadIdx
  std::uint32_t in_block = 0;      ///< linear index in the block: x + (y + z * blockDim.y) * blockDim.x
  std::uint32_t warp = 0;          ///< of the block
  std::uint32_t lane = 0;          ///< the rank in the warp
  std::uint32_t in_row = 0;        ///< the rank in its row of the block: threadIdx.x
  std::uint32_t row = 0;           ///< y + z * blockDim.y
  Dim3 block{0, 0, 0};             ///< blockIdx
  std::uint64_t block_number = 0;  ///< linear index of the block in the grid
  std::uint64_t in_grid = 0;       ///< block_number * threads of a block + in_block
};

/// Index of the n-th thread of a block, or block of a grid. `extents` has no zero.
Dim3 index_of(Dim3 extents, std::uint64_t n);
/// The inverse. `at` lies inside.
std::uint64_t number_of(Dim3 extents, Dim3 at);

/// nullopt: no thread has that lane.
std::optional<ThreadPlace> thread_at(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t warp,
                                     std::uint32_t lane);
/// `in_block` below the block's count.
ThreadPlace thread_place(Dim3 grid, Dim3 block, std::uint64_t block_number, std::uint32_t in_block);

/// What a block does with its warps.
struct BlockShape {
  std::uint32_t threads = 0, warps = 0;
  std::uint32_t idle_lanes = 0;      ///< of the last warp
  std::uint32_t rows_in_a_warp = 0;  ///< most rows of the block that one warp has threads of
  std::uint32_t cut_rows = 0;        ///< rows whose threads lie in more warps than their number needs
  double idle_percent = 0;           ///< of all lanes of its warps
};
BlockShape block_shape(Dim3 block);

/// "(5,0,0)".
std::string to_string(Dim3 index);
/// "40 x 2 threads: 80 threads in 3 warps; 16 of 96 lanes are idle (16.7 %)".
std::string words(Dim3 block, const BlockShape& shape);

}  // namespace lanescope::trace
