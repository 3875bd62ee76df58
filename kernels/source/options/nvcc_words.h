#pragma once
// The words of an nvcc command line as options: those that NVRTC takes, translated where it calls them otherwise, and those
// that it has no use for, each with the reason. Words that a file gives pass the list of nvcc_table.cpp first.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
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

/// Every word becomes part of one used option or of one left out. If an option is given twice, the last
/// counts. Include folders are named relative to the kernel's folder, if it is at most 16 folders away.
/// Options that a file may not give are left out, with a warning; in a project file they are an error.
CompileSettings read_words(const std::vector<std::string>& words, const Base& base);

/// Words of a file that only a person may give.
struct RefusedOption {
  std::string written;  ///< as a shell takes it
  std::string reason;   ///< "is taken from the command line only"
};
std::vector<RefusedOption> refused_options(const std::vector<std::string>& words, const Base& base);

/// The remedy for one of a launch header or a project file.
inline constexpr std::string_view remedy_of_refused =
    "files may give -I, -D, -U, -std, -arch, register limits, and options of optimisation, arithmetic and warnings; "
    "type others after -- on the command line";

/// Several architectures: the newest of them; "sm_90" of "compute_90"; empty: it names none.
std::string newest_architecture(const std::vector<std::string>& names);

/// `folder` as an option of the kernel in `file` names it.
std::string folder_name(const std::filesystem::path& folder, const std::filesystem::path& file);

// The options of nvcc (nvcc --help of CUDA 13.0), and of NVRTC where it has more: how each is written, and its meaning.
// Words without a row, and those of `pass_typed`, reach the compiler from the command line only: NVRTC's
// --create-pch overwrites a file, and the --options-file of its assembler shows one.

enum class Values : std::uint8_t {
  none,
  one,       ///< -std=c++17, -std c++17
  attached,  ///< -Iinclude, -I=include, -I include
};

enum class Meaning : std::uint8_t {
  include_folder,
  define,
  undefine,
  pre_include,
  standard,
  architecture,   ///< -arch
  code,           ///< -code
  generate_code,  ///< -gencode
  register_limit,
  assembler,  ///< -Xptxas
  front_end,  ///< -Xcudafe
  device_debug,
  options_file,
  pass,        ///< NVRTC has it by this long name
  pass_typed,  ///< the same, where a person gives it
  no_use,
};

struct NvccOption {
  std::string long_name, short_name;  ///< with their dashes; either may be empty
  Values values = Values::none;
  Meaning meaning = Meaning::no_use;
  std::string_view reason{};  ///< why it is left out
};

/// The row of a word such as "-std=c++17" or "-Iinclude"; nullptr: unknown.
const NvccOption* find_option(std::string_view word);

/// Whether a file may give this option of the assembler: optimisation, caching, register limits and warnings.
bool is_assembler_option_of_files(std::string_view word);

/// The note on a word that has no row but is a host compiler's: -Wall, -fPIC, -march=native, -pthread.
bool is_host_option(std::string_view word);

}  // namespace lanescope::options
