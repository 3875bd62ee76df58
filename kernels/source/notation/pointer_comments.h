#pragma once
// Comments that state the array of a pointer before and after an offset is added to it:
//
//   // Apply per-block offset
//   //   before: shape (32,128,1024), contiguous
//   //   after: shape=(32,32), strides (128*1024, 1)
//   p += (blockIdx.x * 1024) + (blockIdx.y * 32);
//
// or which part of an array each block, warp or thread processes (subarray_comments.cpp).
//
// Shapes and strides count elements of the pointer's own type, slowest axis first. The comment is about the pointer
// statements that follow it, up to the first statement of another kind after them. Statements that only give an offset
// pointer another name or type (`const float4* v = (const float4*)p;`), or offset it further, are not among them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {

/// The owner of the array: one block, one warp, one thread.
enum class OffsetStage : std::uint8_t { none, block, warp, thread };
std::string_view to_string(OffsetStage stage);  ///< "block"

/// `p += ...`, `q = p + ...`, `const float* q = &p[...]`.
struct PointerOffset {
  std::string function;             ///< with the body that contains it
  std::string pointer, from, root;  ///< gets the value; is offset; the kernel's parameter that both stem from
  std::string pointee;              ///< C++ type that `from` points to, const left out
  int line = 0, column = 0;
  bool by_block = false, by_warp = false, by_thread = false;  ///< dependences of the offset, through locals too
  int comment = -1;                                           ///< index in PointerComments::comments
  bool whole = false;   ///< no statement: the comment is about all accesses through the parameter
  bool view = false;    ///< adds nothing: another name, or the elements taken as another type
  bool joined = false;  ///< after another offset of the same pointer with this comment: both together are one
};

struct PointerComment {
  OffsetStage stage = OffsetStage::none;  ///< by its words, else by its offsets
  std::optional<StatedArray> before, after;
  int line = 0, column = 0;  ///< of the first of the two
  std::string problem;       ///< non-empty: why it cannot be read
  std::string function{};    ///< of a comment on a subarray: the kernel it is about
};

struct PointerComments {
  std::vector<PointerComment> comments;
  std::vector<PointerOffset> offsets;  ///< in text order, commented or not; those of kernels only
  /// Pointer variables of each function, by name: the one that each was made from (itself for a parameter).
  std::map<std::pair<std::string, std::string>, std::string> made_from;
};

PointerComments pointer_comments(const Lexed& lexed, const Outline& outline, const Values& values);

}  // namespace lanescope::source
