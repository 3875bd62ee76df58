#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

std::string fish_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '\'';
}

/// Words for -a, which fish splits at blanks unless they are quoted once more.
std::string fish_words(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) all.push_back(word.find(' ') == std::string::npos ? word : fish_word(word));
  return fish_word(fmt::format("{}", fmt::join(all, " ")));
}

constexpr std::string_view fish_kernels = "'(__fish_complete_suffix .cu; __fish_complete_suffix .ptx)'";

std::string fish_option(const std::string& program, std::string_view condition, const OptionHelp& o) {
  std::string out = fmt::format("complete -c {} -n {}", program, fish_word(condition));
  for (const std::string& name : o.names)
    out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  if (o.names.empty())  // what stands by itself
    return out + fmt::format(" -f -a {}\n", o.choices.empty() ? std::string(fish_kernels) : fish_words(o.choices));
  if (!o.choices.empty())
    out += " -x -a " + fish_words(o.choices);
  else if (!o.value.empty())
    out += o.value.starts_with("FILE") ? " -r -F" : " -x";
  return out + fmt::format(" -d {}\n", fish_word(o.meaning));
}

}  // namespace

std::string fish_completion(const ProgramHelp& program) {
  const std::string& name = program.name;
  const std::string first = "__fish_use_subcommand";
  std::string out = fmt::format("# Completion for fish; written by `{0} completion fish`.\ncomplete -c {0} -f\n", name);
  for (const CommandHelp& c : program.commands)
    out += fmt::format("complete -c {} -n {} -a {} -d {}\n", name, first, c.name, fish_word(c.meaning));
  for (const auto* all : {&program.options, &program.window})
    for (const OptionHelp& o : *all) out += fish_option(name, first, o);
  out += fish_option(name, first, {.value = "FILE"});
  for (const CommandHelp& c : program.commands)
    for (const OptionHelp& o : c.options) out += fish_option(name, "__fish_seen_subcommand_from " + c.name, o);
  return out;
}

}  // namespace lanescope::desktop
