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

/// Error of a first word that is neither a command nor an option nor a file, and no name of a file that could be
/// missing; it suggests a command. Empty for all others.
Diagnostics unknown_command(std::string_view word);

/// Exit status: 0 success; 1 the kernel is wrong; 2 bad input or usage; 3 no error is known, but the request could not
/// be carried out here.
int run(int argc, char** argv);

/// Options of the window without a subcommand, set by its owner: for --help, the manual page and the completion.
void set_explorer_options(std::vector<desktop::OptionHelp> options);

// Names that options had: still read, and shown nowhere.

/// The words of a command line up to `--` with today's names.
void put_current_names(std::vector<std::string>& words);

}  // namespace lanescope::cli

// Errors of a command line that the parser accepts or reports badly.

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lanescope::cli {

/// CLI11 reads -4 as 18446744073709551612 where a number without a sign is required, clamps values that are too large,
/// accepts nan as a number, and an empty text as an absent one. After this it refuses them, in every subcommand.
void refuse_odd_values(CLI::App& app);
/// The mistake in words; of an option that there is not, with the one that was meant.
std::string words_of_mistake(const CLI::App& app, const CLI::ParseError& mistake);

}  // namespace lanescope::cli

// Words of the command line, for its help, the manual page and the completion.

namespace CLI {
class App;
}

namespace lanescope::cli {

/// The program with its subcommands; `window`: its options without one.
desktop::ProgramHelp help_of(const CLI::App& app, const std::vector<desktop::OptionHelp>& window);
/// Options of the window, below those of the program itself.
std::string window_words(const std::vector<desktop::OptionHelp>& window);
/// How to get the manual page and the completion.
std::string desktop_words();
/// Values of --label of the view block.
std::vector<std::string> label_words();
const std::vector<std::string>& severity_words();

}  // namespace lanescope::cli
