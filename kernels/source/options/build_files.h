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
#include "kernels/source/options/nvcc_words.h"

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

// compile_commands.json, as CMake and others write it: how each file of a project is compiled.

/// compile_commands.json or build/compile_commands.json beside `file` or in the nearest folder above it that has one.
std::optional<std::filesystem::path> find_compile_commands(const std::filesystem::path& file);

/// The options of the entry of `kernel`; none, with a remark, where there is no such entry. Errors of the file are
/// warnings: no command names it.
CompileSettings read_compile_commands(const std::filesystem::path& json, const std::filesystem::path& kernel);

// A command copied from a terminal or a build log: nvcc with its options, perhaps with other commands, a
// redirection or assignments beside it.

/// The words of one call, the compiler's name first, perhaps after a launcher (ccache) or assignments.
CompileSettings read_compiler_call(const std::vector<std::string>& words, const Base& base);

/// The call of nvcc among the commands of `text`, else the first command. Relative folders start where the command
/// finds the kernel's file: the file's folder or one above it, `base.folder` where neither fits. Errors: a quote that
/// is not closed.
CompileSettings read_nvcc_command(std::string_view text, Base base);

// .lanescope.toml: options of the compiler for all kernels of a folder and of those below it.
//
//   [compile]
//   include  = ["include", "../common"]        # relative to this file
//   define   = ["TILE=16", "NDEBUG"]           # or { TILE = 16, NDEBUG = true }
//   standard = "c++17"
//   arch     = "sm_90"
//   options  = ["--use_fast_math", "-Xptxas", "-O1"]

inline constexpr const char* project_file_name = ".lanescope.toml";

/// In the folder of `file`, else in the nearest above it that has one.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& file);

/// Mistakes in it are errors, at its own line and column.
CompileSettings read_project_file(const std::filesystem::path& toml, const std::filesystem::path& kernel);

}  // namespace lanescope::options
