#include <algorithm>

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

}  // namespace lanescope::desktop
