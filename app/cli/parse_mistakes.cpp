#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "app/cli/cli.h"
#include "kernels/base/nearest.h"
#include "kernels/base/text.h"

namespace lanescope::cli {

void refuse_odd_values(CLI::App& app) {
  const auto is_of = [](const CLI::Option& option, std::string_view type) {
    return option.get_type_name().starts_with(type);
  };
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() == 0) continue;
      const bool is_unsigned = is_of(*option, "UINT") || is_of(*option, "BYTES"), is_float = is_of(*option, "FLOAT");
      // Put before all others, which may change the text.
      option->transform(CLI::Validator(
          [is_unsigned, is_float](std::string& text) {
            if (text.empty()) return std::string("the value is empty");
            if (is_unsigned && text.starts_with('-')) return fmt::format("{} is negative", text);
            std::uint64_t number = 0;
            if (is_unsigned &&
                std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc::result_out_of_range)
              return fmt::format("{} does not fit 64 bits", text);
            const bool digits = std::ranges::any_of(text, [](char c) { return is_digit(c); });
            return !is_float || digits ? std::string() : fmt::format("{} is not a number", text);
          },
          ""));
    }
}

namespace {

/// A number that would fill the screen keeps its first digits.
std::string with_short_numbers(std::string_view text) {
  constexpr std::size_t longest = 24, kept = 8;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const std::size_t digits = end - at;
    if (digits > longest)
      out += fmt::format("{}... ({} digits)", text.substr(at, kept), digits);
    else
      out += text.substr(at, digits);
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string words_of_mistake(const CLI::App& app, const CLI::ParseError& mistake) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? std::string() : chosen.front()->get_name() + " ";
  const std::string help = fmt::format("see lanescope {}--help", command);
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&mistake) == nullptr || extras.empty() || chosen.empty())
    return fmt::format("{}; {}", with_short_numbers(mistake.what()), help);
  const std::string& word = extras.front();
  if (!word.starts_with('-')) return fmt::format("'{}' is not expected here; {}", word, help);
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string typed = word.substr(0, word.find('='));
  return fmt::format("{}has no option {}; {}", command, typed, did_you_mean(typed, names, help));
}

namespace {

struct OldName {
  std::string_view command, old, name;
};
constexpr OldName old_names[] = {{"run", "--out", "--output"},
                                 {"plan", "--emit", "--output"},
                                 {"plan", "--kernel", "--kernel-file"},
                                 {"access", "--arch", "--gpu"},
                                 {"explain", "--arch", "--gpu"}};

}  // namespace

void put_current_names(std::vector<std::string>& words) {
  if (words.empty()) return;
  const auto end = std::find(words.begin() + 1, words.end(), "--");
  for (const OldName& o : old_names) {
    if (words.front() != o.command) continue;
    for (auto word = words.begin() + 1; word != end; ++word)
      if (word->starts_with(o.old) && (word->size() == o.old.size() || (*word)[o.old.size()] == '='))
        word->replace(0, o.old.size(), o.name);
  }
}

}  // namespace lanescope::cli
