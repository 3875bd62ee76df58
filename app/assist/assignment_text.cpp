#include "app/assist/fixes.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::assist {
namespace {

/// Without what stands after `//`.
std::string_view code_of(std::string_view line) { return trimmed(line.substr(0, line.find("//"))); }

std::string joined(const std::vector<std::string>& lines, bool last_break) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    if (i + 1 < lines.size() || last_break) out += '\n';
  }
  return out;
}

}  // namespace

std::string with_true_rows(std::string_view text, const source::Claim& claim, const layout::Assignment& actual) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::vector<std::string> out;
  const auto is_row = [&](int number) { return std::ranges::find(claim.row_lines, number) != claim.row_lines.end(); };
  bool arrows = false;
  for (const int row : claim.row_lines)
    if (row >= 1 && row <= static_cast<int>(lines.size()))
      arrows = arrows || lines[static_cast<std::size_t>(row - 1)].find("<->") != std::string_view::npos;
  const std::string rows = layout::print(actual, arrows);
  bool written = false;
  for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
    const std::string_view line = lines[static_cast<std::size_t>(number - 1)];
    if (!is_row(number)) {
      out.emplace_back(line);
      continue;
    }
    const std::string before(line.substr(0, std::min(line.find_first_not_of(" \t/*"), line.size())));
    if (!written)
      for (const std::string_view row : split_lines(rows))
        if (!is_blank(row)) out.push_back(before + std::string(row));
    written = true;
    if (line.find("*/") != std::string_view::npos) out.back() += " */";
    if (line.ends_with('\r')) out.back() += '\r';
  }
  return joined(out, text.ends_with('\n'));
}

int end_of_statement(std::string_view text, int line) {
  const std::vector<std::string_view> lines = split_lines(text);
  const int count = static_cast<int>(lines.size());
  if (line < 1 || line > count) return line;
  for (int end = line; end <= std::min(count, line + 20); ++end) {
    const std::string_view code = code_of(lines[static_cast<std::size_t>(end - 1)]);
    if (code.ends_with(';') || code.ends_with('{') || code.ends_with('}')) return end;
  }
  return line;
}

std::string with_comment(std::string_view text, int line, const std::string& name, const layout::Assignment& actual) {
  const std::vector<std::string_view> lines = split_lines(text);
  if (line < 1 || line > static_cast<int>(lines.size())) return std::string(text);
  const std::string_view first = lines[static_cast<std::size_t>(line - 1)];
  const std::string before = std::string(first.substr(0, first.size() - without_indent(first).size())) + "// ";
  const std::string carriage = first.ends_with('\r') ? "\r" : "";
  const int end = end_of_statement(text, line);
  const std::string rows = layout::print(actual);
  std::vector<std::string> out;
  for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
    out.emplace_back(lines[static_cast<std::size_t>(number - 1)]);
    if (number != end) continue;
    out.push_back(carriage);
    out.push_back(before + name + " has the following register assignment:" + carriage);
    for (const std::string_view row : split_lines(rows))
      if (!is_blank(row)) out.push_back(before + "  " + std::string(row) + carriage);
    const bool code_follows = number < static_cast<int>(lines.size()) &&
                              !is_blank(lines[static_cast<std::size_t>(number)]) &&
                              !without_indent(lines[static_cast<std::size_t>(number)]).starts_with('}');
    if (code_follows) out.push_back(carriage);
  }
  return joined(out, text.ends_with('\n'));
}

}  // namespace lanescope::assist
