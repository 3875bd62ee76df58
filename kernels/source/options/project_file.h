#pragma once
// .lanescope.toml: options of the compiler for all kernels of a folder and of those below it.
//
//   [compile]
//   include  = ["include", "../common"]        # relative to this file
//   define   = ["TILE=16", "NDEBUG"]           # or { TILE = 16, NDEBUG = true }
//   standard = "c++17"
//   arch     = "sm_90"
//   options  = ["--use_fast_math", "-Xptxas", "-O1"]

#include <filesystem>
#include <optional>

#include "kernels/source/options/compile_settings.h"

namespace lanescope::options {

inline constexpr const char* project_file_name = ".lanescope.toml";

/// In the folder of `file`, else in the nearest above it that has one.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& file);

/// Mistakes in it are errors, at its own line and column.
CompileSettings read_project_file(const std::filesystem::path& toml, const std::filesystem::path& kernel);

}  // namespace lanescope::options
