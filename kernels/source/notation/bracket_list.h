#pragma once
// Lists in brackets, as comments write extents and axes: "(a, b)", "[a][b]", "[a, b]".

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

std::size_t behind_blanks(std::string_view s, std::size_t at);
/// The list at `at`, which becomes its end. Empty where none is there, or one of more than 8 parts.
std::vector<std::string> list_of(std::string_view s, std::size_t& at);

}  // namespace lanescope::source
