#pragma once
// Tokens with the macros of the file expanded, as the parser of host code reads them.

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source::host {

struct HostToken {
  TokenKind kind = TokenKind::punctuator;
  std::string_view text;
  int line = 0;        ///< of the macro's name for tokens of a macro
  bool glued = false;  ///< directly after the token before: `> > >` is no `>>>`
};
using HostTokens = std::vector<HostToken>;

/// The macros of a file; of two with one name the first counts. A macro that becomes too long stays a name (macro_table.h).
class FileMacros {
 public:
  explicit FileMacros(const Lexed& lexed);

  static constexpr std::size_t most_expanded = 400'000;  ///< tokens of one text

  /// Tokens [first, last) of the file, expanded.
  HostTokens expanded(const Lexed& lexed, int first, int last) const;
  bool defines(std::string_view name) const { return table_.contains(name); }

 private:
  MacroTable table_;
  mutable std::deque<std::string> texts_;
  mutable std::size_t budget_ = 1'000'000;  ///< tokens that all expansions of the file may make
};

}  // namespace lanescope::source::host
