#pragma once
// Options that several subcommands take.

#include <string>
#include <vector>

#include "app/cli/answers/options.h"

namespace CLI {
class App;
}

namespace lanescope::cli {

/// Of a subcommand that takes a kernel file; `what` describes the file.
void kernel_options(CLI::App& command, KernelOptions& o, const std::string& what);
void verbose_option(CLI::App& command, KernelOptions& o,
                    const char* words = "list the options of the compiler, and where each comes from");
/// What can run over several files and values.
void sweep_options(CLI::App& command, KernelOptions& o);
/// Long names of the options that the command line names.
std::vector<std::string> given_to(const CLI::App& command);

}  // namespace lanescope::cli
