#pragma once
// What the files beside a kernel's know of it, for a compile that failed: who includes it, and where the body of a function
// is that it only declares. Only the file's own folder is looked at, most_neighbours files of it.

#include <filesystem>
#include <optional>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::compile {

inline constexpr std::size_t most_neighbours = 200, most_neighbour_bytes = std::size_t{1} << 20;

/// The one source file of its folder that includes the file; nothing: none or several do.
std::optional<std::filesystem::path> only_includer(const std::filesystem::path& file);

/// The errors, with what neighbours show of them.
Diagnostics with_neighbours(Diagnostics errors, const source::Source& source);

}  // namespace lanescope::compile
