#pragma once
// Tokens with the macros of the file expanded, as the parser of host code reads them.

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source::host {

struct HostToken {
  TokenKind kind = TokenKind::punctuator;
  int token = -1;  ///< of the file; -1: of a macro
  std::string_view text;
  int line = 0;        ///< of the macro's name for a token of a macro
  bool glued = false;  ///< directly after the token before: `> > >` is no `>>>`
};
using HostTokens = std::vector<HostToken>;

/// The macros of a file. A text has at most `most_expanded` tokens, a macro in it `most_of_macro`; a macro within
/// itself stays as it is.
class MacroTable {
 public:
  explicit MacroTable(const Lexed& lexed);

  static constexpr std::size_t most_expanded = 400'000, most_of_macro = 20'000;
  static constexpr int deepest = 24;

  /// Tokens [first, last) of the file, expanded.
  HostTokens expanded(const Lexed& lexed, int first, int last) const;
  bool defines(std::string_view name) const { return macros_.contains(name); }

 private:
  struct Definition {
    bool like_function = false, variadic = false;
    std::vector<std::string_view> parameters{};
    HostTokens body{};
  };
  void expand(const HostTokens& in, std::vector<std::string_view>& open, int depth, HostTokens& out) const;
  HostTokens substituted(const Definition& m, const std::vector<HostTokens>& given, int line) const;
  HostTokens tokens_of(std::string_view text) const;
  std::string_view kept(std::string text) const;

  std::map<std::string_view, Definition> macros_;
  mutable std::deque<std::string> texts_;
  mutable std::size_t budget_ = 1'000'000;  ///< tokens that all expansions of the file may make
};

}  // namespace lanescope::source::host
