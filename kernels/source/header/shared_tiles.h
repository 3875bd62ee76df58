#pragma once
// What the shared arrays of a kernel and the names of its parameters say of a launch that is not written down.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/source/cxx/outline_data.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// A block of threads, and the array that suggests it.
struct TileBlock {
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::string array;
};
/// `__shared__ float tile[TS][TS + 1]` in a kernel that uses threadIdx.y: TS x TS threads, padding of one left out;
/// `tile[TS * TS]` likewise; `__shared__ float s[256]` in one that does not: 256 threads. Blocks of at most 1024.
std::optional<TileBlock> block_of_tiles(const Lexed& lexed, const FunctionRange& kernel, const Values& values,
                                        bool uses_y);

/// For a scalar that is not given and that no guard bounds: 32 for a width, a height, a pitch or a stride, 256 for the length of a
/// sequence, 1 for a number of heads or batches; nullopt for others.
std::optional<std::int64_t> extent_by_name(std::string_view name, std::string_view type);

/// An extent in which each tile of a launched instance is whole: the largest number from 32 to 256 among the template arguments
/// of "gemm<float, 128, 64, 8>"; 0 where there is none.
std::int64_t tile_extent(std::string_view instance);

}  // namespace lanescope::source
