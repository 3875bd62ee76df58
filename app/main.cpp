// A thin shell: subcommands go to the command line, everything else opens the explorer.

#include <cstdio>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#if LANESCOPE_GUI
#include "app/gui/explorer.h"
#include "kernels/base/diagnostic.h"
#endif

int main(int argc, char** argv) {
  using namespace lanescope;
#if LANESCOPE_GUI
  if (argc > 1 && cli::is_command(argv[1])) {
    cli::set_explorer_usage(gui::explorer_usage());
    return cli::run(argc, argv);
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = gui::parse_explorer_arguments(arguments);
  if (!options) {
    for (const Diagnostic& d : options.error()) std::fprintf(stderr, "%s\n", to_string(d).c_str());
    return 2;
  }
  return gui::run_explorer(*options);
#else
  if (argc > 1 && (cli::is_command(argv[1]) || argv[1][0] == '-')) return cli::run(argc, argv);
  std::fputs(
      "lanescope: the window is not part of this build; configure with -DLANESCOPE_GUI=ON, or use a subcommand "
      "(lanescope --help)\n",
      stderr);
  return 3;
#endif
}
