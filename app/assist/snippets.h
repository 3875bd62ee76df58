#pragma once
// Pieces of a kernel that are written often.

#include <span>
#include <string>
#include <string_view>

namespace lanescope::assist {

struct Snippet {
  std::string_view name, description;
  std::string_view text;  ///< lines without indentation; "$" marks where the caret goes
};
std::span<const Snippet> snippets();

/// Its text with `indentation` before every line but the first. "$" stays.
std::string indented(const Snippet& snippet, std::string_view indentation);

}  // namespace lanescope::assist
