#pragma once
// A launch header as text, the inverse of `read_header`.

#include <string>

#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// A comment with title, `[lanescope]`, `[buffers]` and, for several launches, `[[launch]]` tables, with a newline at
/// its end. Arguments are given by parameter name where every parameter has one; a buffer that has the name of its
/// parameter is left out, as that is the default. Buffers that the host code fills are left out, too: their contents
/// stay there. Each sentence of `assumed` becomes a TOML comment of its own line.
std::string header_text(const Header& header, const std::vector<std::string>& assumed);

}  // namespace lanescope::source
