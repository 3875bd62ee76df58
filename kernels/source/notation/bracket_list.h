#pragma once
// Lists in brackets, as comments write extents and axes: "(a, b)", "[a][b]", "[a, b]".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

std::size_t after_blanks(std::string_view s, std::size_t at);
/// The text in the bracket that opens at `at`, which becomes the place after it; nullopt where it is not closed.
std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at);
/// Parts between the characters `marks` outside of brackets, at least one; parts_between(): those that are no blanks.
std::vector<std::string_view> all_parts(std::string_view s, std::string_view marks);
std::vector<std::string_view> parts_between(std::string_view s, std::string_view marks);
/// The list at `at`, which becomes its end. Empty where none is there, a part is missing or it has more than 8.
std::vector<std::string> list_of(std::string_view s, std::size_t& at);

}  // namespace lanescope::source
