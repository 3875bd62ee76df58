#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const ProgramHelp&);
  std::string_view use;
};
constexpr Shell known[] = {{"bash", bash_completion, "source <(lanescope completion bash)"},
                           {"zsh", zsh_completion, "source <(lanescope completion zsh), after compinit"},
                           {"fish", fish_completion, "lanescope completion fish | source"}};

const Shell& shell_named(std::string_view name) {
  const auto* const found = std::ranges::find(known, name, &Shell::name);
  return found == std::end(known) ? known[0] : *found;
}

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

/// `text` quoted as one word of zsh.
std::string zsh_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c == '\n' ? ' ' : c);
  return out + '\'';
}

/// Inside of a specification of _arguments, where brackets, colons and backslashes end its parts.
std::string part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

/// The action that offers the words of a value: ":what it is called:how they are found".
std::string values(const OptionHelp& o) {
  if (!o.choices.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : o.choices) {
      std::string quoted;
      for (const char c : part(word)) quoted += c == ' ' ? std::string("\\ ") : std::string(1, c);
      words.push_back(std::move(quoted));
    }
    return fmt::format(":{}:({})", part(o.value), fmt::join(words, " "));
  }
  if (o.names.empty()) return fmt::format(":{}:_files -g \"*.(cu|ptx)(-.)\"", part(o.value));
  return fmt::format(":{}:{}", part(o.value), o.value.starts_with("FILE") ? "_files" : " ");
}

/// Each name by itself: any of them may be given again.
std::vector<std::string> specifications(const OptionHelp& o) {
  if (o.names.empty()) return {"*" + values(o)};
  std::vector<std::string> all;
  for (const std::string& name : o.names)
    all.push_back(fmt::format("*{}{}[{}]{}", name, o.value.empty() || !name.starts_with("--") ? "" : "=",
                              part(o.meaning), o.value.empty() ? "" : values(o)));
  return all;
}

std::string arguments(const std::vector<OptionHelp>& options, std::string_view indent) {
  std::string out = "_arguments -S";
  bool stands_alone = false;  // what stands by itself is offered at every place, so there can be one kind of it
  for (const OptionHelp& o : options) {
    if (o.names.empty() && std::exchange(stands_alone, true)) continue;
    for (const std::string& s : specifications(o)) out += fmt::format(" \\\n{}  {}", indent, zsh_word(s));
  }
  return out + "\n";
}

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

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Shell& s : known) all.emplace_back(s.name);
    return all;
  }();
  return names;
}

std::string completion(std::string_view shell, const ProgramHelp& program) {
  return shell_named(shell).script(program);
}

std::string_view how_to_complete(std::string_view shell) { return shell_named(shell).use; }

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

std::string zsh_completion(const ProgramHelp& program) {
  std::string commands, cases;
  for (const CommandHelp& c : program.commands) {
    commands += fmt::format("    {}\n", zsh_word(fmt::format("{}:{}", c.name, c.meaning)));
    cases += fmt::format("  {})\n    {}    ;;\n", c.name, arguments(c.options, "    "));
  }
  std::vector<OptionHelp> alone = program.options;
  alone.insert(alone.end(), program.window.begin(), program.window.end());
  alone.push_back({.value = "FILE"});
  return fmt::format(R"zsh(#compdef {0}
# Completion for zsh; written by `{0} completion zsh`.
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files -g "*.(cu|ptx)(-.)"
    return
  fi
  local command=$words[2]
  if (( $commands[(I)$command:*] )); then
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{2}  *)
    {3}    ;;
  esac
}}
if [[ $funcstack[1] == _{0} ]]; then
  _{0} "$@"
else
  compdef _{0} {0}
fi
)zsh",
                     program.name, commands, cases, arguments(alone, "    "));
}

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
