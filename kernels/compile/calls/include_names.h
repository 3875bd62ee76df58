#pragma once
// The names in #include and __has_include, under any conditions around them, also in comments.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct IncludeNames {
  std::vector<std::string> names;  ///< each once, in the order of the text
  /// False: a name that is no literal, so it is unknown here what it reads.
  bool known = true;
  std::vector<std::string> computed{};  ///< what stands in place of a name in an #include at the beginning of its line
};

IncludeNames include_names(std::string_view text);

/// `#define NAME value`.
struct Definition {
  std::string name, value;  ///< without the blanks and comments around it
  bool has_parameters = false;
  bool operator==(const Definition&) const = default;
};
/// All of a text, as above.
std::vector<Definition> definitions(std::string_view text);
/// `a.h` of `"a.h"` and `<a.h>`, with nothing else around it; empty: the value is no name.
std::string name_in(std::string_view value);

}  // namespace lanescope::compile
