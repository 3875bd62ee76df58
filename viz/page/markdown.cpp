#include "viz/page/markdown.h"

#include <algorithm>
#include <numeric>

#include "kernels/base/text.h"

namespace lanescope::page {
namespace {

/// The begin of a line: an item of a list, a heading, or neither.
struct Beginning {
  Paragraph::Kind kind = Paragraph::Kind::plain;
  std::size_t indent = 0, length = 0;  ///< blanks before, and all up to the words
};

Beginning beginning_of(std::string_view line) {
  Beginning b;
  while (b.indent < line.size() && line[b.indent] == ' ') ++b.indent;
  const std::string_view rest = line.substr(b.indent);
  b.length = b.indent;
  if (rest.starts_with("- ") || rest.starts_with("* ")) return b.kind = Paragraph::Kind::bullet, b.length += 2, b;
  std::size_t marks = 0;
  while (marks < rest.size() && rest[marks] == '#') ++marks;
  if (marks > 0 && marks < 7 && marks < rest.size() && rest[marks] == ' ')
    return b.kind = Paragraph::Kind::heading, b.length += marks + 1, b;
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  if (digits > 0 && digits < 4 && (rest.substr(digits).starts_with(". ") || rest.substr(digits).starts_with(") ")))
    return b.kind = Paragraph::Kind::numbered, b.length += digits + 2, b;
  return b;
}

/// Whether *words* begin here: up to the end of the second mark; 0: they do not.
std::size_t slanted_until(std::string_view rest) {
  if (rest.size() < 3 || rest[0] != '*' || rest[1] == ' ' || rest[1] == '*') return 0;
  const std::size_t end = rest.find('*', 1);
  const bool closed = end != std::string_view::npos && rest[end - 1] != ' ' && rest.substr(end, 2) != "**";
  return closed ? end + 1 : 0;
}

}  // namespace

std::vector<Run> runs_of(std::string_view text) {
  std::vector<Run> runs;
  std::string plain;
  bool bold = false;
  const auto flush = [&] {
    if (!plain.empty()) runs.push_back({.text = std::move(plain), .bold = bold});
    plain.clear();
  };
  for (std::size_t n = 0; n < text.size();) {
    const std::string_view rest = text.substr(n);
    if (rest.starts_with('`')) {
      std::size_t ticks = 0;
      while (ticks < rest.size() && rest[ticks] == '`') ++ticks;
      const std::size_t end = rest.find(rest.substr(0, ticks), ticks);
      if (end != std::string_view::npos) {
        flush();
        runs.push_back({.text = std::string(rest.substr(ticks, end - ticks)), .bold = bold, .code = true});
        n += end + ticks;
        continue;
      }
    }
    if (rest.starts_with("**") && (bold || rest.find("**", 2) != std::string_view::npos)) {
      flush();
      bold = !bold, n += 2;
      continue;
    }
    if (const std::size_t end = slanted_until(rest); end > 0 && (n == 0 || !is_word(text[n - 1]))) {
      flush();
      runs.push_back({.text = std::string(rest.substr(1, end - 2)), .bold = bold, .slanted = true});
      n += end;
      continue;
    }
    plain += text[n++];
  }
  flush();
  return runs;
}

namespace {

class Reader {
 public:
  std::vector<Paragraph> read(std::string_view markdown) {
    const std::vector<std::string_view> lines = split_lines(markdown);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      auto table = fenced_ ? std::nullopt : table_at(std::span(lines).subspan(n));
      if (!table) {
        line(lines[n]);
        continue;
      }
      end();
      n += table->lines - 1;
      out_.push_back({.kind = Paragraph::Kind::table, .table = std::move(table)});
    }
    end();
    if (fenced_) out_.push_back({.kind = Paragraph::Kind::code, .runs = {{.text = code_, .code = true}}});
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    const Beginning b = beginning_of(text);
    if (text.substr(b.indent).starts_with("```")) return fence();
    if (fenced_) return code_ += (code_.empty() ? "" : "\n") + std::string(text), void();
    if (b.indent == text.size()) return end();
    if (b.kind != Paragraph::Kind::plain) {
      end();
      kind_ = b.kind, depth_ = static_cast<int>(b.indent / 2);
    }
    if (!words_.empty()) words_ += ' ';
    words_ += text.substr(b.length);
    if (b.kind == Paragraph::Kind::heading) end();
  }

  void fence() {
    if (fenced_)
      out_.push_back({.kind = Paragraph::Kind::code, .runs = {{.text = code_, .code = true}}});
    else
      end();
    code_.clear();
    fenced_ = !fenced_;
  }

  void end() {
    if (!words_.empty()) out_.push_back({.kind = kind_, .depth = depth_, .runs = runs_of(words_)});
    words_.clear();
    kind_ = Paragraph::Kind::plain, depth_ = 0;
  }

  std::vector<Paragraph> out_;
  std::string words_, code_;
  Paragraph::Kind kind_ = Paragraph::Kind::plain;
  int depth_ = 0;
  bool fenced_ = false;
};

}  // namespace

std::vector<Paragraph> paragraphs_of(std::string_view markdown) { return Reader().read(markdown); }

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
