#pragma once
// The project of a kernel: the files that belong to it (kernels/base/read_file.h), and the folders from its own up to the root.

#include <filesystem>
#include <vector>

#include "kernels/base/read_file.h"

namespace lanescope::options {

/// The nearest folder above with .git or lesson.md, else the kernel's own; a real path.
std::filesystem::path project_folder(const std::filesystem::path& kernel);

/// Of a name in an #include or after -include.
inline bool may_include(const std::filesystem::path& file, const std::filesystem::path& project) {
  return is_header(file) || is_of_folder(file, project);
}

/// A file that is looked for by its name (.lanescope.toml, Makefile) and is there; a link leads to a file of the project or
/// to one of the same name.
bool is_found(const std::filesystem::path& file, const std::filesystem::path& project);

/// The folder of `file`, then each above it, up to one that holds `.git`, at most `most`; without it up to the root of the
/// file system. Absolute and normal.
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& file, std::size_t most = 64);

}  // namespace lanescope::options
