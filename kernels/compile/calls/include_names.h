#pragma once
// The names in #include and __has_include, under any conditions around them, also in comments.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {

struct IncludeNames {
  std::vector<std::string> names;  ///< each once, in the order of the text
  /// False: the name of an include is no literal, so the files are unknown.
  bool known = true;
  std::vector<std::string> computed{};  ///< expressions in place of names, of an #include at the beginning of its line
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

// Which files a call of NVRTC may read, before it is made, and in which state they are.
//
// NVRTC does not show what it has read. So every name in an #include or __has_include counts that stands in the text,
// in a header given with it that such a name means, or in a file found by such a name, under any conditions around it,
// from the includer's folder and from each folder of -I, where there is a file: a new file that shadows another, or a
// removed one, changes the state.
//
//   a file of the user's       by its content
//   a header of the toolkit    by its size, times and number on its device: an installation does not change
//   an include by macro        in the user's text: nothing is known; in the toolkit's headers: one that is found anyway

/// Equal for equal files under equal names; nothing: the files that the call reads are not known, or its output depends
/// on the time.
std::optional<std::string> state_of_files(const Call& call, const Nvrtc& library);

}  // namespace lanescope::compile
