#include "app/cli/parse_mistakes.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "kernels/base/nearest.h"
#include "kernels/base/text.h"

namespace lanescope::cli {

void refuse_odd_numbers(CLI::App& app) {
  const auto unsigned_number = [](const std::string& text) {
    if (text.starts_with('-')) return fmt::format("{} is negative", text);
    std::uint64_t number = 0;
    const bool fits =
        std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc::result_out_of_range;
    return fits ? std::string() : fmt::format("{} does not fit 64 bits", text);
  };
  const auto finite_number = [](const std::string& text) {
    const bool digits = std::ranges::any_of(text, [](char c) { return is_digit(c); });
    return digits ? std::string() : fmt::format("{} is not a number", text);
  };
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_name().starts_with("UINT")) option->check(unsigned_number);
      if (option->get_type_name().starts_with("FLOAT")) option->check(finite_number);
    }
}

std::string words_of_mistake(const CLI::App& app, const CLI::ParseError& mistake) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? std::string() : chosen.front()->get_name() + " ";
  const std::string help = fmt::format("see lanescope {}--help", command);
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&mistake) == nullptr || extras.empty() || chosen.empty())
    return fmt::format("{}; {}", mistake.what(), help);
  const std::string& word = extras.front();
  if (!word.starts_with('-')) return fmt::format("'{}' is not expected here; {}", word, help);
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string typed = word.substr(0, word.find('='));
  return fmt::format("{}has no option {}; {}", command, typed, did_you_mean(typed, names, help));
}

}  // namespace lanescope::cli
