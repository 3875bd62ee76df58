#include "app/lessons/answer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"

namespace lanescope::lessons {
namespace {

const std::vector<AllowedCommand> table = {
    {.name = "access",
     .operand = Operand::none,
     .flags = "--json",
     .values = "--space --path --gpu --arch --op --width --mask --offsets --pattern --formula"},
    {.name = "check",
     .operand = Operand::kernel,
     .flags = "--no-nvrtc --json",
     .values = "--kernel --arch --seed --max-steps --max-seconds --run-seconds"},
    {.name = "counters", .operand = Operand::words, .flags = "--json", .values = ""},
    {.name = "explain", .operand = Operand::words, .flags = "--json", .values = "--gpu --arch"},
    {.name = "figures", .operand = Operand::none, .flags = "--json", .values = ""},
    {.name = "kernels", .operand = Operand::kernel, .flags = "--json", .values = ""},
    {.name = "occupancy",
     .operand = Operand::kernel,
     .flags = "--limits --gpus --no-nvrtc --json",
     .values = "--kernel --arch --registers --threads --shared --gpu --caps --shared-per-thread --shared-formula "
               "--carveout --latency --arithmetic-latency --bandwidth --bytes-per-thread --max-seconds"},
    {.name = "plan",
     .operand = Operand::none,
     .flags = "--free-lanes --free-registers --to-structures --json",
     .values = "--from --to --type --through --rename --structures --name --plan"},
    {.name = "resources", .operand = Operand::kernel, .flags = "--no-nvrtc --json", .values = "--arch"},
    {.name = "review",
     .operand = Operand::kernel,
     .flags = "--no-nvrtc --json",
     .values = "--kernel --arch --seed --max-steps --max-seconds --run-seconds"},
    {.name = "run",
     .operand = Operand::kernel,
     .flags = "--no-nvrtc --json",
     .values = "--kernel --arch --seed --max-steps --max-seconds --run-seconds"},
    {.name = "threads",
     .operand = Operand::kernel,
     .flags = "--json",
     .values = "--kernel --grid --block --block-index --thread --tile"},
};

const AllowedCommand* command_of(const std::vector<std::string>& words) {
  const auto at = words.empty() ? table.end() : std::ranges::find(table, words.front(), &AllowedCommand::name);
  return at == table.end() ? nullptr : &*at;
}

/// How many words an option takes, itself among them; 0: it is not allowed.
std::size_t words_of_option(const AllowedCommand& command, const std::vector<std::string>& words, std::size_t at) {
  const std::string_view word = words[at], name = word.substr(0, word.find('='));
  const bool joined = name.size() < word.size();
  if (one_of(name, words_between(command.flags))) return joined ? 0 : 1;
  if (!one_of(name, words_between(command.values))) return 0;
  return joined ? 1 : 2;
}

/// A value that an option could take for an option of its own.
bool is_dashed(const std::string& value) { return value.size() > 1 && value[0] == '-' && !is_digit(value[1]); }

}  // namespace

const std::vector<AllowedCommand>& allowed_commands() { return table; }

Diagnostics refused_words(const std::vector<std::string>& words) {
  const auto refused = [](std::string message, std::string remedy) {
    return Diagnostics{{.message = std::move(message), .remedy = std::move(remedy)}};
  };
  const AllowedCommand* command = command_of(words);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const AllowedCommand& each : table) names.emplace_back(each.name);
    return refused(words.empty() ? "`compute` is empty" : fmt::format("a lesson cannot compute `{}`", words.front()),
                   fmt::format("one of {}", fmt::join(names, ", ")));
  }
  std::size_t files = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
      return refused("`compute` has a control character", "leave it out");
    if (!word.starts_with('-')) {
      if (command->operand == Operand::none || (command->operand == Operand::kernel && ++files > 1))
        return refused(fmt::format("a lesson cannot pass `{}` to {}", word, command->name), "leave it out");
      if (command->operand == Operand::words && (word.ends_with(".ptx") || word.find('/') != std::string::npos))
        return refused(fmt::format("a lesson cannot pass the file `{}` to {}", word, command->name),
                       "write an instruction or a name");
      continue;
    }
    const std::size_t count = words_of_option(*command, words, i);
    if (count == 0)
      return refused(fmt::format("a lesson cannot pass `{}` to {}", word, command->name),
                     fmt::format("its options here: {} {}", command->flags, command->values));
    if (count == 2 && (i + 1 == words.size() || is_dashed(words[i + 1])))
      return refused(fmt::format("`{}` of {} has no value", word, command->name), "write one after it");
    i += count - 1;
  }
  return {};
}

bool is_file_operand(const std::vector<std::string>& words, std::size_t index) {
  const AllowedCommand* command = command_of(words);
  if (command == nullptr || command->operand != Operand::kernel) return false;
  for (std::size_t i = 1; i < words.size() && i <= index; ++i) {
    if (!words[i].starts_with('-')) {
      if (i == index) return true;
      continue;
    }
    const std::size_t count = words_of_option(*command, words, i);
    if (i + count > index) return false;
    i += count == 0 ? 0 : count - 1;
  }
  return false;
}

}  // namespace lanescope::lessons
