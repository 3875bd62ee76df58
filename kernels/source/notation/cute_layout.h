#pragma once
// Layouts as CuTe writes them: "((2,4),(8,4)):((1,64),(8,2))", "Layout<Shape<_8,_4>, Stride<_4,_1>>". A mode takes a number
// apart by its shape, the first part fastest, and adds the parts up by its strides.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

}  // namespace lanescope::source
