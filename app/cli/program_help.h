#pragma once
// What the command line accepts, for its help, the manual page and the completion.

#include <string>
#include <vector>

#include "app/desktop/program_help.h"

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
