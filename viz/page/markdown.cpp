#include "viz/page/markdown.h"

#include "kernels/base/text.h"

namespace lanescope::page {
namespace {

/// What begins a line: an item of a list, a heading, or neither.
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

}  // namespace lanescope::page
