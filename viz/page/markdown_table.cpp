#include <algorithm>
#include <numeric>

#include "kernels/base/text.h"
#include "viz/page/markdown.h"

namespace lanescope::page {
namespace {

/// The cells of "| a | b |"; empty: no row of a table.
std::vector<std::string> cells_of(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2 || line.front() != '|') return {};
  std::vector<std::string> cells;
  std::string cell;
  bool code = false;
  for (std::size_t n = 1; n < line.size(); ++n) {
    const char c = line[n];
    if (c == '\\' && n + 1 < line.size() && line[n + 1] == '|') {
      cell += '|', ++n;
      continue;
    }
    // A mark without its partner is text.
    if (c == '`' && (code || line.find('`', n + 1) != std::string_view::npos)) code = !code;
    if (c != '|' || code) {
      cell += c;
      continue;
    }
    cells.emplace_back(trimmed(cell));
    cell.clear();
  }
  if (!is_blank(cell)) cells.emplace_back(trimmed(cell));
  return cells;
}

/// "---", ":--", "--:" and ":-:"
bool is_rule(std::string_view cell) {
  if (cell.starts_with(':')) cell.remove_prefix(1);
  if (cell.ends_with(':')) cell.remove_suffix(1);
  return !cell.empty() && cell.find_first_not_of('-') == std::string_view::npos;
}

/// Characters, not bytes.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::optional<MarkdownTable> table_at(std::span<const std::string_view> lines) {
  if (lines.size() < 2) return std::nullopt;
  std::vector<std::string> heading = cells_of(lines[0]);
  const std::vector<std::string> rule = cells_of(lines[1]);
  if (heading.empty() || rule.size() != heading.size() || !std::ranges::all_of(rule, is_rule)) return std::nullopt;
  MarkdownTable table;
  for (const std::string& cell : rule) table.right.push_back(cell.ends_with(':') && !cell.starts_with(':'));
  table.rows.push_back(std::move(heading));
  for (table.lines = 2; table.lines < lines.size(); ++table.lines) {
    std::vector<std::string> cells = cells_of(lines[table.lines]);
    if (cells.empty()) break;
    cells.resize(table.columns());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<float> column_widths(std::vector<float> natural, float room) {
  std::vector<std::size_t> order(natural.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return natural[n]; });
  std::size_t left = order.size();
  for (const std::size_t n : order) {
    natural[n] = std::max(std::min(natural[n], room / static_cast<float>(left)), 0.0f);
    room -= natural[n];
    --left;
  }
  return natural;
}

std::string with_aligned_tables(std::string_view markdown) {
  const std::vector<std::string_view> lines = split_lines(markdown);
  std::string out;
  bool fenced = false;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    fenced ^= trimmed(lines[n]).starts_with("```");
    const auto table = fenced ? std::nullopt : table_at(std::span(lines).subspan(n));
    if (!out.empty()) out += '\n';
    if (!table) {
      out += lines[n];
      continue;
    }
    std::vector<std::size_t> widths(table->columns(), 3);
    for (const auto& row : table->rows)
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], length_of(row[c]));
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
      std::string line = "|", rule = "|";
      for (std::size_t c = 0; c < widths.size(); ++c) {
        const std::string& cell = table->rows[r][c];
        const std::string pad(widths[c] - length_of(cell), ' ');
        line += " " + (table->right[c] ? pad + cell : cell + pad) + " |";
        rule += std::string(widths[c] + (table->right[c] ? 1 : 2), '-') + (table->right[c] ? ":|" : "|");
      }
      out += (r > 0 ? "\n" : "") + line;
      if (r == 0) out += "\n" + rule;
    }
    n += table->lines - 1;
  }
  return out;
}

}  // namespace lanescope::page
