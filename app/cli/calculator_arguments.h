#pragma once
// The subcommands of app/cli/calculators: their options live as long as the parse, their actions give the exit status.

#include "app/cli/answers/options.h"

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
