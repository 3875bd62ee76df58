#pragma once
// The folders from a kernel's own up to the root of its project.

#include <filesystem>
#include <vector>

namespace lanescope::options {

/// The folder of `file`, then each above it, up to one that holds `.git`, at most `most`; without it up to the root of the
/// file system. Absolute and normal.
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& file, std::size_t most = 64);

}  // namespace lanescope::options
