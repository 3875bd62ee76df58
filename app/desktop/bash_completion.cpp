#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

/// One shell word of any contents.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

std::string shell_words(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) all.push_back(shell_word(word));
  return fmt::format("{}", fmt::join(all, " "));
}

bool takes_file(const OptionHelp& o) { return o.value.starts_with("FILE"); }

/// A branch of `case COMMAND:PREVIOUS in` for an option that is followed by something.
std::string after_option(std::string_view command, const OptionHelp& o) {
  std::vector<std::string> patterns;
  for (const std::string& name : o.names) patterns.push_back(fmt::format("{}:{}", command, name));
  const std::string action = !o.choices.empty() ? "_lanescope_words " + shell_words(o.choices)
                             : takes_file(o)    ? "_lanescope_files"
                                                : ":";
  return fmt::format("  {}) {}; return ;;\n", fmt::join(patterns, " | "), action);
}

std::string names_of(const std::vector<OptionHelp>& options) {
  std::vector<std::string> names;
  for (const OptionHelp& o : options) names.insert(names.end(), o.names.begin(), o.names.end());
  return shell_words(names);
}

std::string positional_action(const std::vector<OptionHelp>& options) {
  for (const OptionHelp& o : options) {
    if (!o.names.empty()) continue;
    if (!o.choices.empty()) return "_lanescope_words " + shell_words(o.choices);
    return "_lanescope_kernels";
  }
  return ":";
}

constexpr std::string_view helpers = R"(# Candidates that begin with the current word, quoted where a blank needs it.
_lanescope_words() {
  local word
  for word in "$@"; do
    if [[ $word == "$current"* ]]; then COMPREPLY+=("${word// /\\ }"); fi
  done
}
_lanescope_files() {
  compopt -o filenames 2> /dev/null || true
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
}
# Kernel files, and folders on the way to them.
_lanescope_kernels() {
  compopt -o filenames 2> /dev/null || true
  local file
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(
    compgen -d -- "$current"
    compgen -f -X '!*.cu' -- "$current"
    compgen -f -X '!*.ptx' -- "$current"
  )
}
)";

}  // namespace

std::string bash_completion(const ProgramHelp& program) {
  std::vector<std::string> commands;
  for (const CommandHelp& c : program.commands) commands.push_back(c.name);
  std::string values, options, positionals;
  const auto add = [&](const std::string& command, const std::vector<OptionHelp>& all) {
    for (const OptionHelp& o : all)
      if (!o.names.empty() && !o.value.empty()) values += after_option(command, o);
    const std::string pattern = command.empty() ? "''" : command;
    options += fmt::format("    {}) _lanescope_words {} ;;\n", pattern, names_of(all));
    positionals += fmt::format("  {}) {} ;;\n", pattern, positional_action(all));
  };
  std::vector<OptionHelp> alone = program.options;
  alone.insert(alone.end(), program.window.begin(), program.window.end());
  alone.push_back({.value = "FILE"});
  add("", alone);
  for (const CommandHelp& c : program.commands) add(c.name, c.options);
  return fmt::format(R"(# Completion for bash; written by `{0} completion bash`.
{1}
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=
  COMPREPLY=()
  # --option=value arrives as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if ((COMP_CWORD > 1)); then
    case ${{COMP_WORDS[1]}} in
    {2}) command=${{COMP_WORDS[1]}} ;;
    esac
  fi
  case $command:$previous in
{3}  esac
  if [[ $current == -* ]]; then
    case $command in
{4}    esac
    return
  fi
  case $command in
{5}  esac
  ((COMP_CWORD > 1)) || _lanescope_words {6}
}}
complete -F _{0} {0}
)",
                     program.name, helpers, fmt::join(commands, " | "), values, options, positionals,
                     shell_words(commands));
}

}  // namespace lanescope::desktop
