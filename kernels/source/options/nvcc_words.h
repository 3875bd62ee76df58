#pragma once
// The words of an nvcc command line as options: those that NVRTC takes, translated where it calls them otherwise, and those
// that it has no use for, each with the reason. Words that a file gives pass the list of nvcc_table.h first.

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
  bool vetted = false;  ///< the words were read before, and what a file may not give is no more among them
};

/// Limits: words of one command, with those of its @files; files inside of files.
inline constexpr std::size_t most_words = 20'000, most_nested_files = 16,
                             most_options_file_bytes = std::size_t{1} << 20;

/// Every word becomes part of one used option or of one left out. Of what is given more than once the last counts. Include
/// folders are named relative to the kernel's folder, where it is at most 16 folders away. What a file may not give is left
/// out, with a warning; an error of a project file.
CompileSettings read_words(const std::vector<std::string>& words, const Base& base);

/// What of a file's words only a person may give.
struct RefusedOption {
  std::string written;  ///< as a shell takes it
  std::string reason;   ///< "is taken from the command line only"
};
std::vector<RefusedOption> refused_options(const std::vector<std::string>& words, const Base& base);

/// What to do about one of a launch header or a project file.
inline constexpr std::string_view remedy_of_refused =
    "files may give -I, -D, -U, -std, -arch, register limits, and options of optimisation, arithmetic and warnings; "
    "type others after -- on the command line";

/// Several architectures: the newest of them; "sm_90" of "compute_90"; empty: it names none.
std::string newest_architecture(const std::vector<std::string>& names);

/// `folder` as an option of the kernel in `file` names it.
std::string folder_name(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace lanescope::options
