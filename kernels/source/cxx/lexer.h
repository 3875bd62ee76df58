#pragma once
// CUDA C++ cut into tokens, comments and preprocessor lines: enough to find functions, statements and comments, from
// the text alone (no macro is expanded, no type is known). Any bytes are accepted; an invalid one becomes a
// one-character punctuator.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/text.h"

namespace lanescope::source {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuator };

struct Token {
  TokenKind kind = TokenKind::punctuator;
  std::uint32_t offset = 0, length = 0;
  int line = 0, column = 0;  ///< 1-based, bytes
  int spelling = -1;         ///< index in Lexed::spellings: from a macro, at the place of its use
  bool inner = false;        ///< further tokens of the same macro follow, or lines lie between its name and its end
  std::uint32_t end() const { return offset + length; }
};

struct Comment {
  std::uint32_t offset = 0, length = 0;  ///< with its `//` or `/* */`
  int line = 0, column = 0;
  bool block = false;
};

/// A preprocessor line, continuation lines included, without a comment at its end.
struct Directive {
  std::uint32_t offset = 0, length = 0;
  int line = 0, column = 0;
};

inline constexpr std::size_t most_nested =
    1000;  ///< brackets within each other: compilers recurse, and stacks are finite

struct Lexed {
  std::string_view text;
  std::vector<Token> tokens;  ///< comments and preprocessor lines are not among them
  std::vector<Comment> comments;
  std::vector<Directive> directives;
  std::vector<int> match;  ///< for each bracket token its partner, -1 for every other token and without partner
  bool balanced = true;    ///< every bracket has its partner
  int too_deep = -1;       ///< the first bracket within more than most_nested others; -1: none
  Diagnostics mistakes;    ///< unterminated comments and strings; file name left empty
  std::vector<std::string> spellings;  ///< words of macros' bodies
  /// Macros that the compiler's options define, each as the text after `#define`; nullptr: none. (Views into it stay
  /// valid.)
  std::shared_ptr<const std::vector<std::string>> option_macros;

  std::string_view of(int token) const {
    const int spelling = tokens[static_cast<std::size_t>(token)].spelling;
    if (spelling >= 0) return spellings[static_cast<std::size_t>(spelling)];
    return text.substr(tokens[static_cast<std::size_t>(token)].offset, tokens[static_cast<std::size_t>(token)].length);
  }
  bool is(int token, std::string_view s) const { return token >= 0 && token < count() && of(token) == s; }
  int count() const { return static_cast<int>(tokens.size()); }
  const Token& token(int i) const { return tokens[static_cast<std::size_t>(i)]; }
  /// -1 when there is none, or no such token.
  int partner(int i) const { return i >= 0 && i < count() ? match[static_cast<std::size_t>(i)] : -1; }
  /// Index of the last token that starts before `offset`; -1 when there is none.
  int last_before(std::uint32_t offset) const;
};

Lexed lex_plainly(std::string_view text);
/// With structural macros (kernels/source/cxx/structural_macros.h) replaced by their bodies.
Lexed lex(std::string_view text);
/// Fills `match`, `balanced` and `too_deep`.
void pair_brackets(Lexed& lexed);

/// The text of tokens [first, last], comments left out, spaces where two words would run together.
std::string joined(const Lexed& lexed, int first, int last);

constexpr bool is_word_start(char c) { return is_letter(c) || c == '_'; }

// Comments line by line.

/// One line of a comment without its markers.
struct CommentLine {
  std::string_view text;
  std::uint32_t offset = 0;  ///< of `text` in the file
  int line = 0, column = 0;  ///< of `text`
  int group = 0;             ///< lines of one group have no code between them
  int comment = 0;           ///< index in Lexed::comments
};

std::vector<CommentLine> comment_lines(const Lexed& lexed);

/// Whether code is before the comment on its line.
bool after_code(const Lexed& lexed, const CommentLine& line);

}  // namespace lanescope::source
