#pragma once
// Notation of places and elements in moments, independent of a run.
//
//     p[17]          element 17 of buffer p, in the order of memory
//     p[5, 9]        by its indices, the slowest axis first
//     p[64..67]      several
//     y1 lane 5      register y1; `part 1` of it, `warp 2`, `#2` the second of this name in the kernel
//     shared 64      byte 64 of the block's shared memory
//     p byte 64      byte 64 of buffer p

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

struct ElementText {
  std::string buffer;
  std::vector<std::uint64_t> indices;   ///< one: the element's number
  std::optional<std::uint64_t> last{};  ///< of a range
};
struct RegisterText {
  std::string name;
  int lane = 0, part = 0, warp = -1, number = 1;  ///< warp -1: that of the moment
};
struct ByteText {
  std::string buffer;  ///< empty: shared memory
  std::uint64_t byte = 0;
};
struct SelectionText {
  std::optional<RegisterText> place;
  std::optional<ElementText> element;
  std::optional<ByteText> address;
};

/// "p[3]", "p[5, 9]", "p[64..67]". Errors have no place.
Expected<ElementText> parse_elements(std::string_view text);
/// Parts separated by ';', at most one of each kind. An empty text selects nothing.
Expected<SelectionText> parse_selection(std::string_view text);
std::string to_text(const SelectionText& selection);

}  // namespace lanescope::lessons
