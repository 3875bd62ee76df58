#pragma once
// A whole kernel around a conversion: from an array in global memory to another one.
//
// The elements of the assignments are one tile of two arrays that have the same axes: `p` and `q` hold the same element at
// the same coordinates, each with strides of its own. Tiles cover the arrays; a warp (or a block, where elements move
// between warps) loads one as `from` says, converts the registers and stores it as `to` says. So a transpose is a
// conversion whose sides have another axis fastest in memory:
//
//     from   simd: j0; register: j2 j1;  ...     16 bytes along j, `p` row by row
//     to     simd: i0; register: i2 i1;  ...     16 bytes along i, `q` column by column
//
// Accesses are vectors, and of data that are used once (`__ldcs`, `__stcs`), where the lowest bits of the fastest axis are bits of the thread's registers. Coordinates beyond
// the array are neither loaded nor stored.

#include <string>
#include <vector>

#include "kernels/convert/cuda_text.h"

namespace lanescope::convert {

struct GlobalKernel {
  CodeNames names;
  std::string element_type;  ///< in CUDA C++; "": an unsigned integer, or uint4, of the element's width
  /// Axes in memory, the last one fastest; empty: by name.
  std::vector<std::string> from_axes, to_axes;
  int warps_of_a_block = 8;  ///< for conversions inside a warp; a power of two
  /// Tiles that follow one another along the axis that is fastest in the destination, before the next ones along the
  /// axis that is fastest in the source; 0: all of them, so that the blocks that run at one time write long stretches.
  /// On an H200 a transpose of 64x64 tiles of halves then reaches 91 % of a copy, 85 % with 1 and 84 % with 16
  /// (gpu_convert.json). Bytes of a tile's row count most, on both sides: 256 and 256 reach 97 %, 128 and 128 92 %.
  /// Grids of two dimensions, shifts for divisions, prefetches of 256 bytes and blocks that stay gained nothing.
  int tile_group = 0;
  /// Tiles that a block (a warp, inside one) moves one after the other; the next one is loaded before one is stored.
  int tiles_in_a_row = 1;
  int blocks_of_a_multiprocessor = 0;  ///< second argument of __launch_bounds__; 0: none
};

struct GlobalText {
  std::string text;                          ///< the function, `struct NAME_shape`, `NAME_kernel` and `NAME_blocks`
  std::vector<std::string> axes;             ///< in the order of the shape's arrays
  std::vector<int> tile;                     ///< elements of a tile along each
  int threads = 0;                           ///< of a block
  int tiles_of_a_block = 1;                  ///< those in a row included
  int load_bytes = 0, store_bytes = 0;       ///< of one access of a thread
  int from_row_bytes = 0, to_row_bytes = 0;  ///< of a tile, side by side in the array
};

/// Errors: elements below a byte; axes that are not those of the assignments; elements of several blocks; more shared
/// memory than a block has without asking.
Expected<GlobalText> global_kernel(const Conversion& conversion, const GlobalKernel& wanted);

}  // namespace lanescope::convert
