#pragma once
// Sizes that authors write into comments: "p[i,j,k], shape (16,16,16)", "'p' points to a shape (32,128,1024) array",
// "blockDim = {32,16}", "gridDim = { 128, 32 }", "16 warps".

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// The axes that a comment gives for the pointer `name`; empty when none does. "p[a,b], shape (4,64)" names them; of
/// comments without names ("'p' and 'q' point to shape (4,64) arrays") the first counts, if none names them.
std::vector<Axis> shape_of(const std::vector<CommentLine>& lines, std::string_view name);

/// "blockDim = {32,16}" with `what` = "blockDim".
std::optional<std::array<std::uint32_t, 3>> extents_of(const std::vector<CommentLine>& lines, std::string_view what);

}  // namespace lanescope::source
