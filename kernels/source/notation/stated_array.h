#pragma once
// Shapes and strides as comments state them: "shape (32,32), strides (128*1024, 1)". Numbers may be arithmetic over names
// that have a value at the launch: gridDim.x, a scalar argument, a #define, a constant.

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/cxx/constant_expression.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

struct StatedArray {
  std::vector<std::int64_t> shape, strides;  ///< elements; both empty for a single element
  std::string text;                          ///< as written: "shape (32,32), strides (128*1024, 1)"
  int line = 0, column = 0;
  std::int64_t elements() const;
  bool operator==(const StatedArray& o) const { return shape == o.shape && strides == o.strides; }
};

using Values = std::map<std::string, std::int64_t, std::less<>>;
/// Names with a value: gridDim.x ..., scalar arguments of the launch, -D options, #define and constants of the file.
/// `visible`: whether a constant that is declared at this token may be meant. One that may not counts only where nothing else
/// has its name and all that do have its value.
Values known_values(const Lexed& lexed, const Header& header, const LaunchSpec& launch,
                    const std::function<bool(int token)>& visible = {});

/// "128*1024", "(N + 31) / 32"; an error in words when a name has no value or the text is no arithmetic.
ConstantValue evaluate(std::string_view text, const Values& values);
/// "shape (32,32), strides (128*1024, 1)", "shape=(32,), contiguous", "a single element".
tl::expected<StatedArray, std::string> read_stated_array(std::string_view text, const Values& values);

// Lists in brackets, as comments write extents and axes: "(a, b)", "[a][b]", "[a, b]".

std::size_t after_blanks(std::string_view s, std::size_t at);
/// The text in the bracket that opens at `at`, which becomes the place after it; nullopt where it is not closed.
std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at);
/// Parts between the characters `marks` outside of brackets, at least one; parts_between(): those that are no blanks.
std::vector<std::string_view> all_parts(std::string_view s, std::string_view marks);
std::vector<std::string_view> parts_between(std::string_view s, std::string_view marks);
/// The list at `at`, which becomes its end. Empty where none is there, a part is missing or it has more than 8.
std::vector<std::string> list_of(std::string_view s, std::size_t& at);

// Sizes that authors write into comments: "p[i,j,k], shape (16,16,16)", "'p' points to a shape (32,128,1024) array",
// "blockDim = {32,16}", "gridDim = { 128, 32 }", "16 warps".

/// The axes that a comment gives for the pointer `name`; empty when none does. "p[a,b], shape (4,64)" names them; of
/// comments without names ("'p' and 'q' point to shape (4,64) arrays") the first counts, if none names them.
std::vector<Axis> shape_of(const std::vector<CommentLine>& lines, std::string_view name);

/// "blockDim = {32,16}" with `what` = "blockDim".
std::optional<std::array<std::uint32_t, 3>> extents_of(const std::vector<CommentLine>& lines, std::string_view what);

}  // namespace lanescope::source
