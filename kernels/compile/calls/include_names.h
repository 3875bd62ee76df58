#pragma once
// The names in #include and __has_include, whatever conditions stand around them, also in comments.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct IncludeNames {
  std::vector<std::string> names;  ///< each once, in the order of the text
  /// False: a name that is no literal, so that nobody here knows what it reads.
  bool known = true;
};

IncludeNames include_names(std::string_view text);

}  // namespace lanescope::compile
