#include "kernels/source/notation/comment_claims.h"

#include <optional>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

enum class LineKind { prose, row, names, broken_row };

struct Judged {
  LineKind kind = LineKind::prose;
  Diagnostics mistakes;  ///< of a broken row, columns within the line's text
};

/// "simd: k0; register: j1 j0" holds two rows.
std::vector<std::string_view> segments(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ';') continue;
    out.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return out;
}

/// The first segment decides; what is wrong in later ones is the notation's own business.
Judged judge(std::string_view text) {
  Judged out;
  bool first = true;
  for (const std::string_view segment : segments(text)) {
    const auto row = layout::parse_row(segment);
    if (first && !row) return out;
    first = false;
    if (!row || row->has_value()) continue;
    for (Diagnostic d : row->error()) {
      d.column += static_cast<int>(segment.data() - text.data());
      out.mistakes.push_back(std::move(d));
    }
  }
  out.kind = out.mistakes.empty() ? LineKind::row : LineKind::broken_row;
  return out;
}

/// A line next to a row that would be one if its name were spelled rightly.
std::optional<Diagnostic> misspelled(std::string_view text) {
  const Expected<layout::Assignment> tried = layout::parse("// " + std::string(text));
  if (tried) return std::nullopt;
  Diagnostic d = tried.error().front();
  if (!d.remedy.starts_with("did you mean") || d.message.find("is not a row") == std::string::npos) return std::nullopt;
  d.column = 1;
  return d;
}

/// A full stop, colon or mark that ends a sentence, not one inside "i.e." or "1.5"; or the end of a paragraph.
bool ends_sentence(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '\n') return true;
  if (c != '.' && c != ':' && c != '!' && c != '?') return false;
  if (i + 1 < text.size() && text[i + 1] != ' ') return false;
  const bool abbreviation = c == '.' && i >= 2 && text[i - 2] == '.';
  return !abbreviation && !(c == '.' && i >= 3 && text.substr(i - 3, 3) == "i.e");
}

/// An empty line is kept as a line break: what precedes it belongs to another paragraph.
void add_prose(std::string& prose, std::string_view line) {
  if (!prose.empty()) prose += line.empty() ? '\n' : ' ';
  prose += line;
}

std::vector<std::string> sentences_of(std::string_view prose) {
  std::vector<std::string> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < prose.size(); ++i) {
    if (!ends_sentence(prose, i) && i + 1 < prose.size()) continue;
    const bool paragraph = prose[i] == '\n';
    const std::string_view s = trimmed(prose.substr(start, i + (paragraph ? 0 : 1) - start));
    if (!s.empty()) out.emplace_back(s);
    start = i + 1;
  }
  return out;
}

class Collector {
 public:
  Collector(const std::vector<CommentLine>& lines, const std::vector<detail::NameLine>& names)
      : lines_(lines), names_(names) {}

