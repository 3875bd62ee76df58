#pragma once
// What names of host code stand for, read from the top of the text to the bottom: integers, dim3 extents, bytes that
// cudaMalloc gave. One pass; each expression is evaluated once, with the names that stand above it, so that no chain or
// loop of definitions can cost more than the text is long.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

using Extents = std::array<std::uint32_t, 3>;

class HostConstants {
 public:
  explicit HostConstants(const Lexed& lexed);

  /// Takes in what token `i` defines. Every token in turn, from 0.
  void read(int i);

  /// Value of tokens [first, last) with what has been read.
  std::optional<std::int64_t> value(int first, int last) const;
  /// Extents of tokens [first, last): a number, dim3(a, b, c), {a, b} after a dim3's `=`, or the name of a dim3.
  std::optional<Extents> extents(int first, int last) const;
  /// What cudaMalloc gave to the pointer `name`.
  std::optional<std::uint64_t> allocated(std::string_view name) const;

 private:
  struct Definition {
    std::string_view text;
    std::optional<std::int64_t> value;
    bool evaluated = false;
  };

  void declarators(int i, bool is_dim3);
  int declarator(int i, bool is_dim3, bool in_parentheses);
  void assignment(int i);
  void allocation(int i);
  void set(std::string_view name, int first, int last, bool is_dim3);
  int end_of_initializer(int i) const;

  std::optional<std::int64_t> named(std::string_view name) const;
  std::optional<std::int64_t> of_macro(std::string_view name, int depth) const;
  std::optional<Extents> list(int first, int last) const;

  const Lexed& lexed_;
  std::vector<int> brackets_;  ///< that are open at the token read last
  std::map<std::string_view, std::int64_t> numbers_;
  std::map<std::string_view, Extents> dim3s_;
  std::map<std::string_view, std::uint64_t> bytes_;
  mutable std::map<std::string_view, Definition> macros_;
};

/// Cuts [first, last) at commas outside brackets.
std::vector<std::pair<int, int>> pieces(const Lexed& lexed, int first, int last);

}  // namespace lanescope::source
