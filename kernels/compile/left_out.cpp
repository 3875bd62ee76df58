#include "kernels/compile/left_out.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {
namespace {

constexpr int most_rounds = 40;  ///< compiles for one text

/// "a.h" of `cannot open source file "a.h" (no directories in search list)`.
std::string missing_header_in(const std::string& message) {
  const std::size_t words = message.find("open source file");
  const std::size_t open = words == std::string::npos ? words : message.find('"', words);
  const std::size_t close = open == std::string::npos ? open : message.find('"', open + 1);
  return close == std::string::npos ? std::string() : message.substr(open + 1, close - open - 1);
}

int line_number_in(std::string_view text) {
  int out = 0;
  for (std::size_t i = 0; i < text.size() && i < 9 && is_digit(text[i]); ++i) out = 10 * out + (text[i] - '0');
  return out;
}

}  // namespace

LeftOut::LeftOut(const source::Source& source) : source_(source), why_(source.parts.size()) {
  std::vector<std::string> kernels;
  for (const source::LaunchSpec& l : source.header.launches) kernels.push_back(l.kernel);
  needed_ = source::needed_parts(source.parts, kernels);
}

bool LeftOut::less(const Diagnostics& errors, std::string& text, std::set<std::string>& headers) {
  if (++rounds_ > most_rounds) return false;
  for (const Diagnostic& d : errors)
    if (d.severity == Severity::error && leave_header(d, headers)) return true;
  return leave_parts(errors, text);
}

bool LeftOut::leave_header(const Diagnostic& error, std::set<std::string>& headers) {
  const std::string name = missing_header_in(error.message);
  if (name.empty() || !headers.insert(name).second) return false;
  missing_.push_back(error);
  return true;
}

bool LeftOut::leave_parts(const Diagnostics& errors, std::string& text) {
  bool changed = false;
  std::vector<std::pair<int, int>> lines;
  for (const Diagnostic& d : errors) {
    if (d.severity != Severity::error || d.line <= 0 || d.file != source_.file) continue;
    for (std::size_t i = 0; i < source_.parts.size(); ++i) {
      const source::Part& p = source_.parts[i];
      if (d.line < p.first_line || d.line > p.last_line || needed_[i] || !why_[i].empty()) continue;
      why_[i] = d.message;
      lines.emplace_back(p.first_line, p.last_line);
      changed = true;
    }
  }
  if (changed) text = without_lines(text, lines);
  return changed;
}

const Diagnostics& LeftOut::missing() const { return missing_; }

Diagnostics LeftOut::notes() const {
  Diagnostics out;
  for (const Diagnostic& d : missing_)
    out.push_back({.file = d.file,
                   .line = d.line,
                   .column = d.column,
                   .message = fmt::format("header \"{}\" was not found; the kernel was compiled without it",
                                          missing_header_in(d.message)),
                   .remedy = "give its folder with -I if it matters",
                   .severity = Severity::warning});
  for (std::size_t i = 0; i < why_.size(); ++i) {
    if (why_[i].empty()) continue;
    const source::Part& p = source_.parts[i];
    out.push_back(
        {.file = source_.file,
         .line = p.first_line,
         .message = fmt::format("{} was left out, which no launch needs: {}",
                                p.name.empty() ? std::string("this declaration") : "`" + p.name + "`", why_[i]),
         .remedy = {},
         .severity = Severity::warning});
  }
  return out;
}

std::string without_lines(std::string_view text, const std::vector<std::pair<int, int>>& lines) {
  const auto is_out = [&](int line) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const auto& range) { return line >= range.first && line <= range.second; });
  };
  const std::string own = fmt::format(" \"{}\"", source::way_back_file),
                    probe = fmt::format(" \"{}\"", source::probe_file);
  std::string out;
  out.reserve(text.size());
  int number = 1;
  bool users = true, probes = false, out_before = false, macro = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    if (line.starts_with("#line ") && (line.ends_with(own) || line.find(" \"lanescope-") != std::string_view::npos)) {
      users = line.ends_with(own);
      probes = line.ends_with(probe);
      if (users) number = line_number_in(line.substr(6));
      out += line;
    } else {
      const std::string_view words = without_indent(line);
      const bool gone = users ? is_out(number) : probes && out_before;
      if (users && !macro && words.starts_with('#')) {
        const std::string_view word = without_indent(words.substr(1));
        macro = word.starts_with("define") || word.starts_with("undef") || word.starts_with("include");
      }
      if (gone && !macro)
        for (const char c : line) out += c == '\r' ? c : ' ';
      else
        out += line;
      if (users) {
        macro = macro && trimmed(line).ends_with('\\');
        out_before = gone;
        ++number;
      }
    }
    if (end < text.size()) out += '\n';
    start = end + 1;
  }
  return out;
}

}  // namespace lanescope::compile
