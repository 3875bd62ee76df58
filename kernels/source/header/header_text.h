#pragma once
// A launch header as text: what `read_header` reads back to the same values.

#include <string>

#include "kernels/source/model/launch.h"

namespace lanescope::source {

/// A comment with title, `[lanescope]`, `[buffers]` and, for several launches, `[[launch]]` tables, with a newline at its
/// end. Arguments are given by parameter name where every parameter has one; a buffer that has the name of its
/// parameter is left out, as that is the default. Buffers that the host code fills are left out, too: their contents stay
/// where they are. Each sentence of `assumed` becomes a TOML comment of its own line.
std::string header_text(const Header& header, const std::vector<std::string>& assumed);

}  // namespace lanescope::source
