// A thin shell: subcommands go to the command line, everything else opens the explorer.

#include <cstdio>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/engine/hardware/device.h"
#include "kernels/base/standard_streams.h"
#include "kernels/compile/calls/workers.h"
#if LANESCOPE_GUI
#include "app/gui/explorer.h"
#include "app/lessons/answer.h"
#endif

namespace {

using namespace lanescope;

void complain(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) put_error(to_string(d) + "\n");
}

int run(int argc, char** argv) {
  if (argc > 1)
    if (const Diagnostics wrong = cli::unknown_command(argv[1]); !wrong.empty()) return complain(wrong), 2;
#if LANESCOPE_GUI
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto played = gui::played_lesson(arguments);
  if (played) arguments = *played;
  if (!played && argc > 1 && cli::is_command(argv[1])) {
    cli::set_explorer_options(gui::explorer_options());
    return cli::run(argc, argv);
  }
  auto options = gui::parse_explorer_arguments(arguments);
  if (!options) return complain(options.error()), 2;
  options->answers_from = lessons::this_program;
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

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  // A text that makes the compiler crash costs its process and not this one.
  compile::use_workers(engine::child_command("compile"));
  const int status = run(argc, argv);
  if (const auto said = flush_standard_output(); !said) return complain(said.error()), 3;
  return status;
}
