#pragma once
// The controlling expression of `#if` and `#elif`: integers of 64 bits with or without sign, `defined`, __has_include,
// __has_cpp_attribute (values as NVRTC 13.0 has them for C++17 and C++20), every operator of the language that may stand there.
// __has_attribute, __has_builtin, __has_feature and __has_extension query the compiler itself: the compiler answers them.

#include <functional>
#include <optional>
#include <string_view>

#include "kernels/source/cxx/macro_table.h"

namespace lanescope::source {

using HasInclude = std::function<bool(std::string_view name, bool quoted)>;

/// `text`: what follows `#if`. Names that are no macros count 0. Nothing when it is no expression (a call of an unknown
/// macro, a division by zero): the compiler takes that as an error.
std::optional<bool> condition(std::string_view text, const MacroTable& macros, const HasInclude& has_include = {});

/// What `defined`, #ifdef and #ifndef ask: a macro, or a name that only the compiler may define.
bool is_defined(std::string_view name, const MacroTable& macros);

/// The name in `"a.h"` or `<a.h>` at the beginning of `text`, macros expanded where it begins with a name.
struct IncludeName {
  std::string name;
  bool quoted = false;
};
std::optional<IncludeName> include_name(std::string_view text, const MacroTable& macros);

}  // namespace lanescope::source
