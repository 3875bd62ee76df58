#pragma once
// The offsets that a kernel adds to its pointers, with the arrays stated before and after each, and the resulting start
// of each block, warp and thread: the offset's own arithmetic, evaluated.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/source/notation/pointer_comments.h"
#include "kernels/source/source.h"

namespace lanescope::source {

struct OffsetStep {
  OffsetStage stage = OffsetStage::none;
  std::string pointer, from;  ///< gets the value; is offset
  std::string text;           ///< the statement: "p += blockIdx.x * 32"
  std::string expression;     ///< of the pointer's new value, over names and `from` (elements); empty: not known
  int line = 0;               ///< of the statement
  int comment_line = 0;       ///< of the comment; 0: none
  std::optional<StatedArray> before, after;
  bool whole = false;  ///< no statement: a comment about all accesses through the parameter
};

struct PointerOffsets {
  std::string root;    ///< the kernel's parameter
  std::string buffer;  ///< its argument; may be empty
  std::int64_t argument_offset = 0;
  std::vector<Axis> axes;  ///< of the array, slowest first; without names if only a comment gives them
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<OffsetStep> steps;                           ///< in text order
  Values values;                                           ///< of names at this launch
  std::map<std::string, std::string, std::less<>> locals;  ///< initial values, as written

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
};

struct ThreadAt {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, lane = 0;
};

/// Of the kernel that `launch` runs: one for each parameter to which a comment states an offset, or a part.
std::vector<PointerOffsets> pointer_offsets(const Source& source, const LaunchSpec& launch);

/// Element of the array to which the pointer of a step points after it (`after`) or before it, in this thread. nullopt:
/// the arithmetic uses unknown values.
std::optional<std::int64_t> start_of(const PointerOffsets& offsets, std::size_t step, bool after,
                                     const ThreadAt& thread);

/// The step whose statement or comment is at this line, else -1.
int step_at_line(const PointerOffsets& offsets, int line);

// A part of an array as a box along the array's axes.
//
//   array (32, 128, 1024), part of shape (32, 32) with strides (131072, 1), from element 3104 on:
//   axis 0: 0 to 31     axis 1: 3     axis 2: 32 to 63

/// Indices first, first + step, ... of one axis.
struct AxisRange {
  std::int64_t first = 0, count = 1, step = 1;
  std::int64_t last() const { return first + (count - 1) * step; }
  bool operator==(const AxisRange&) const = default;
};

/// `extents`: of the array, slowest first, without holes. `shape` and `strides`: of the part, in elements. nullopt: it is no
/// box of the array (it runs over the end of an axis, or its strides are no multiples of an axis), or it leaves the array.
std::optional<std::vector<AxisRange>> box_in_array(std::span<const std::int64_t> extents,
                                                   std::span<const std::int64_t> shape,
                                                   std::span<const std::int64_t> strides, std::int64_t start);

}  // namespace lanescope::source
