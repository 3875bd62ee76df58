#pragma once
// A conversion of the planner as functions of a kernel file, and the call of it on named registers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/convert/cuda_text.h"

namespace lanescope::assist {

/// Registers that a call names one by one at most; an array of more is passed whole.
inline constexpr std::size_t most_named_registers = 16;

/// Registers as a call hands them over: "x0, x1", or an array as a whole.
struct CalledRegisters {
  std::vector<std::string> names;  ///< of single 32-bit words: "x0", "a[2]", "v.x"
  std::string array;               ///< empty: they are named one by one
};
/// nullopt: there are too many to be named, and they are no array.
std::optional<CalledRegisters> called_registers(std::vector<std::string> names);

/// `base`, or `base` with a number behind it, that does not occur in the text.
std::string free_name(std::string_view text, const std::string& base);
/// "x0" with everything replaced that cannot be part of a name.
std::string as_name(std::string_view words);

/// Line (from 0) before which a function of this file can stand so that line `inside` (from 0) may call it; comments
/// that stand directly above the function of that line stay with it.
std::optional<std::size_t> function_line(const std::vector<std::string_view>& lines, std::size_t inside);

/// The fastest plan; inside a warp one by shuffles where there is any, because each warp would need shared memory of its
/// own. -1: there is none.
int plan_to_call(const convert::Planned& planned);

/// The planner's function and behind it one of the same name that works on registers: in place where `to` is nullptr.
/// `reinterpreted`: the words of both sides are of different types of 4 bytes.
std::string conversion_functions(const std::string& name, const convert::Conversion& conversion,
                                 const CalledRegisters& from, const CalledRegisters* to, bool reinterpreted);
/// "name(x0, x1, y0, y1)"
std::string call_of(const std::string& name, const CalledRegisters& from, const CalledRegisters* to);

/// White space in front of a line.
std::string indentation_of(std::string_view line);
/// Whether nothing but (a part of) a comment is on this line.
bool is_comment_line(std::string_view line);
/// Line (from 0) where the comment around line `row` (from 0) begins.
std::size_t comment_begin(const std::vector<std::string_view>& lines, std::size_t row);
/// Lines of an assignment comment about `name`, without their ends.
std::vector<std::string> comment_lines(const std::string& indentation, const std::string& name,
                                       const layout::Assignment& assignment);

}  // namespace lanescope::assist
