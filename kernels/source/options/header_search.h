#pragma once
// The probable folder of an included header that lies in none of the named folders. The kernel's own folder and those
// above it, up to the root of the project or five folders, are searched from the nearest on; in each of them the folder
// itself, the usual folders for headers, and one level below the usual folders for the code of others.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/read_file.h"

namespace lanescope::options {

/// Folders that one search looks into at most.
inline constexpr std::size_t most_searched_folders = 2000;
inline constexpr std::size_t most_levels = 5;

struct FoundHeader {
  std::string name;                           ///< as it is included: "common/helper.h"
  std::filesystem::path folder;               ///< for -I: folder / name is the file
  std::vector<std::filesystem::path> others;  ///< folders that have it, too, further away
};

/// `file`: the kernel; `name`: as it stands in the #include. A name that is absolute or leads up is found nowhere.
std::optional<FoundHeader> find_header_near(const std::filesystem::path& file, std::string_view name);

/// "-I ../common, where helper.h is"; with others: "... (the nearest; also in ../lib/inc)".
std::string words_of(const FoundHeader& found, const std::filesystem::path& file);

// The project of a kernel: the files that belong to it (kernels/base/read_file.h), and the folders from its own up to the root.

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
