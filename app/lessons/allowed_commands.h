#pragma once
// The commands that `compute` of a lesson may use. A lesson is a foreign file, and it is computed where it is opened,
// without a click: so it may use this program's calculations and runs, by name, and nothing that starts a process
// (--via,
// --sweep), writes a file (-o, --out, --emit), reads one outside of the lesson's folder, or opens a lesson again. What
// is not in the table is refused.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

enum class Operand : std::uint8_t {
  none,
  kernel,  ///< at most one file of the lesson or kernel of the catalogue, or {file}
  words,   ///< an instruction, a name
};

struct AllowedCommand {
  std::string_view name;
  Operand operand = Operand::none;
  std::string_view flags, values;  ///< options, separated by blanks: without and with a value
};
const std::vector<AllowedCommand>& allowed_commands();

/// Errors of a command that is not allowed; empty: none. Names of files are checked elsewhere (arguments_of).
Diagnostics refused_words(const std::vector<std::string>& words);

/// Whether the word at `index` names the file of an allowed command.
bool is_file_operand(const std::vector<std::string>& words, std::size_t index);

}  // namespace lanescope::lessons
