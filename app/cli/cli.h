#pragma once
// Everything that lanescope does without a window.

#include <string_view>
#include <vector>

#include "app/desktop/program_help.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::cli {

/// Whether the first word on the command line is a subcommand or an option of ours (--help, --version).
bool is_command(std::string_view word);

/// Of a first word that is neither a command nor an option nor a file, and no name of a file that could be missing: what is
/// wrong, with the command that was meant. Empty for all others.
Diagnostics unknown_command(std::string_view word);

/// Exit status: 0 all good; 1 something is wrong with the kernel; 2 bad input or usage; 3 nothing is known to be wrong, but
/// something asked for could not be done here.
int run(int argc, char** argv);

/// What the window takes without a subcommand, told by whoever owns it: for --help, the manual page and the completion.
void set_explorer_options(std::vector<desktop::OptionHelp> options);

}  // namespace lanescope::cli
