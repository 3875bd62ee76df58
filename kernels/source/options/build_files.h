#pragma once
// The Makefile or CMakeLists.txt beside a kernel: its literal compiler options. Neither program is run.
//
//   CFLAGS := -DMKX=4 -I../common       a variable of a rule that calls nvcc for this file
//   target_compile_definitions(t X=1)   of the target that has this file
//
// Macros and include folders are taken, and nothing else. Variables with literal values are put in; a word with any
// other variable, or inside of a condition that is not decided by such variables, is left out with that reason. Of a
// Makefile's target `run` the words are taken with which it calls the program: they are the arguments of `main`.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/options/compile_settings.h"

namespace lanescope::options {

inline constexpr std::size_t most_build_file_bytes = std::size_t{1} << 20;

/// In the folder of `file`: its Makefile, else its CMakeLists.txt.
std::optional<std::filesystem::path> find_build_file(const std::filesystem::path& file);

CompileSettings read_build_file(const std::filesystem::path& build_file, const std::filesystem::path& kernel);

/// How the program of a kernel is called: "./main 1024 100" of the Makefile's target `run`.
struct CommandLine {
  std::vector<std::string> words{};  ///< without the program's name
  std::string place{};               ///< "Makefile line 56"
};
/// Of the build file beside `kernel`, where that names the file as a source. No words: it has none, or one of them is
/// not known.
CommandLine command_line_nearby(const std::filesystem::path& kernel);
/// The first call of the target `run`; its line is 0 where there is none.
struct MakeCall {
  std::vector<std::string> words{};
  int line = 0;
};
MakeCall call_of_makefile(std::string_view text);

/// The words that a Makefile gives to nvcc for a file of this name, and whether each is known to count.
struct BuildWord {
  std::string text;
  int line = 0;
  bool known = true;
};
std::vector<BuildWord> words_of_makefile(std::string_view text, std::string_view file_name);
std::vector<BuildWord> words_of_cmake(std::string_view text, std::string_view file_name);

}  // namespace lanescope::options
