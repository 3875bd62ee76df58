#pragma once
// Comments for the review:
//
//   // lanescope: allow partial-lines, narrow-access   suppresses these rules on one statement
//   // lanescope: expect bank-conflict                 expects findings of the rule in this file
//
// `allow` is written after its statement on the same line, or on lines of its own directly above it: other comments may
// lie between, an empty line may not. Above a function's head it applies to findings at the head (missing launch
// bounds, spills), not to the body. `expect` may be anywhere and holds for the file; words after the rule's name in
// parentheses are for readers.

//
// Plain words count, too: "bank conflict here is intentional", "strided on purpose", "double is needed here", beside or
// above a statement; above a function, a loop or another block, for all of it. They name a finding and say that it is
// intended; with a question, a "not" or a "TODO" they suppress nothing.

#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct AllowComment {
  std::string rule;
  int line = 0, column = 0;           ///< of the rule's name
  int first_line = 0, last_line = 0;  ///< the lines of the statement that it silences
  std::string words{};                ///< the plain words; empty for `lanescope: allow`
};

struct ExpectComment {
  std::string rule;
  int line = 0, column = 0;
};

struct ReviewComments {
  std::vector<AllowComment> allowed;
  std::vector<ExpectComment> expected;
  Diagnostics mistakes;  ///< words after `lanescope:` that are none of the above; file name left empty
};

ReviewComments review_comments(const Lexed& lexed);

}  // namespace lanescope::source
