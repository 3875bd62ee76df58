#pragma once
// Arrays that functions declare, with their sizes, for the error of a kernel with too much local or shared memory.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/source_lines.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/launch.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// Extents of the array whose first `[` is token `open`; empty if one is no constant.
std::vector<std::int64_t> extents_at(const Lexed& lexed, int open, const Values& values);

struct DeclaredArray {
  std::string name;
  int line = 0, column = 0;  ///< unit line (kernels/base/source_lines.h)
  std::uint64_t bytes = 0;   ///< an element whose type is no number counts as one byte
};
enum class ArrayMemory : std::uint8_t { local, shared };
/// The largest one of at most `most_bytes`, of the kernel of this launch, of functions that are no kernels, or of none.
std::optional<DeclaredArray> largest_array(const Lexed& lexed, const Header& header, const LaunchSpec& launch,
                                           ArrayMemory memory, std::uint64_t most_bytes);
/// Names it in a refusal: its line, and "; the largest array is `a` (381.5 MiB)" after the message.
void name_array(const DeclaredArray& array, const SourceLines& lines, Diagnostic& refusal);

// Facts about a launch that is not written down, from the shared arrays of a kernel and the names of its parameters.

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
