#pragma once
// The words of an nvcc command line as options: those that NVRTC takes, translated where it calls them otherwise, and those
// that it has no use for, each with the reason.

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/source/options/compile_settings.h"

namespace lanescope::options {

/// Where words come from.
struct Base {
  Origin origin = Origin::command_line;
  std::filesystem::path folder;  ///< relative names start here
  std::filesystem::path file;    ///< the kernel's own file
  Place place{};
};

/// Limits: words of one command, with those of its @files; files inside of files.
inline constexpr std::size_t most_words = 20'000, most_nested_files = 16,
                             most_options_file_bytes = std::size_t{1} << 20;

/// Every word becomes part of one used option or of one left out. Of what is given more than once the last counts. Include
/// folders are named relative to the kernel's folder, where it is at most 16 folders away.
CompileSettings read_words(const std::vector<std::string>& words, const Base& base);

/// Several architectures: the newest of them; "sm_90" of "compute_90"; empty: it names none.
std::string newest_architecture(const std::vector<std::string>& names);

/// `folder` as an option of the kernel in `file` names it.
std::string folder_name(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace lanescope::options
