#pragma once
// Words in a text, and brackets that belong together.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::document {

/// Where `words` begin in `text`, ascending, none overlapping the one before. Without `match_case` the letters of ASCII
/// are equal in both cases. Nothing for empty `words`.
std::vector<std::size_t> find_all(std::string_view text, std::string_view words, bool match_case);

/// The text with every one of them replaced.
std::string replace_all(std::string_view text, std::string_view words, std::string_view replacement, bool match_case);

/// Two brackets that belong together, `open` before `close`; bytes of the text.
struct BracketPair {
  std::size_t open = 0, close = 0;
  bool operator==(const BracketPair&) const = default;
};

/// The pair with a bracket at `caret` or just before it; (), [] and {}. Brackets in comments and literals pair among
/// themselves within the same one. nullopt: there is no bracket, or it has no partner.
std::optional<BracketPair> brackets_at(std::string_view text, std::size_t caret);

}  // namespace lanescope::document
