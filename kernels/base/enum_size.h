#pragma once
// How many values an enum has, counted by the compiler, so that a table with a row for each value cannot fall behind it.

#include <array>
#include <cstddef>
#include <string_view>

namespace lanescope {
namespace enum_values {

/// The compiler spells a number that is no value of the enum as a cast: "(Colour)3".
template <auto value>
consteval bool has_name() {
  constexpr std::string_view words = __PRETTY_FUNCTION__;  // "... [with auto value = Colour::red]"
  constexpr std::size_t cast = words.rfind(')');
  static_assert(words.find("value = ") != std::string_view::npos);
  return cast == std::string_view::npos || words[cast + 1] < '0' || words[cast + 1] > '9';
}

template <class Enum, std::size_t count = 0>
consteval std::size_t from_zero() {
  if constexpr (has_name<static_cast<Enum>(count)>())
    return from_zero<Enum, count + 1>();
  else
    return count;
}

}  // namespace enum_values

/// Of an enum whose values are 0, 1, 2, ...: how many there are.
template <class Enum>
inline constexpr std::size_t enum_size = enum_values::from_zero<Enum>();

/// The row of `value`. Does not compile where the table has fewer rows than the enum has values, or more.
template <class Row, std::size_t rows, class Enum>
requires(rows == enum_size<Enum>) constexpr const Row& entry_for(const Row (&table)[rows], Enum value) {
  return table[static_cast<std::size_t>(value)];
}
template <class Row, std::size_t rows, class Enum>
requires(rows == enum_size<Enum>) constexpr const Row& entry_for(const std::array<Row, rows>& table, Enum value) {
  return table[static_cast<std::size_t>(value)];
}

}  // namespace lanescope
