#pragma once
// A launch header as text, the inverse of `read_header`.

#include <optional>
#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// A comment with title, `[lanescope]`, `[buffers]` and, for several launches, `[[launch]]` tables, with a newline at
/// its end. Arguments are given by parameter name where every parameter has one; a buffer that has the name of its
/// parameter is left out, as that is the default. Buffers that the host code fills are left out, too: their contents
/// stay there. Each sentence of `assumed` becomes a TOML comment of its own line.
std::string header_text(const Header& header, const std::vector<std::string>& assumed);

// The short forms of a buffer, "f16 i:16 j:16/20 = zeros", and of a member of a structure, "f64 2.5".

/// Type and axes, strides and elements filled in. `line`, `column` go into diagnostics.
Expected<BufferSpec> read_buffer_text(std::string_view name, std::string_view text, std::string_view file, int line,
                                      int column);

// A member of a structure with its type, as launch files write it where no C++ reports: "f64 2.5", "u8 7". Types: u8 to u64, s8 to
// s64, f16, bf16, f32, f64.

/// nullopt: no type and number. A whole number is exact up to 2^53; larger ones are refused by is_exact().
std::optional<FieldSpec> typed_member(std::string_view text);
bool is_exact(const FieldSpec& member);
/// The same text again; empty: the member has no type of its own.
std::string typed_member_text(const FieldSpec& member);

}  // namespace lanescope::source
