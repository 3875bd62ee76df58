#pragma once
// Everything that lanescope does without a window.

#include <string_view>

namespace lanescope::cli {

/// Whether the first word on the command line is a subcommand or an option of ours (--help, --version).
bool is_command(std::string_view word);

/// Exit status: 0 all good; 1 something is wrong with the kernel; 2 bad input or usage; 3 nothing is known to be wrong, but
/// something asked for could not be done here.
int run(int argc, char** argv);

/// For --help: what the explorer takes, written by whoever owns it.
void set_explorer_usage(std::string_view usage);

}  // namespace lanescope::cli