  CommentClaims run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i > 0 && lines_[i].group != lines_[i - 1].group) {
        close();
        prose_.clear();
        registers_.clear();
      }
      line(i);
    }
    close();
    return std::move(out_);
  }

 private:
  void line(std::size_t i) {
    const CommentLine& l = lines_[i];
    if (names_[i].is_one) {
      registers_ = names_[i].words;
      // Below the rows it names the variables of the claim that it ends.
      if (!rows_.empty() || !unread_.empty()) close();
      return;
    }
    Judged judged = judge(l.text);
    if (judged.kind == LineKind::prose && near_row(i)) {
      if (std::optional<Diagnostic> d = misspelled(l.text)) {
        judged.mistakes.push_back(std::move(*d));
        judged.kind = LineKind::broken_row;
      }
    }
    if (judged.kind == LineKind::broken_row) {
      for (Diagnostic& d : judged.mistakes) add_mistake(l, std::move(d));
      broken_ = true;
    } else if (judged.kind == LineKind::row) {
      if (rows_.empty() && !unread_.empty() && !is_next(unread_.back(), i)) close();
      rows_.push_back(i);
    } else if (meant_as_row(i)) {
      unread_.push_back(i);
    } else {
      close();
      add_prose(prose_, l.text);
    }
  }

  bool near_row(std::size_t i) const {
    const auto is_row = [&](std::size_t k) {
      return lines_[k].group == lines_[i].group && judge(lines_[k].text).kind == LineKind::row;
    };
    return lines_[i].text.find(':') != std::string_view::npos &&
           ((i > 0 && is_row(i - 1)) || (i + 1 < lines_.size() && is_row(i + 1)));
  }

  /// An empty line parts what would be a row from the rows above it.
  bool is_next(std::size_t i, std::size_t k) const { return lines_[k].line == lines_[i].line + 1; }

  bool meant_as_row(std::size_t i) const {
    const layout::RowLook look = layout::look_of_row(lines_[i].text);
    const std::size_t last = std::max(rows_.empty() ? 0 : rows_.back(), unread_.empty() ? 0 : unread_.back());
    const bool begun = !rows_.empty() || !unread_.empty();
    if (look == layout::RowLook::none || (begun && !is_next(last, i))) return false;
    if (look == layout::RowLook::arrow) return true;
    // "block: each copies a tile" is prose, unless rows stand on both sides.
    const bool row_behind = i + 1 < lines_.size() && lines_[i + 1].group == lines_[i].group &&
                            judge(lines_[i + 1].text).kind == LineKind::row;
    return !rows_.empty() && row_behind;
  }

  /// The sentence before the rows says that an assignment follows.
  bool announced() const {
    const std::size_t at = prose_.rfind("register assig");
    return at != std::string::npos && prose_.size() - at < 60;
  }

  std::vector<UnreadRow> take_unread() {
    std::vector<UnreadRow> out;
    for (const std::size_t i : unread_)
      out.push_back({.line = lines_[i].line,
                     .column = lines_[i].column,
                     .text = std::string(lines_[i].text),
                     .problem = {},
                     .remedy = {}});
    unread_.clear();
    return out;
  }

  void place(TextClaim& claim, const std::vector<std::size_t>& rows) const {
    const CommentLine& last = lines_[rows.back()];
    claim.offset = lines_[rows.front()].offset;
    claim.end = last.offset + static_cast<std::uint32_t>(last.text.size());
  }

  void add(TextClaim claim) {
    claim.sentences = sentences_of(prose_);
    claim.registers = registers_;
    claim.unread = take_unread();
    out_.claims.push_back(std::move(claim));
  }

  /// Lines with arrows and not one row among them.
  void close_without_rows() {
    if (unread_.empty()) return;
    if (broken_ || !announced()) {
      for (const std::size_t i : unread_) add_prose(prose_, lines_[i].text);
      unread_.clear();
      return;
    }
    TextClaim claim;
    place(claim, unread_);
    add(std::move(claim));
    prose_.clear();
    registers_.clear();
  }

  void add_mistake(const CommentLine& l, Diagnostic d) {
    d.line = l.line;
    d.column = l.column + (d.column > 0 ? d.column - 1 : 0);
    out_.mistakes.push_back(std::move(d));
  }

  void close() {
    if (rows_.empty()) close_without_rows();
    if (rows_.empty() || broken_) {
      rows_.clear();
      unread_.clear();
      broken_ = false;
      return;
    }
    std::string text;
    TextClaim claim;
    for (const std::size_t i : rows_) {
      text += lines_[i].text;
      text += '\n';
      claim.row_lines.push_back(lines_[i].line);
    }
    place(claim, rows_);
    Expected<layout::Assignment> stated = layout::parse(text);
    if (stated) {
      claim.stated = std::move(*stated);
      add(std::move(claim));
    } else {
      for (Diagnostic& d : stated.error()) {
        const std::size_t row =
            d.line > 0 && static_cast<std::size_t>(d.line) <= rows_.size() ? static_cast<std::size_t>(d.line) - 1 : 0;
        add_mistake(lines_[rows_[row]], std::move(d));
      }
    }
    rows_.clear();
    unread_.clear();
    prose_.clear();
    registers_.clear();
  }

  const std::vector<CommentLine>& lines_;
  const std::vector<detail::NameLine>& names_;
  CommentClaims out_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> unread_;  ///< lines beside them that are meant as rows
  std::vector<std::string> registers_;
  std::string prose_;
  bool broken_ = false;
};

}  // namespace

namespace detail {

NameLine read_name_line(std::string_view text) {
  NameLine out;
  if (!text.starts_with("registers")) return out;
  text = trimmed(text.substr(9));
  if (!text.starts_with(":") || text.find("<->") != std::string_view::npos) return out;
  text.remove_prefix(1);
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c != ' ' && c != ',' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      if (!is_word_start(word.front())) return {};
      out.words.push_back(std::move(word));
      word.clear();
    }
  }
  out.is_one = !out.words.empty();
  return out;
}

CommentClaims collect_claims(const std::vector<CommentLine>& lines, const std::vector<NameLine>& names) {
  return Collector(lines, names).run();
}

}  // namespace detail
}  // namespace lanescope::source
