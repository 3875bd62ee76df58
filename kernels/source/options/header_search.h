#pragma once
// The probable folder of an included header that lies in none of the named folders. The kernel's own folder and those
// above it, up to the root of the project or five folders, are searched from the nearest on; in each of them the folder
// itself, the usual folders for headers, and one level below the usual folders for the code of others.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace lanescope::options
