#pragma once
// What comments on memory state: which element lies at which address of an array, and how much of an array a block, a warp
// or a thread works on.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// "shared: uint E[32][256], (time, ns)": element (i, j) of these axes is at i * stride + j * stride.
struct ArrayLayout {
  enum class Space : std::uint8_t { shared, global };
  Space space = Space::shared;
  std::string element_type{};  ///< as written; may be empty
  /// Slowest first; strides in elements, C order where none are written. An axis called "*" may be anything.
  std::vector<Axis> axes{};
  /// CuTe's Swizzle<bits, base, shift>: of an element's number, the bits from base + shift on are added to those from base on
  /// (XOR).
  struct Swizzle {
    int bits = 0, base = 0, shift = 0;
  };
  Swizzle swizzle{};
  /// Of an array with rows and columns where each place holds another element than its own: which one, row * columns + col.
  std::vector<std::int32_t> logical_of_place{};
  std::string array{};                 ///< what the variable points into: an array of shared memory, or itself
  std::int64_t offset_bytes = 0;       ///< at which it begins there
  int element_bytes = 0;               ///< of one place; 0: not known
  std::int64_t declared_elements = 0;  ///< of `array`; 0: not known
  int end_line = 0;                    ///< up to here it speaks: another comment on the same array follows; 0: no limit
};

enum class Owner : std::uint8_t { block, warp, thread };

/// "each block processes a shape-(16,2,32) subarray" of the array behind a pointer.
struct ArrayPart {
  Owner owner = Owner::block;
  std::vector<std::int64_t> shape{};                         ///< extents, slowest first; all 1 for "one element"
  std::vector<std::int64_t> whole_shape{}, whole_strides{};  ///< of the array, in elements
  int element_bytes = 0;                                     ///< of what the pointer points to; 0: as the buffer's
};

/// "each thread computes a TM x TN tile of C", "each block loads 256 elements", "one warp per row": how much of an array one
/// owner works on, where no shape of the whole array is stated.
struct WorkShare {
  enum class Verb : std::uint8_t { accesses, reads, writes };
  enum class Unit : std::uint8_t { elements, box, rows, columns };
  Owner owner = Owner::thread;
  std::string array{};  ///< the pointer that is named; empty: any
  Verb verb = Verb::accesses;
  Unit unit = Unit::elements;
  std::int64_t count = 0;           ///< elements, rows or columns; of a box the product
  std::int64_t rows = 0, cols = 0;  ///< box: as written first and second, where the names do not say otherwise; 0: any
  bool ordered = false;             ///< box: its names say which are the rows; else "8x4" may mean both
  /// The words leave room for another reading: what is seen may confirm them, but never refutes them.
  bool loose = false;
  bool computed = false;              ///< "computes", not "writes": others may write what an owner has computed
  bool consecutive = false;           ///< elements that follow each other
  int unit_bytes = 0;                 ///< "float4": 16; 0: elements of the array
  int first_line = 0, last_line = 0;  ///< of the accesses that are meant; 0: all of the kernel
  bool repeated = false;  ///< these lines are run several times, and no barrier distinguishes one time from the next
  /// No loop is among the meant accesses: how many elements a thread accesses at most follows from no size.
  bool straight = false;
  bool maybe_columns = false;             ///< the file speaks of column-major arrays
  std::vector<std::int64_t> constants{};  ///< of the file, more than 1: one of them may be the length of a row
  std::string instance{};                 ///< of the kernel whose values its names have: "k<128>"
  std::string sizes_assumed{};            ///< what is not stated about this launch, in a sentence; empty: all is known
};

}  // namespace lanescope::source
