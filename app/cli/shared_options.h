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
/// Of subcommands that can run over several files and values.
void sweep_options(CLI::App& command, KernelOptions& o);
/// Long names of the options that the command line names.
std::vector<std::string> given_to(const CLI::App& command);

}  // namespace lanescope::cli

// The subcommands of app/cli/calculators: their options live as long as the parse, their actions give the exit status.

namespace CLI {
class App;
}

namespace lanescope::cli {

struct CalculatorArguments {
  int& status;
  AccessOptions access_options{};
  PlanOptions plan_options{};
  OccupancyOptions occupancy_options{};
  FiguresOptions figures_options{};
  ThreadsOptions threads_options{};
  ExplainOptions explain_options{};
  CountersOptions counters_options{};

  void add_access(CLI::App& app);
  void add_plan(CLI::App& app);
  /// And `figures`, which compares the references' numbers with the same formulas.
  void add_occupancy(CLI::App& app);
  void add_threads(CLI::App& app);
  void add_explain(CLI::App& app);
  void add_counters(CLI::App& app);
};

}  // namespace lanescope::cli
