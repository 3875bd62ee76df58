#pragma once
// Comments on memory: which element lies at which address of an array, and which part of an array a block, a warp or a
// thread works on.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// "shared: uint E[32][256], (time, ns)": element (i, j) of these axes is at i * stride + j * stride.
struct MemoryClaim {
  enum class Space : std::uint8_t { shared, global };
  Space space = Space::shared;
  std::string variable;      ///< "E"
  std::string function;      ///< around the comment; empty outside of all
  std::string element_type;  ///< as written; may be empty
  /// Slowest first; strides in elements, C order where none are written. An axis called "*" may be anything.
  std::vector<Axis> axes;
  /// CuTe's Swizzle<bits, base, shift>: of an element's number, the bits from base + shift on are added to those from base on
  /// (XOR).
  struct Swizzle {
    int bits = 0, base = 0, shift = 0;
  };
  Swizzle swizzle;
  std::string array;                   ///< what `variable` points into: an array of shared memory, or itself
  std::int64_t offset_bytes = 0;       ///< at which it begins there
  int element_bytes = 0;               ///< of one place; 0: not known
  std::int64_t declared_elements = 0;  ///< of `array`; 0: not known
  int end_line = 0;                    ///< up to here it speaks: another comment on the same array follows; 0: no limit
  std::string text;                    ///< as written
  TextPlace place;                     ///< of `text`
  std::string unchecked_reason;        ///< non-empty: why it cannot be checked
};

/// "each block processes a shape-(16,2,32) subarray".
struct SubarrayClaim {
  enum class Owner : std::uint8_t { block, warp, thread };
  Owner owner = Owner::block;
  std::string pointer;                                   ///< whose array is meant; empty: the only one whose shape fits
  std::string function;                                  ///< around the comment, or that begins right behind it
  std::vector<std::int64_t> shape;                       ///< extents, slowest first; all 1 for "one element"
  std::vector<std::int64_t> whole_shape, whole_strides;  ///< of the array, in elements
  int element_bytes = 0;                                 ///< of what the pointer points to; 0: as the buffer's
  std::string text;
  TextPlace place;
  std::string unchecked_reason;
};

}  // namespace lanescope::source
