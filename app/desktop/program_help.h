#pragma once
// Commands and options of the program as values, from the parser of the command line and the window's own table, so
// that the manual page and the completion agree with the parser.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::desktop {

/// An option ("-o", "--output") or, without names, a positional argument ("FILE").
struct OptionHelp {
  std::vector<std::string> names{};
  std::string value{};   ///< its value ("FILE", "INT"), or the name of a positional argument; empty: a flag
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
/// The command that enables it: "source <(lanescope completion bash)".
std::string_view how_to_complete(std::string_view shell);

// Completion scripts. After the name of a command its options; kernel files for positional files.
std::string bash_completion(const ProgramHelp& program);
std::string zsh_completion(const ProgramHelp& program);
std::string fish_completion(const ProgramHelp& program);

}  // namespace lanescope::desktop
