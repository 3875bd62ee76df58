#include "kernels/compile/compile_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

// The files that NVRTC names where there are none (seen with 11.2 and 13.0).
constexpr std::string_view options_file = "nvrtc", names_file = "__nv_name_map";

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c)) out += c;
  return out;
}

/// The option that the words are about: the longest one whose name they have; else the first.
source::TextPlace option_in(const std::string& words, const source::CompileSpec& compile) {
  source::TextPlace best;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < std::min(compile.options.size(), compile.option_places.size()); ++i) {
    const std::string& option = compile.options[i];
    const std::string_view name = std::string_view(option).substr(0, option.find('='));
    const bool named = name.size() > longest && words.find(name) != std::string::npos;
    if (best.line > 0 && !named) continue;
    best = compile.option_places[i];
    if (named) longest = name.size();
  }
  return best;
}

/// The launch whose kernel one of these words names; nullptr where none does.
const source::LaunchSpec* launch_in(const Diagnostics& words, const source::Header& header) {
  for (const Diagnostic& d : words)
    for (const source::LaunchSpec& launch : header.launches)
      if (d.file == names_file && without_blanks(d.message).find(without_blanks(launch.kernel)) != std::string::npos)
        return &launch;
  return nullptr;
}

}  // namespace

Diagnostics placed_in_header(Diagnostics from, const source::Source& source) {
  const source::LaunchSpec* named = launch_in(from, source.header);
  bool name_said = false;
  Diagnostics out;
  for (Diagnostic& d : from) {
    if (d.file == options_file || d.message.starts_with("option ")) {
      const source::TextPlace at = option_in(d.message, source.header.compile);
      d.file = source.file;
      d.line = at.line, d.column = at.column;
      if (d.remedy.empty() && d.severity == Severity::error) d.remedy = "options are those of nvcc";
    } else if (d.file == names_file) {
      if (name_said && d.severity == Severity::error) continue;
      name_said = name_said || d.severity == Severity::error;
      const source::TextPlace at = named ? named->place_or_line(named->places.kernel) : source::TextPlace{};
      d.file = source.file;
      d.line = at.line, d.column = at.column;
      d.message =
          fmt::format("`{}` is not a kernel or an instance of one: {}", named ? named->kernel : "kernel", d.message);
      d.remedy = "write its name, or an instance such as kernel = \"copy<float4>\"";
    }
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace lanescope::compile
