#pragma once
// Sentences about the statements that fill an array of shared memory:
//
//   // A is transposed while being stored          // transpose A while loading it       // ... TRANSPOSED write into shared mem:
//   As[col][row] = v.x;  // transpose A             // row major values of A, and store it in COL major s_a[BK][BM]

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/index_formula.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

// Arrays of shared memory, and pointers that are set to constant places in them:
//
//   __shared__ float tile[32][33];      extern __shared__ char smem[];
//   float *As = reinterpret_cast<float *>(smem), *Bs = &As[64 * 8];      half *C = (half *)(smem + 4096);

struct SharedArray {
  std::string name;
  std::string array;  ///< its target, or itself
  int function = -1;
  int line = 0;
  bool pointer = false;
  std::int64_t offset_bytes = 0;
  int element_bytes = 0;                ///< 0: not known
  std::vector<std::int64_t> extents{};  ///< empty where one has no value
  bool flat = false;                    ///< an extent is a product: several axes lie in it
  std::vector<std::int64_t> factors{};  ///< of the last extent, where it is a product of two: "BK * BM"
  std::string problem{};                ///< of a pointer: why its place is not known
};

/// Extents, a product of two as two axes.
std::vector<std::int64_t> extents_apart(const SharedArray& array);

/// In text order. Of the pointers only those that the text sets once, in their declaration.
std::vector<SharedArray> shared_arrays(const Lexed& lexed, const Outline& outline, const Values& values);

/// The stated order in which an array of shared memory is stored.
struct StoredOrder {
  const SharedArray* array = nullptr;
  std::vector<std::string> axes;      ///< slowest first
  std::vector<std::int64_t> extents;  ///< as they are used, two or three
};

/// A text and the shared arrays in it.
struct StoringText {
  const Lexed& lexed;
  const Outline& outline;
  const Values& values;
  const std::vector<SharedArray>& arrays;
};

/// The statement of the comment line in function `f`; -1: none.
std::optional<StoredOrder> stored_order(const StoringText& text, const CommentLine& line, int f);
/// The first shared array in the statement that the comment is about; nullptr: none.
const SharedArray* array_in_statement(const StoringText& text, const CommentLine& line, int f);

// Comments that say at which place of a shared array the element at (row, col) of a tile lies, where it is not [row][col]:
//
//   logical (row=x, col=y) lies at physical (row=x, col=x^y)        (row, col) -> (row, col ^ (row & 7))
//   swizzled col = col ^ (row % 8)

struct SwizzleStatement {
  std::string row, col;  ///< names of the tile's coordinates
  IndexFormula physical_row, physical_col;
  /// For each place of an array of these extents the element row * columns + col that lies there; empty where that is no
  /// permutation.
  std::vector<std::int32_t> logical_of_place(std::int64_t rows, std::int64_t columns) const;
};

/// The order that `line`, or the line before it together with it, states.
std::optional<SwizzleStatement> swizzle_statement(std::string_view before, std::string_view line);

}  // namespace lanescope::source
