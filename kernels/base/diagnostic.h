#pragma once
// A mistake in the user's input, with its place there. Every folder returns these by value
// (`Expected<T>`); no exception crosses a folder's border, and each error is handled once, where it is shown.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace lanescope {

enum class Severity : std::uint8_t { error, warning, note };

/// The kind of a diagnostic, for programs that read it.
enum class DiagnosticCode : std::uint8_t {
  input,
  file,
  option_not_used,
  launch_header,
  notation,
  not_a_row,
  misspelt_row,
  compiler,
  launch_in_device_code,
  function_without_body,
  part_of_other_file,
  element_type,
  bits_of_source,
  bits_of_destination,
  expectation_differs,
  stated_step,  ///< a comment names a step that does not lead from one claim to the next
  fault,
};
std::string_view name_of(DiagnosticCode code);  ///< "not-a-row"; in JSON
/// Of an assignment comment that cannot be read.
constexpr bool is_notation(DiagnosticCode code) {
  return code >= DiagnosticCode::notation && code <= DiagnosticCode::misspelt_row;
}

struct Diagnostic {
  std::string file;     ///< as the user named it; empty for text typed on the command line
  int line = 0;         ///< 1-based; 0 when the whole file is meant
  int column = 0;       ///< 1-based, in bytes; 0 when the whole line is meant
  std::string message;  ///< what is wrong
  std::string remedy;   ///< may be empty
  Severity severity = Severity::error;
  DiagnosticCode code = DiagnosticCode::input;
};

using Diagnostics = std::vector<Diagnostic>;

template <class T>
using Expected = tl::expected<T, Diagnostics>;

/// One diagnostic as an `Expected<T>` error.
inline tl::unexpected<Diagnostics> failure(Diagnostic d) {
  return tl::unexpected<Diagnostics>(Diagnostics{std::move(d)});
}
inline tl::unexpected<Diagnostics> failure(std::string message, std::string remedy = {},
                                           DiagnosticCode code = DiagnosticCode::input) {
  return failure(Diagnostic{.message = std::move(message), .remedy = std::move(remedy), .code = code});
}

/// The value of an Expected. Without one, the enclosing function returns its errors:
///
///   const toml::table root = LS_TRY(parse_toml(text, file, 0, remedy));
///
/// Not inside an expression with temporaries: what of it was computed already might never be destroyed.
#define LS_TRY(...)                                                          \
  ({                                                                         \
    auto ls_expected = __VA_ARGS__;                                          \
    if (!ls_expected) return tl::unexpected(std::move(ls_expected.error())); \
    std::move(*ls_expected);                                                 \
  })

/// `file:line:column: what is wrong; what to do`, without a line break. Parts that are unknown are left out.
std::string to_string(const Diagnostic& d);
/// "message; remedy", or after a question "Did you mean `i0`? Write the row like the others".
std::string with_remedy(const std::string& message, std::string remedy);
/// With a full stop, unless it ends with a punctuation mark.
std::string as_sentence(std::string text);

}  // namespace lanescope
