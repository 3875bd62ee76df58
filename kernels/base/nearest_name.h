#pragma once
// Which name somebody meant who misspelt it.

#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// How many letters have to be added, removed, changed, or exchanged with their neighbour, to make `b` of `a`; capitals
/// count as small letters. Time grows with the product of the lengths.
int spelling_distance(std::string_view a, std::string_view b);

/// The name that is spelt most like `word`, the first of equals; empty where none is near: more than one difference for
/// each three letters of the longer one.
std::string_view nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace lanescope
