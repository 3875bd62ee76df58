#pragma once
// Number and spelling of an enum's values, from the compiler: the size of a table with a row for each value is checked,
// and names that equal the enumerators need no table. Such names are part of files and JSON: rename an enumerator
// together with their documentation.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope {
namespace enum_values {

/// "... [with auto value = Colour::red]". The compiler adds what a named type of the result stands for, so it has none.
template <auto value>
consteval const char* function_name() {
  return __PRETTY_FUNCTION__;
}

/// ":red", and ")3" of a number that is no value of the enum, which is spelled as a cast: "(Colour)3". Read from the end, as
/// headers need this for each value of each enum, in each compilation.
template <auto value>
consteval std::string_view spelling() {
  std::string_view words = function_name<value>();
  words.remove_suffix(1);
  std::size_t first = words.size() - 1;
  while (words[first] != ':' && words[first] != ')' && words[first] != ' ') --first;
  return words.substr(first);
}

template <class Enum, std::size_t count = 0>
consteval std::size_t from_zero() {
  if constexpr (spelling<static_cast<Enum>(count)>().front() != ')')
    return from_zero<Enum, count + 1>();
  else
    return count;
}

template <class Enum, std::size_t... number>
consteval std::array<std::string_view, sizeof...(number)> spellings(std::index_sequence<number...>) {
  return {spelling<static_cast<Enum>(number)>().substr(1)...};
}

}  // namespace enum_values

/// Of an enum whose values are 0, 1, 2, ...: how many there are.
template <class Enum>
inline constexpr std::size_t enum_size = enum_values::from_zero<Enum>();
/// All of them, ascending.
template <class Enum>
inline constexpr auto all_of = [] {
  std::array<Enum, enum_size<Enum>> all{};
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<Enum>(n);
  return all;
}();
/// The enumerators as they are spelled.
template <class Enum>
inline constexpr auto enum_names = enum_values::spellings<Enum>(std::make_index_sequence<enum_size<Enum>>());

/// The row of `value`. Does not compile where the table has fewer rows than the enum has values, or more.
template <class Row, std::size_t rows, class Enum>
requires(rows == enum_size<Enum>) constexpr const Row& entry_for(const Row (&table)[rows], Enum value) {
  return table[static_cast<std::size_t>(value)];
}
template <class Row, std::size_t rows, class Enum>
requires(rows == enum_size<Enum>) constexpr const Row& entry_for(const std::array<Row, rows>& table, Enum value) {
  return table[static_cast<std::size_t>(value)];
}

template <class Enum>
constexpr std::string_view enum_name(Enum value) {
  return entry_for(enum_names<Enum>, value);
}

/// Whether kebab-case names of rows, `name(row)`, are those of the enumerators: no two rows are exchanged.
template <class Enum, class Table, class Name>
consteval bool names_enumerators(const Table& table, Name name) {
  for (const Enum value : all_of<Enum>) {
    const std::string_view written = name(entry_for(table, value)), own = enum_name(value);
    if (written.size() != own.size()) return false;
    for (std::size_t n = 0; n < own.size(); ++n)
      if (written[n] != (own[n] == '_' ? '-' : own[n])) return false;
  }
  return true;
}

/// The value whose row of `table` is this name.
template <class Enum, class Table>
constexpr std::optional<Enum> value_named(const Table& table, std::string_view name) {
  static_assert(std::size(Table{}) == enum_size<Enum>);
  for (const Enum value : all_of<Enum>)
    if (table[static_cast<std::size_t>(value)] == name) return value;
  return std::nullopt;
}
template <class Enum>
constexpr std::optional<Enum> enum_named(std::string_view name) {
  return value_named<Enum>(enum_names<Enum>, name);
}

}  // namespace lanescope
