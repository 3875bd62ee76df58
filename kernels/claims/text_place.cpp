#include "kernels/claims/text_place.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::claims {
namespace {

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const bool left = at == 0 || !is_word(text[at - 1]);
    const bool right = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (left && right) return true;
  }
  return false;
}

std::string_view comment_text(std::string_view line) {
  line = without_indent(line);
  return line.starts_with("//") ? line.substr(2) : std::string_view();
}

/// A comment right above it would seem to be about it.
bool starts_code(std::string_view line) {
  line = without_indent(line);
  return !line.empty() && line.front() != '}';
}

std::string indentation_of(std::string_view line) {
  return std::string(line.substr(0, line.size() - without_indent(line).size()));
}

/// Keeps track of comments and literals while lines of code are read from the top.
class CodeEnd {
 public:
  /// The last line up to (line, column) that holds code before that place.
  static int last_code_line(const std::vector<std::string_view>& lines, int from, int line, int column) {
    int last = from;
    bool in_block = false;
    for (int n = from; n <= line && n <= static_cast<int>(lines.size()); ++n) {
      const std::string_view text = lines[static_cast<std::size_t>(n - 1)];
      const std::size_t stop =
          n == line ? std::min(text.size(), static_cast<std::size_t>(std::max(column - 1, 0))) : text.size();
      char quote = 0;
      for (std::size_t i = 0; i < stop; ++i) {
        if (in_block) {
          if (text.substr(i).starts_with("*/")) {
            in_block = false;
            ++i;
          }
        } else if (quote != 0) {
          if (text[i] == '\\')
            ++i;
          else if (text[i] == quote)
            quote = 0;
        } else if (text.substr(i).starts_with("//")) {
          break;
        } else if (text.substr(i).starts_with("/*")) {
          in_block = true;
          ++i;
        } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
          if (text[i] == '#' && is_blank(text.substr(0, i))) break;  // a directive is not part of the statement
          if (text[i] == '"' || text[i] == '\'') quote = text[i];
          last = n;
        }
      }
    }
    return last;
  }
};

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : text_(text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines_.push_back(text.substr(at, end - at));
    at = end + 1;
  }
}

std::string_view TextPlaces::line(int number) const {
  return number >= 1 && number <= count() ? lines_[static_cast<std::size_t>(number - 1)] : std::string_view();
}

std::string TextPlaces::indentation(int number) const { return indentation_of(line(number)); }

std::optional<CommentPlace> TextPlaces::after_statement(const source::ProbePoint& probe) const {
  if (probe.statement_line < 1 || probe.line < probe.statement_line) return std::nullopt;
  const int last = CodeEnd::last_code_line(lines_, probe.statement_line, probe.line, probe.column);
  if (line(last).ends_with('\\') || line(last).ends_with("\\\r") || line(last - 1).ends_with('\\')) return std::nullopt;
  return CommentPlace{last, indentation_of(line(probe.statement_line))};
}

CommentWriter::CommentWriter(std::string_view text) : places_(text), ends_with_break_(text.ends_with('\n')) {}

int CommentWriter::waiting_sentence(const CommentPlace& place, const std::string& name) const {
  for (int n = place.line + 1; n <= places_.count(); ++n) {
    const std::string_view line = places_.line(n);
    const std::string_view comment = comment_text(line);
    if (!is_blank(line) && comment.empty()) return 0;  // code
    if (comment.find("register assig") == std::string_view::npos || !has_word(comment, name)) continue;
    if (std::ranges::find(used_sentences_, n) == used_sentences_.end()) return n;
  }
  return 0;
}

void CommentWriter::add(const CommentPlace& place, const std::string& name, const std::string& rows) {
  std::vector<std::string> lines;
  std::string indentation = place.indentation;
  const int sentence = waiting_sentence(place, name);
  if (sentence != 0) indentation = indentation_of(places_.line(sentence));
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = std::min(rows.find('\n', at), rows.size());
    if (end != at) lines.push_back(indentation + "//   " + rows.substr(at, end - at));
    at = end + 1;
  }
  if (sentence != 0) {
    used_sentences_.push_back(sentence);
    Edit& edit = edits_[sentence];
    edit.lines = lines;
    const int count = static_cast<int>(lines.size());
    while (edit.drop_blank < count && sentence + edit.drop_blank + 1 <= places_.count() &&
           is_blank(places_.line(sentence + edit.drop_blank + 1)))
      ++edit.drop_blank;
  } else {
    Edit& edit = edits_[place.line];
    edit.own_paragraph = true;
    edit.lines.emplace_back();
    edit.lines.push_back(
        fmt::format("{}// {} has {}register assignment:", indentation, name, first_ ? "the following " : ""));
    edit.lines.insert(edit.lines.end(), lines.begin(), lines.end());
  }
  first_ = false;
}

std::string CommentWriter::text() const {
  std::string out;
  int skip = 0;
  for (int n = 1; n <= places_.count(); ++n) {
    if (skip > 0) {
      --skip;
      continue;
    }
    out += places_.line(n);
    out += '\n';
    const auto edit = edits_.find(n);
    if (edit == edits_.end()) continue;
    for (const std::string& line : edit->second.lines) out += line + '\n';
    if (edit->second.own_paragraph && starts_code(places_.line(n + 1))) out += '\n';
    skip = edit->second.drop_blank;
  }
  if (!ends_with_break_ && !out.empty()) out.pop_back();
  return out;
}

}  // namespace lanescope::claims
