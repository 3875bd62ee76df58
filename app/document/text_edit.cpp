#include "app/document/document.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::document {
namespace {

constexpr int tab_columns = 4;

bool inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}
std::size_t after(std::string_view text, std::size_t at) {
  if (at < text.size()) ++at;
  while (inside_character(text, at)) ++at;
  return at;
}
std::size_t before(std::string_view text, std::size_t at) {
  if (at > 0) --at;
  while (at > 0 && inside_character(text, at)) --at;
  return at;
}
bool word_letter(char c) { return is_word(c) || (c & 0x80); }

}  // namespace

LineIndex::LineIndex(std::string_view text) : starts_{0} {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

int LineIndex::line_of(std::size_t offset) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin()) - 1;
}

std::string_view LineIndex::line(std::string_view text, int line) const {
  const std::size_t start = starts_[line];
  std::size_t end = line + 1 < count() ? starts_[line + 1] - 1 : text.size();
  if (end > start && text[end - 1] == '\r') --end;
  return text.substr(start, end - start);
}

int display_column(std::string_view line, std::size_t byte) {
  int column = 0;
  for (std::size_t i = 0; i < std::min(byte, line.size()); ++i) {
    if (line[i] == '\t')
      column += tab_columns - column % tab_columns;
    else if (!inside_character(line, i))
      ++column;
  }
  return column;
}

std::size_t byte_at_column(std::string_view line, int column) {
  std::size_t at = 0;
  for (int here = 0; at < line.size(); at = after(line, at)) {
    const int width = line[at] == '\t' ? tab_columns - here % tab_columns : 1;
    if (here + width > column) break;
    here += width;
  }
  return at;
}

void TextEdit::place(std::size_t offset, bool extend) {
  caret = std::min(offset, text.size());
  while (caret > 0 && inside_character(text, caret)) --caret;
  if (!extend) anchor = caret;
  wanted_column = -1;
}

std::size_t TextEdit::target(Motion motion, int lines) {
  const LineIndex index(text);
  const int line = index.line_of(caret);
  const std::string_view words = index.line(text, line);
  const std::size_t start = index.start(line);
  std::size_t at = caret;
  switch (motion) {
    case Motion::left:
      return before(text, caret);
    case Motion::right:
      return after(text, caret);
    case Motion::word_left:
      while (at > 0 && !word_letter(text[at - 1])) --at;
      while (at > 0 && word_letter(text[at - 1])) --at;
      return at;
    case Motion::word_right:
      while (at < text.size() && word_letter(text[at])) ++at;
      while (at < text.size() && !word_letter(text[at])) ++at;
      return at;
    case Motion::line_start: {
      const std::size_t first = std::min(words.find_first_not_of(" \t"), words.size());
      return caret == start + first ? start : start + first;
    }
    case Motion::line_end:
      return start + words.size();
    case Motion::text_start:
      return 0;
    case Motion::text_end:
      return text.size();
    case Motion::up:
    case Motion::down: {
      const int column = wanted_column >= 0 ? wanted_column : display_column(words, caret - start);
      const int other = line + (motion == Motion::up ? -lines : lines);
      if (other < 0 && line == 0) return 0;
      if (other >= index.count() && line == index.count() - 1) return text.size();
      const int goal = std::clamp(other, 0, index.count() - 1);
      wanted_column = column;
      return index.start(goal) + byte_at_column(index.line(text, goal), column);
    }
  }
  return caret;
}

void TextEdit::move(Motion motion, bool extend, int lines) {
  const bool vertical = motion == Motion::up || motion == Motion::down;
  if (!extend && has_selection() && (motion == Motion::left || motion == Motion::right))
    return place(motion == Motion::left ? low() : high(), false);
  const std::size_t to = target(motion, lines);
  const int column = wanted_column;
  place(to, extend);
  if (vertical) wanted_column = column;
}

void TextEdit::select_word() {
  std::size_t from = caret, to = caret;
  while (from > 0 && word_letter(text[from - 1])) --from;
  while (to < text.size() && word_letter(text[to])) ++to;
  anchor = from;
  caret = to;
}

void TextEdit::insert(std::string_view words) {
  const std::size_t at = low();
  text.replace(at, high() - at, words);
  place(at + words.size(), false);
}

void TextEdit::erase(Motion motion) {
  if (!has_selection()) caret = target(motion, 1);
  insert({});
}

void TextEdit::new_line() {
  const LineIndex index(text);
  const std::string_view line = index.line(text, index.line_of(low()));
  const std::size_t column = low() - index.start(index.line_of(low()));
  std::size_t blanks = 0;
  while (blanks < std::min(line.size(), column) && (line[blanks] == ' ' || line[blanks] == '\t')) ++blanks;
  std::string words = "\n" + std::string(line.substr(0, blanks));
  if (column > 0 && column <= line.size() && line[column - 1] == '{') words += "    ";
  insert(words);
}

/// Applies `change(line)` to each selected line and selects them whole.
void TextEdit::change_lines(const auto& change) {
  const LineIndex index(text);
  const int first = index.line_of(low());
  int last = index.line_of(high());
  if (last > first && high() == index.start(last)) --last;
  std::string changed;
  for (int i = first; i <= last; ++i) {
    changed += change(std::string(index.line(text, i)));
    if (i < last) changed += '\n';
  }
  const std::size_t start = index.start(first), end = index.start(last) + index.line(text, last).size();
  const bool keep_selection = has_selection();
  const std::size_t from_end = text.size() - caret;
  text.replace(start, end - start, changed);
  if (keep_selection) {
    anchor = start;
    caret = start + changed.size();
  } else {
    place(text.size() - std::min(from_end, text.size()), false);
  }
}

void TextEdit::indent(bool deeper) {
  if (deeper && !has_selection()) return insert("    ");
  change_lines([deeper](std::string line) {
    if (deeper) return line.empty() ? line : "    " + line;
    std::size_t n = 0;
    while (n < 4 && n < line.size() && line[n] == ' ') ++n;
    if (n == 0 && !line.empty() && line[0] == '\t') n = 1;
    return line.substr(n);
  });
}

void TextEdit::toggle_comment() {
  const LineIndex index(text);
  const std::string_view first = index.line(text, index.line_of(low()));
  const bool commented = first.substr(std::min(first.find_first_not_of(" \t"), first.size())).starts_with("//");
  change_lines([commented](std::string line) {
    const std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos) return line;
    if (!commented) return line.insert(at, "// ");
    if (line.compare(at, 3, "// ") == 0) return line.erase(at, 3);
    if (line.compare(at, 2, "//") == 0) return line.erase(at, 2);
    return line;
  });
}

void TextEdit::replace_text(std::string_view other) {
  if (text == other) return;
  const std::size_t shorter = std::min(text.size(), other.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && text[head] == other[head]) ++head;
  while (tail < shorter - head && text[text.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
  text = other;
  place(text.size() - tail, false);
}

int map_line(std::string_view old_text, std::string_view new_text, int line) {
  if (old_text == new_text) return line;
  const LineIndex a(old_text), b(new_text);
  const int shorter = std::min(a.count(), b.count());
  int head = 0, tail = 0;
  while (head < shorter && a.line(old_text, head) == b.line(new_text, head)) ++head;
  if (line <= head) return line;
  while (tail < shorter - head && a.line(old_text, a.count() - 1 - tail) == b.line(new_text, b.count() - 1 - tail))
    ++tail;
  return line > a.count() - tail ? line + b.count() - a.count() : 0;
}

}  // namespace lanescope::document
