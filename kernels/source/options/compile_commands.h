#pragma once
// compile_commands.json, as CMake and others write it: how each file of a project is compiled.

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/source/options/compile_settings.h"

namespace lanescope::options {

/// compile_commands.json or build/compile_commands.json beside `file` or in the nearest folder above it that has one.
std::optional<std::filesystem::path> find_compile_commands(const std::filesystem::path& file);

/// The options of the entry of `kernel`; none, with a remark, where there is no such entry. Errors of the file are
/// warnings: no command names it.
CompileSettings read_compile_commands(const std::filesystem::path& json, const std::filesystem::path& kernel);

}  // namespace lanescope::options
