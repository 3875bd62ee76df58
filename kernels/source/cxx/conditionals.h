#pragma once
// The active part of a text: the lines whose conditions hold. Everything else, and the lines of the conditions
// themselves, are overwritten with blanks, so that every line and column stays and no later reader of the text
// (for tokens, for claims, for a compiler) reads inactive text. Macros of included files count from their #include on,
// if the caller gives their texts.
//
//   #ifdef __CUDACC__          (blank)
//   #define HD __device__      #define HD __device__
//   #else                      (blank)
//   #define HD                 (blank)
//   #endif                     (blank)
//
// Two kinds of conditions stay as they are: a guard around a whole file (the compiler may read it more than once), and
// those that cannot be evaluated or are not closed, which the compiler reports better; their text counts as inactive.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source {

struct ActiveInclude {
  int line = 0, column = 0;              ///< of its `#`, from 1
  std::uint32_t offset = 0, length = 0;  ///< of the directive
  std::string name;                      ///< as it is written, a macro expanded
  bool quoted = false;                   ///< "name", not <name>
  std::string file;                      ///< its name from ReadInclude; empty: none
};

struct ActiveFile {
  std::string file;  ///< as the caller or ReadInclude named it
  std::string text;  ///< as long as the given text, inactive parts blank; included again: active in any of these
  std::vector<ActiveInclude> includes;  ///< in text order, each once
};

struct IncludedText {
  std::string file;  ///< one name for each file, however it is included
  std::string text;
};
/// The text of an include, called once for each active #include and each __has_include; nothing: it does not exist, or
/// it is not to be read. `includer` is a name that the caller or this function gave.
using ReadInclude =
    std::function<std::optional<IncludedText>(std::string_view name, bool quoted, std::string_view includer)>;

struct Conditionals {
  std::vector<ActiveFile> files;  ///< the given text first, then the answered includes in the order of their first use
  MacroTable macros;              ///< after the last line
};

inline constexpr int most_includes = 2000;   ///< texts that are read, repeated ones counted; further ones are not
inline constexpr int deepest_include = 100;  ///< files within each other

Conditionals evaluate_conditionals(std::string_view file, std::string_view text, MacroTable macros = device_macros(),
                                   const ReadInclude& read_include = {});

// The controlling expression of `#if` and `#elif`: integers of 64 bits with or without sign, `defined`, __has_include,
// __has_cpp_attribute (values as NVRTC 13.0 has them for C++17 and C++20), every operator of the language that may stand there.
// __has_attribute, __has_builtin, __has_feature and __has_extension query the compiler itself: the compiler answers them.

using HasInclude = std::function<bool(std::string_view name, bool quoted)>;

/// `text`: what follows `#if`. Names that are no macros count 0. Nothing when it is no expression (a call of an unknown
/// macro, a division by zero): the compiler takes that as an error.
std::optional<bool> condition(std::string_view text, const MacroTable& macros, const HasInclude& has_include = {});

/// The operand of `defined`, #ifdef and #ifndef: a macro, or a name that only the compiler may define.
bool is_defined(std::string_view name, const MacroTable& macros);

/// The name in `"a.h"` or `<a.h>` at the beginning of `text`, macros expanded where it begins with a name.
struct IncludeName {
  std::string name;
  bool quoted = false;
};
std::optional<IncludeName> include_name(std::string_view text, const MacroTable& macros);

}  // namespace lanescope::source
