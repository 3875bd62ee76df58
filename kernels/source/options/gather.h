#pragma once
// All options of a kernel beside those of its launch header.

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/source/options/compile_settings.h"

namespace lanescope::options {

/// Options that the user gives by hand.
struct Given {
  std::vector<std::string> words{};   ///< of the command line, after `--`
  std::string folder{};               ///< where the program was started; empty: here
  std::string nvcc_command{};         ///< pasted; empty: none
  std::vector<std::string> window{};  ///< words typed into the panel Options
  std::vector<std::string>
      removed{};            ///< options of any other origin, as UsedOption::written, that the window took away
  bool look_around = true;  ///< for a project file and compile_commands.json
  bool operator==(const Given&) const = default;
  bool empty() const { return *this == Given{}; }
};

/// Everything but the header's, merged. Errors are in `diagnostics`.
CompileSettings gather(const std::filesystem::path& file, const Given& given);

/// The header's words, with the places that it has for them, merged with the others. The header's own list is left as
/// it is.
CompileSettings with_header(const source::CompileSpec& header, const std::filesystem::path& file,
                            CompileSettings others);

/// Appends the other options to the header's list, and sets the architecture if it has none.
void apply(const CompileSettings& settings, source::CompileSpec& header);

}  // namespace lanescope::options
