#include "app/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/problems.h"
#include "app/cli/calculators/calculators.h"
#include "app/cli/render/render.h"
#include "app/engine/hardware/device.h"
#include "generated/resources.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/heat.h"
#include "viz/views/registers/block.h"

namespace lanescope::cli {

std::vector<std::string> label_words() {
  std::vector<std::string> words;
  for (int i = 0; i < views::block_label_count; ++i)
    words.emplace_back(views::block_label_name(static_cast<views::BlockLabel>(i)));
  return words;
}

const std::vector<std::string>& severity_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const Severity s : {Severity::error, Severity::warning, Severity::note}) all.emplace_back(severity_name(s));
    return all;
  }();
  return words;
}

namespace {

/// The words that an option accepts, where they are few; the same wherever it occurs.
std::vector<std::string> choices_of(const std::string& option) {
  const auto listed = [](const auto& range, auto word) {
    std::vector<std::string> words;
    for (const auto& each : range) words.emplace_back(word(each));
    return words;
  };
  const auto itself = [](std::string_view word) { return word; };
  if (option == "--fail-on") return severity_words();
  if (option == "--engine") return {"emulator", "gpu"};
  if (option == "--parts") return measured_parts();
  if (option == "--pattern") return typed_patterns();
  if (option == "--space") return {"shared", "global"};
  if (option == "--op") return {"ld", "st"};
  if (option == "--label") return label_words();
  if (option == "--theme") return views::theme_names();
  if (option == "--counter") return listed(views::heat_counters(), [](const auto& counter) { return counter.name; });
  if (option == "--view") {
    std::vector<std::string> words = listed(view_names(), itself);
    std::ranges::move(listed(measured_view_names(), itself), std::back_inserter(words));
    return words;
  }
  if (option == "TASK") return listed(engine::child_tasks, itself);
  if (option == "SHELL") return desktop::shells();
  return {};
}

desktop::OptionHelp help_of(const CLI::Option& option) {
  desktop::OptionHelp help{.meaning = option.get_description(),
                           .default_value = option.get_default_str(),
                           .required = option.get_required()};
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  help.choices = choices_of(help.names.empty() ? option.get_name(true) : help.names.back());
  if (help.names.empty()) {
    help.value = option.get_name(true);
  } else if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();  // "INT", or "INT:INT in [1 - 100]"
    const std::size_t colon = type.find(':');
    help.value = type.substr(0, colon);
    if (colon != std::string::npos) help.limits = type.substr(colon + 1);
  }
  return help;
}

}  // namespace

desktop::ProgramHelp help_of(const CLI::App& app, const std::vector<desktop::OptionHelp>& window) {
  const auto options_of = [](const CLI::App& command) {
    std::vector<desktop::OptionHelp> all;
    for (const CLI::Option* option : command.get_options()) all.push_back(help_of(*option));
    return all;
  };
  desktop::ProgramHelp help{.name = app.get_name(),
                            .version = std::string(resources::version),
                            .meaning = app.get_description(),
                            .options = options_of(app),
                            .window = window};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    help.commands.push_back({command->get_name(), command->get_description(), options_of(*command)});
  return help;
}

std::string window_words(const std::vector<desktop::OptionHelp>& window) {
  std::string text = "lanescope [FILE.cu]   opens the explorer\n\n";
  for (const desktop::OptionHelp& option : window) {
    std::string left = "  " + option.names.front() + (option.value.empty() ? "" : " " + option.value);
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    text += left + option.meaning + "\n";
  }
  return text + "\n";
}

std::string desktop_words() {
  std::string text = "lanescope man                 prints the manual page: lanescope man | man -l -\n";
  for (const std::string& shell : desktop::shells())
    text += fmt::format("lanescope completion {:<9}prints the completion for {}: {}\n", shell, shell,
                        desktop::how_to_complete(shell));
  return text;
}

}  // namespace lanescope::cli
