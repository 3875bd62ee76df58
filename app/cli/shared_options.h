#pragma once
// Options that several subcommands take.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "app/cli/answers/options.h"

namespace lanescope::cli {

/// Of a subcommand that takes a kernel file; `what` describes the file.
void kernel_options(CLI::App& command, KernelOptions& o, const std::string& what);
void verbose_option(CLI::App& command, KernelOptions& o,
                    const char* words = "list the options of the compiler, and where each comes from");
/// Of subcommands that can run over several files and values.
void sweep_options(CLI::App& command, KernelOptions& o);
/// A number from `least` to `most`, whose value before is the default that the help shows.
template <class Value, class Limit>
CLI::Option* ranged(CLI::App& command, const char* names, Value& value, const std::string& words, Limit least,
                    Limit most) {
  return command.add_option(names, value, words)->capture_default_str()->check(CLI::Range(least, most));
}
/// Several values in one word, separated by commas; can be repeated.
template <class Value>
CLI::Option* list_option(CLI::App& command, const char* names, std::vector<Value>& values, const std::string& words) {
  return command.add_option(names, values, words)->delimiter(',')->allow_extra_args(false);
}
/// Long names of the options that the command line names.
std::vector<std::string> given_to(const CLI::App& command);

/// The subcommands of one command line: their options live as long as the parse, their actions give the exit status.
struct Commands {
  CLI::App& app;
  int status = 0;
  std::vector<KernelOptions*> of_kernels{};   ///< options of the commands that take a kernel file
  std::vector<std::shared_ptr<void>> kept{};  ///< all options: a command may replace its callback

  explicit Commands(CLI::App& to);
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  template <class Options>
  struct Added {
    CLI::App* command;
    Options& options;
  };
  template <class Options, class Action>
  Added<Options> add(const char* name, const char* meaning, Action action) {
    const auto options = std::make_shared<Options>();
    kept.push_back(options);
    if constexpr (std::is_base_of_v<KernelOptions, Options>) of_kernels.push_back(options.get());
    CLI::App* command = app.add_subcommand(name, meaning);
    command->callback([this, command, options = options.get(), action] {
      if constexpr (requires { options->given; }) options->given = given_to(*command);
      status = action(*options);
    });
    return {command, *options};
  }
};

void add_access(Commands& all);
void add_plan(Commands& all);
/// And `figures`, which compares the references' numbers with the same formulas.
void add_occupancy(Commands& all);
void add_threads(Commands& all);
void add_explain(Commands& all);
void add_counters(Commands& all);

}  // namespace lanescope::cli
