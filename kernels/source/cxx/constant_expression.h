#pragma once
// Integer expressions of C++, evaluated as they are read: constants of the host and of comments, and the conditions of `#if`.
// Numbers, characters, names, every operator without an effect, parentheses, casts to numbers (which change nothing here) and
// sizeof of a type.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

/// The error in words: "`n` has no value", "it divides by zero".
using ConstantValue = tl::expected<std::int64_t, std::string>;
/// The value of a name, members included ("gridDim.x").
using ValueOfName = std::function<std::optional<std::int64_t>(std::string_view name)>;

/// Value of tokens [first, last). A result that 64 bits do not hold is an error, never a wrapped value.
ConstantValue constant_value(const Lexed& lexed, int first, int last, const ValueOfName& value_of);
ConstantValue constant_value(std::string_view text, const ValueOfName& value_of);
/// The same for the preprocessor: 64 bits with or without sign, which wrap. Names are 0, but for `true`.
ConstantValue preprocessor_value(std::string_view text);

}  // namespace lanescope::source
