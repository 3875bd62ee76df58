#pragma once
// Layouts as CuTe writes them: "((2,4),(8,4)):((1,64),(8,2))", "Layout<Shape<_8,_4>, Stride<_4,_1>>". A mode takes a number
// apart by its shape, the first part fastest, and adds the parts up by its strides. Any layout as a function from places to
// coordinates, and the rows that say the same.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::source {

struct CuteLayout {
  struct Mode {
    std::vector<std::int64_t> shape, stride;
    std::int64_t size() const;
    std::int64_t at(std::int64_t number) const;
  };
  std::vector<Mode> modes;
};

struct FoundLayout {
  CuteLayout layout;
  std::size_t at = 0, end = 0;  ///< in the text
  bool named = false;           ///< written with `Layout<`
};

/// The first layout in a line. Numbers only: "8", "_8", "Int<8>{}", "C<8>".
std::optional<FoundLayout> find_cute_layout(std::string_view line);

/// Where an element of each axis is, by place; nullopt where the comment gives no such place.
struct Placing {
  std::vector<std::string> axes;
  std::function<std::optional<std::vector<std::int64_t>>(int lane, int warp, int reg)> at;
  int register_bits = 0, warp_bits = 0;
  bool open = false;  ///< the register's number may need fewer bits: nothing says how many registers there are
};

/// The rows of a placing with so many bits of the register; nullopt where coordinates are no sums of bits. A bit that changes
/// nothing comes out as `[any]`: other axes may vary there.
std::optional<layout::Assignment> rows_of(const Placing& placing, int register_bits);

}  // namespace lanescope::source
