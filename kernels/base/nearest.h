#pragma once
// Words that were mistyped: which of the accepted ones was meant.

#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// The word of `known` that `typed` most likely stands for: the one with fewest inserted, omitted, changed or exchanged
/// letters, at most a third of the longer word, capitals or not; or the only one that begins with it (two letters or
/// more). Of equally near ones the first. Empty: none is near.
std::string nearest_word(std::string_view typed, std::span<const std::string> known);

/// "did you mean 'check'?", or `otherwise` where no word is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string> known, std::string_view otherwise);

// The intended name for a misspelt one.

/// How many letters have to be added, removed, changed, or exchanged with their neighbour, to make `b` of `a`; capitals
/// count as small letters. Time grows with the product of the lengths.
int spelling_distance(std::string_view a, std::string_view b);

/// The name that is spelt most like `word`, the first of equals; empty where none is near: more than one difference for
/// each three letters of the longer one.
std::string_view nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace lanescope
