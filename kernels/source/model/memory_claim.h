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
  std::string variable;          ///< "E"
  std::string function;          ///< around the comment; empty outside of all
  std::string element_type;      ///< as written; may be empty
  std::vector<Axis> axes;        ///< slowest first; strides in elements, C order where none are written
  std::string text;              ///< as written
  TextPlace place;               ///< of `text`
  std::string unchecked_reason;  ///< non-empty: why it cannot be checked
};

/// "each block processes a shape-(16,2,32) subarray".
struct SubarrayClaim {
  enum class Owner : std::uint8_t { block, warp, thread };
  Owner owner = Owner::block;
  std::string pointer;              ///< whose array is meant; empty: the only one whose shape fits
  std::string function;             ///< around the comment, or that begins right behind it
  std::vector<std::int64_t> shape;  ///< extents, slowest first
  std::string text;
  TextPlace place;
  std::string unchecked_reason;
};

}  // namespace lanescope::source
