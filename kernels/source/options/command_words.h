#pragma once
// A shell command line as words, and words as a shell command line. Nothing is executed or expanded: a word with `$` or a
// backtick is marked, its reader reports that it is not known.
//
//   nvcc -DX='a b' -I"$ROOT"/inc k.cu && ./k   ->   nvcc | -DX=a b | -I$ROOT/inc (expands) | k.cu | && (operator) | ./k

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::options {

struct CommandWord {
  std::string text;
  bool is_operator = false;  ///< ; & | && || ( ) < > or a line break
  bool expands = false;      ///< the shell would put something in place of a part of it
  bool operator==(const CommandWord&) const = default;
};

struct CommandWords {
  std::vector<CommandWord> words;
  std::string mistake;  ///< "a quote ' is not closed"; empty: none
};

/// In one pass. A `#` at the beginning of a word starts a comment to the end of the line. A backslash joins lines.
CommandWords command_words(std::string_view text);

/// One word as a shell takes it: command_words(shell_text(w)) is w again, for any w.
std::string shell_text(std::string_view word);
std::string shell_text(const std::vector<std::string>& words);

}  // namespace lanescope::options
