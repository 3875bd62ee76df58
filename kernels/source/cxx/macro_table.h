#pragma once
// Macros at one place of a text: definitions by name, and their expansion. Expansion is limited: beyond the stated
// numbers words are not expanded.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct MacroToken {
  TokenKind kind = TokenKind::punctuator;
  std::string text;
  bool spaced = false;  ///< blanks are before it
  bool fixed = false;   ///< the name of a macro within its own expansion: it stays a name
};
using MacroTokens = std::vector<MacroToken>;

struct MacroDefinition {
  std::string name;
  bool like_function = false;
  bool variadic = false;                ///< its last parameter takes all further arguments
  std::vector<std::string> parameters;  ///< "__VA_ARGS__" where `...` has no name
  MacroTokens body;
};

using MacroTable = std::map<std::string, MacroDefinition, std::less<>>;

/// Comments and line continuations left out.
MacroTokens macro_tokens(std::string_view text);

/// The text after `#define`: `N 4`, `F(a, ...) g(a)`. Nothing if it is no definition.
std::optional<MacroDefinition> read_definition(std::string_view text);

/// As an option of a compiler: "-DN=4" is "N=4", "-DN" is "N" and means 1; "F(x)=x".
void define(MacroTable& table, std::string_view option);

/// The options of a compiler that change macros: -DN=4, `-D N`, -UN, -std=c++20. Others are passed over.
void apply_options(MacroTable& table, std::span<const std::string> options);

/// The macros defined by such options, each as the text after `#define`: "N 4".
std::vector<std::string> option_definitions(std::span<const std::string> options);

inline constexpr std::size_t most_expanded = 4'000;  ///< tokens that one expansion may handle

/// All macros in `tokens` replaced; nothing when the result would be too long or a call is not closed.
std::optional<MacroTokens> expanded(const MacroTable& table, const MacroTokens& tokens);

/// `arguments` in place of the parameters, # and ## applied, not yet rescanned.
MacroTokens substituted(const MacroDefinition& macro, const std::vector<MacroTokens>& arguments,
                        const std::vector<MacroTokens>& expanded_arguments);

/// The arguments of a call whose `(` is tokens[open]; `close` becomes the index of its `)`. Nothing when it is not
/// closed or the number of arguments is wrong.
std::optional<std::vector<MacroTokens>> macro_arguments(const MacroDefinition& macro,
                                                        std::span<const MacroToken> tokens, std::size_t open,
                                                        std::size_t& close);

/// Which GPU and which compiler the text is read for.
struct DeviceTarget {
  int architecture = 90;  ///< 90 for sm_90
  int cuda_major = 13, cuda_minor = 0;
  long cplusplus = 201703;
};

/// Macros that NVRTC defines for device code (measured with 13.0: `#ifdef` of each name), without those of host
/// compilers (__GNUC__, __linux__, _MSC_VER) and nvcc's own __NVCC__.
MacroTable device_macros(const DeviceTarget& target = {});

}  // namespace lanescope::source
