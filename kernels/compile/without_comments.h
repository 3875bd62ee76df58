#pragma once
// A text as the compiler needs it: what is only said in comments makes no other program, so that an edited comment is no
// reason to compile again (calls/answer_cache.h finds the answer).
//
// Only comments that reach the end of their line go, with the blanks before them: every line keeps its number and every
// word its column. What receives the program, `-lineinfo` among it, is the same.

#include <string>
#include <string_view>

namespace lanescope::compile {

/// The text itself where its strings and comments are not all well-formed: the compiler then has its own view of them.
std::string without_comments(std::string_view text);

}  // namespace lanescope::compile
