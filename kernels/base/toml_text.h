#pragma once
// Strings as TOML writes them, and places as its parser counts them.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

/// A basic string, in quotes and on one line. Bytes beyond ASCII stay as they are.
std::string toml_string(std::string_view text);

/// The byte at a line and a column, both from 1; columns count code points, as those of toml++ do. nullopt: there is no
/// such place.
std::optional<std::size_t> byte_at(std::string_view text, unsigned line, unsigned column);

}  // namespace lanescope
