#include "kernels/base/source_lines.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope {
namespace {

constexpr int apart = 1'000'000;

/// A number at `at`; `end` is `at` where there is none.
struct Number {
  int value = 0;
  std::size_t end = 0;
};
Number number_of(std::string_view text, std::size_t at) {
  Number out{.value = 0, .end = at};
  const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), out.value);
  if (problem == std::errc()) out.end = static_cast<std::size_t>(end - text.data());
  return out;
}

}  // namespace

SourceLines::Place SourceLines::place(int unit_line) const {
  for (std::size_t k = files.size(); k-- > 1;)
    if (unit_line >= files[k].first_line) return {k, unit_line - files[k].first_line + 1};
  return {0, unit_line};
}

int SourceLines::unit_line(std::string_view path, int line) const {
  if (line <= 0) return line;
  for (std::size_t k = 1; k < files.size(); ++k)
    if (files[k].path == path) return files[k].first_line + line - 1;
  return line;
}

std::string_view SourceLines::header_name(int unit_line) const {
  const Place at = place(unit_line);
  return at.file > 0 ? std::string_view(files[at.file].name) : std::string_view();
}

std::string SourceLines::number(int unit_line) const {
  const Place at = place(unit_line);
  return at.file > 0 ? fmt::format("{}:{}", files[at.file].name, at.line) : std::to_string(unit_line);
}

std::string SourceLines::words(int unit_line) const {
  return in_header(unit_line) ? number(unit_line) : fmt::format("line {}", unit_line);
}

std::string SourceLines::range(int first, int last) const {
  const Place a = place(first), b = place(last);
  if (a.file != b.file) return fmt::format("{} to {}", words(first), words(last));
  if (a.file == 0) return fmt::format("lines {} to {}", first, last);
  return fmt::format("{}:{} to {}", files[a.file].name, a.line, b.line);
}

std::string SourceLines::sentence(std::string_view text) const {
  if (files.size() < 2) return std::string(text);
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find("line"); at != std::string_view::npos; at = text.find("line", at + 1)) {
    if (at < copied || (at > 0 && is_word(text[at - 1]))) continue;
    std::size_t from = at + 4;
    const bool many = from < text.size() && text[from] == 's';
    if (many) ++from;
    if (from >= text.size() || text[from] != ' ') continue;
    const Number first = number_of(text, from + 1);
    if (first.end == from + 1) continue;
    if (in_header(first.value)) {
      out += text.substr(copied, at - copied);
      out += number(first.value);
      copied = first.end;
    }
    // "lines 3, 4 and 1000012"
    Number before = first;
    for (Number next; before.end < text.size(); before = next) {
      std::size_t begin = before.end;
      for (const std::string_view join : {" to ", " and ", "-", ", "})
        if ((many || join != ", ") && text.substr(before.end).starts_with(join)) begin = before.end + join.size();
      next = number_of(text, begin);
      if (begin == before.end || next.end == begin) break;
      if (!in_header(next.value)) continue;
      out += text.substr(copied, begin - copied);
      out += place(next.value).file == place(before.value).file ? std::to_string(place(next.value).line)
                                                                : number(next.value);
      copied = next.end;
    }
  }
  out += text.substr(copied);
  return out;
}

void SourceLines::add(std::string name, std::string path, int line_count) {
  int first = 1;
  if (!files.empty()) {
    const int end = files.back().first_line + files.back().line_count;
    first = (end / apart + 1) * apart + 1;
  }
  files.push_back({.name = std::move(name), .path = std::move(path), .first_line = first, .line_count = line_count});
}

void put_into_files(Diagnostics& diagnostics, const SourceLines& lines) {
  if (lines.files.size() < 2) return;
  for (Diagnostic& d : diagnostics) {
    d.message = lines.sentence(d.message);
    d.remedy = lines.sentence(d.remedy);
    const SourceLines::Place at = lines.place(d.line);
    if (at.file == 0 || (!d.file.empty() && d.file != lines.files.front().path)) continue;
    d.file = lines.files[at.file].path;
    d.line = at.line;
  }
}

}  // namespace lanescope
