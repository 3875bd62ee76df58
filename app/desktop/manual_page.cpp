#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desktop/program_help.h"

namespace lanescope::desktop {
namespace {

/// Text as roff: no escapes of its own, no line that would be read as a request, minus signs that can be copied.
std::string plain(std::string_view text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_starts = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", plain(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", plain(text)); }

/// The help's own words, ended by a full stop.
std::string ended(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return ended(std::move(text));
}

std::string option(const OptionHelp& o) {
  std::string out = ".TP\n";
  if (o.names.empty()) {
    out += italic(o.value);
  } else {
    std::vector<std::string> names;
    for (const std::string& name : o.names) names.push_back(bold(name));
    out += fmt::format("{}", fmt::join(names, ", "));
    if (!o.value.empty()) out += ' ' + italic(o.value);
  }
  out += '\n' + plain(ended(o.meaning));
  if (o.required) out += "\nRequired.";
  if (!o.limits.empty()) out += '\n' + plain(o.limits + '.');
  if (!o.default_value.empty()) out += '\n' + plain(fmt::format("Default: {}.", o.default_value));
  return out + '\n';
}

std::string options(const std::vector<OptionHelp>& all) {
  std::string out;
  for (const OptionHelp& o : all) out += option(o);
  return out;
}

std::string synopsis(const ProgramHelp& program, const CommandHelp& command) {
  std::string out = bold(program.name) + ' ' + bold(command.name);
  for (const OptionHelp& o : command.options)
    if (o.names.empty()) out += o.required ? ' ' + italic(o.value) : fmt::format(" [{}]", italic(o.value));
  for (const OptionHelp& o : command.options)
    if (o.required && !o.names.empty())
      out += fmt::format(" {}{}", bold(o.names.back()), o.value.empty() ? "" : ' ' + italic(o.value));
  return out + fmt::format(" [{}...]", italic("OPTION"));
}

constexpr std::string_view after_commands = R"(.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
The kernel is wrong.
.TP
.B 2
Invalid input or usage.
.TP
.B 3
Not possible on this machine, or output that could not be written.
.SH ENVIRONMENT
.TP
.B LANESCOPE_ASSETS
Folder of the catalogue and the table of GPUs.
Default: ../share/lanescope beside the folder of the program.
.TP
.BR CUDA_HOME ", " CUDA_PATH
Where the CUDA Toolkit is installed. NVRTC and CUPTI are looked for there, too.
.TP
.B LANESCOPE_NVRTC
The NVRTC library to open, before every other place.
.TP
.B XDG_CACHE_HOME
Where the cache is.
Default: ~/.cache.
.TP
.B XDG_STATE_HOME
Where the session of the window is.
Default: ~/.local/state.
.TP
.BR DISPLAY ", " WAYLAND_DISPLAY
Where the window opens. Commands need neither.
.SH FILES
.TP
.I /usr/share/lanescope/kernels
The catalogue: kernels, each with its stored PTX, so that it runs without NVRTC.
.TP
.I /usr/share/doc/lanescope
How to write a kernel file, the counters, the rules of a review, JSON field by field, scripts, the keys of the window.
.TP
.I ~/.cache/lanescope
Precompiled headers while a program runs that compiles; nothing else.
It may be removed at any time.
.TP
.I ~/.local/state/lanescope/session.json
The window as it was closed: the file, the theme, the panels.
)";

}  // namespace

std::string manual_page(const ProgramHelp& program) {
  std::string upper = program.name;
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::string out = fmt::format(".\\\" Written by `{0} man`.\n.TH {1} 1 \"\" \"{0} {2}\" \"User Commands\"\n",
                                program.name, upper, program.version);
  out += fmt::format(".SH NAME\n{} \\- explorer of data layouts and costs in CUDA kernels\n", plain(program.name));
  out += fmt::format(".SH SYNOPSIS\n{} [{}...] [{}]\n", bold(program.name), italic("OPTION"), italic("FILE.cu"));
  for (const CommandHelp& c : program.commands) out += ".br\n" + synopsis(program, c) + '\n';
  out += ".SH DESCRIPTION\n" + plain(program.meaning) + '\n';
  out += ".SH OPTIONS\n" + options(program.options);
  if (!program.window.empty()) {
    out += ".SS The window\n";
    out += fmt::format("Without a command {} opens a window on a kernel file.\n", bold(program.name));
    out += options(program.window);
  }
  out += ".SH COMMANDS\n";
  for (const CommandHelp& c : program.commands)
    out += fmt::format(".SS {}\n{}\n", plain(c.name), plain(sentence(c.meaning))) + options(c.options);
  return out + std::string(after_commands);
}

}  // namespace lanescope::desktop
