#pragma once
// Everything that lanescope does without a window.

#include <string>
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
/// something requested could not be done here.
int run(int argc, char** argv);

/// What the window takes without a subcommand, given by its owner: for --help, the manual page and the completion.
void set_explorer_options(std::vector<desktop::OptionHelp> options);

// Names that options had: still read, and shown nowhere.

/// The words of a command line up to `--` with today's names.
void put_current_names(std::vector<std::string>& words);

}  // namespace lanescope::cli

// What is wrong with a command line, where the parser takes it or has no good words for it.

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lanescope::cli {

/// CLI11 reads -4 as 18446744073709551612 where a number without a sign is required, cuts what is too large, takes nan for a
/// number, and an empty text for one that was not given. After this it refuses them, in every subcommand.
void refuse_odd_values(CLI::App& app);
/// The mistake in words; of an option that there is not, with the one that was meant.
std::string words_of_mistake(const CLI::App& app, const CLI::ParseError& mistake);

}  // namespace lanescope::cli

// What the command line accepts, for its help, the manual page and the completion.

namespace CLI {
class App;
}

namespace lanescope::cli {

/// The program with its subcommands; `window`: what it takes without one.
desktop::ProgramHelp help_of(const CLI::App& app, const std::vector<desktop::OptionHelp>& window);
/// What the window takes, below the options of the program itself.
std::string window_words(const std::vector<desktop::OptionHelp>& window);
/// How to get the manual page and the completion.
std::string desktop_words();
/// What --label of the view block takes.
std::vector<std::string> label_words();
/// What --fail-on takes, by Severity.
const std::vector<std::string>& severity_words();

}  // namespace lanescope::cli
