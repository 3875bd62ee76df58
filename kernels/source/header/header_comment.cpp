#include "kernels/source/header/launch_header.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/nearest.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {

constexpr std::string_view first_line = "[lanescope]", table_name = "lanescope";
constexpr std::array<std::string_view, 10> value_names = {"kernel", "grid", "block", "cluster", "shared",
                                                          "stream", "args", "arch",  "options", "heap"};

bool begins(const CommentLine& line) { return line.text.starts_with(first_line); }

/// Whether lines `a` and `b` belong to one comment: a block comment, or `//` lines without an empty line between them.
bool together(const Lexed& lexed, const CommentLine& a, const CommentLine& b) {
  const auto block = [&](const CommentLine& l) { return lexed.comments[static_cast<std::size_t>(l.comment)].block; };
  return a.comment == b.comment || (!block(a) && !block(b) && b.line == a.line + 1);
}

HeaderComment header_of(std::span<const CommentLine> lines) {
  HeaderComment out;
  out.where = {lines.front().line, lines.back().line};
  out.toml = std::string(static_cast<std::size_t>(lines.front().line - 1), '\n');
  bool inside = false;
  for (const CommentLine& l : lines) {
    inside = inside || begins(l);
    if (inside) {
      out.toml += std::string(static_cast<std::size_t>(l.column - 1), ' ');
      out.toml += l.text;
    } else if (!l.text.empty()) {
      if (!out.title.empty()) out.title += ' ';
      out.title += l.text;
    }
    out.toml += '\n';
  }
  return out;
}

/// The kind of a line if it were in a launch header.
enum class Kind { prose, name, table, value };

/// `key = value` with a value as TOML writes it: nothing that a sentence or C++ says by chance.
bool is_value(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
  if (value.empty() || key.empty() || key.find_first_of(" \t(") != std::string_view::npos) return false;
  const char first = value.front(), last = value.back();
  const bool closed = (first == '[' && last == ']') || (first == '{' && last == '}') ||
                      (first == '"' && last == '"' && value.size() > 1);
  return closed || value.find_first_not_of("0123456789") == std::string_view::npos;
}

Kind kind_of(std::string_view text) {
  if (text.starts_with("lanescope:")) return Kind::prose;  // speaks to the review
  if (is_value(text)) return Kind::value;
  text = trimmed(text.substr(0, text.find('#')));
  if (text.empty()) return Kind::prose;
  constexpr std::string_view open = "[{(< \t", close = "]})> \t:";
  const bool bracketed =
      open.find(text.front()) != std::string_view::npos && close.find(text.back()) != std::string_view::npos;
  const std::size_t from = text.find_first_not_of(open), to = text.find_last_not_of(close);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) return Kind::prose;
  const std::string_view word = text.substr(from, to + 1 - from), first = word.substr(0, word.find('.'));
  if (lower(word) == table_name) return Kind::name;
  if (!bracketed || text.front() != '[' || !std::ranges::all_of(word, [](char c) { return is_word(c) || c == '.'; }))
    return Kind::prose;
  if (spelling_distance(word, table_name) <= 2) return Kind::name;
  for (const std::string_view table : {"launch", "launches", "buffers", "buffer"})
    if (lower(first) == table) return Kind::table;
  return lower(first) == table_name ? Kind::table : Kind::prose;
}

bool is_launch_value(std::string_view text) {
  return is_value(text) && one_of(trimmed(text.substr(0, text.find('='))), value_names);
}

class CommentSearch {
 public:
  explicit CommentSearch(const Lexed& lexed) : lexed_(lexed), all_(comment_lines(lexed)) {}

  HeaderSearch run() {
    std::vector<std::span<const CommentLine>> others;
    for (std::size_t i = 0, end = 0; i < all_.size(); i = end) {
      for (end = i + 1; end < all_.size() && together(lexed_, all_[end - 1], all_[end]);) ++end;
      const std::span lines(all_.data() + i, end - i);
      if (!out_.header && before_code(lines) && std::ranges::any_of(lines, begins)) {
        out_.header = header_of(lines);
        check_title(lines);
      } else {
        others.push_back(lines);
      }
    }
    for (const auto& lines : others) check_other(lines);
    return std::move(out_);
  }

 private:
  bool before_code(std::span<const CommentLine> lines) const { return lexed_.last_before(lines.front().offset) < 0; }

  void say(const CommentLine& line, Severity severity, std::string message, std::string remedy) {
    out_.mistakes.push_back({.file = {},
                             .line = line.line,
                             .column = line.column,
                             .message = std::move(message),
                             .remedy = std::move(remedy),
                             .severity = severity,
                             .code = DiagnosticCode::launch_header});
  }

  /// The lines above `[lanescope]` are the title; values do not belong there.
  void check_title(std::span<const CommentLine> lines) {
    for (const CommentLine& l : lines) {
      if (begins(l)) return;
      if (kind_of(l.text) == Kind::table || is_launch_value(l.text))
        return say(l, Severity::error,
                   fmt::format("`{}` is above the line [lanescope], where the header's title is", l.text),
                   "move it below [lanescope]");
    }
  }

  void check_other(std::span<const CommentLine> lines) {
    const CommentLine* near = nullptr;
    bool values = false;
    for (const CommentLine& l : lines) {
      const Kind kind = begins(l) ? Kind::name : kind_of(l.text);
      if (!near && (kind == Kind::name || kind == Kind::table)) near = &l;
      values = values || kind == Kind::value;
    }
    const bool is_before = before_code(lines);
    if (near == nullptr) {
      if (out_.header || !is_before) return;
      const auto value = std::ranges::find_if(lines, [](const CommentLine& l) { return is_launch_value(l.text); });
      if (value != lines.end())
        say(*value, Severity::warning, fmt::format("`{}` is not read: this comment is no launch header", value->text),
            "write a line [lanescope] above it");
      return;
    }
    if (!is_before && !values) return;  // words inside of code
    const Severity severity = values && !out_.header ? Severity::error : Severity::warning;
    if (out_.header)
      return say(
          *near, Severity::warning,
          fmt::format("this comment is not read: the launch header begins at line {}", out_.header->where.first_line),
          "a file has one launch header; move the values there");
    if (!is_before)
      return say(*near, severity, "this launch header is not read: there is code above it",
                 "move it to the beginning of the file");
    const bool is_name = kind_of(near->text) == Kind::name;
    say(*near, severity, fmt::format("this comment is no launch header: `{}` is not [lanescope]", near->text),
        is_name ? "write [lanescope] in its place, in brackets and on a line of its own"
                : fmt::format("write a line [lanescope] above it; kernel, grid and block of a single launch are below "
                              "that line{}",
                              near->text.starts_with("[launch]") ? ", and [[launch]] is for several" : ""));
  }

  const Lexed& lexed_;
  std::vector<CommentLine> all_;
  HeaderSearch out_;
};

}  // namespace

HeaderSearch find_header(const Lexed& lexed) { return CommentSearch(lexed).run(); }

}  // namespace lanescope::source
