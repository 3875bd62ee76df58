#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

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

/// What offers the words of a value: ":what it is called:how they are found".
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

}  // namespace

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

}  // namespace lanescope::desktop
