#pragma once
// PTX text -> tokens, one at a time, without copying: a token's text points into the module.
//
// A word is a name, a directive, an opcode with all its modifiers, or a number: ".visible", "%r12", "%tid.x",
// "ld.global.L1::no_allocate.u32", "0f3F800000". Everything else is one character. That is coarser than the ISA's own
// lexical rules and is what makes one token of lookahead enough.
//
// Comments vanish, except a probe's (kernels/source): "// lanescope.probe ..." where a statement may begin.

#include <string_view>

namespace lanescope::ptx {

struct Token {
  enum class Kind : unsigned char { end, word, number, text, probe, punctuation, bad };
  Kind kind = Kind::end;
  char mark = 0;          ///< the character of a punctuation token, else 0
  int line = 0;           ///< 1-based
  std::string_view text;  ///< a quoted text without its quotes; a probe comment after "lanescope.probe"
};

class Scanner {
 public:
  explicit Scanner(std::string_view text, int line = 1)
      : at_(text.data()), end_(text.data() + text.size()), line_(line) {}

  Token next();

  /// The next character that is not blank, without consuming anything; 0 at the end. Comments are not skipped.
  char peek() const;
  /// A probe may follow the token after this one, although it ends no statement (`.loc` has no semicolon).
  void statement_may_begin() { statement_may_begin_ = true; }
  /// Skips to after the brace that closes the one just read (no nesting, comments skipped); false at the end of text.
  bool skip_block();
  /// Everything after this reads as the end of the text.
  void stop() { at_ = end_; }

 private:
  bool skip_blanks(Token& probe);
  bool skip_comment(Token& probe);
  void scan_word(Token& token);
  void scan_number_tail(const char* begin);
  void scan_text(Token& token);

  const char* at_;
  const char* end_;
  int line_;
  bool statement_may_begin_ = true;
};

}  // namespace lanescope::ptx
