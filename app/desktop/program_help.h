#pragma once
// What the program can be determined, as values: read off the parser of the command line and the window's own table, so that the
// manual page and the completion cannot differ from what is accepted.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::desktop {

/// An option ("-o", "--output") or, without names, what stands by itself ("FILE").
struct OptionHelp {
  std::vector<std::string> names{};
  std::string value{};   ///< what follows it ("FILE", "INT"), or what a positional is called; empty: a flag
  std::string limits{};  ///< "INT in [1 - 100]"; empty: none are stated
  std::string meaning{};
  std::string default_value{};         ///< empty: none is stated
  std::vector<std::string> choices{};  ///< accepted words, where they are few
  bool required = false;
};

struct CommandHelp {
  std::string name{}, meaning{};
  std::vector<OptionHelp> options{};
};

struct ProgramHelp {
  std::string name{}, version{}, meaning{};
  std::vector<OptionHelp> options{};  ///< of the program itself: --help, --version
  std::vector<OptionHelp> window{};   ///< without a command
  std::vector<CommandHelp> commands{};
};

/// A page of section 1 for man(1), as roff.
std::string manual_page(const ProgramHelp& program);

/// Shells that have a completion: "bash", "zsh", "fish".
const std::vector<std::string>& shells();
/// A script for one of them: commands, options, the words that an option accepts, and files.
std::string completion(std::string_view shell, const ProgramHelp& program);
/// What is typed to use it: "source <(lanescope completion bash)".
std::string_view how_to_complete(std::string_view shell);

// Each of them. After the name of a command its options; kernel files where a file stands by itself.
std::string bash_completion(const ProgramHelp& program);
std::string zsh_completion(const ProgramHelp& program);
std::string fish_completion(const ProgramHelp& program);

}  // namespace lanescope::desktop
