#include "kernels/source/notation/comment_claims.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_steps.h"

namespace lanescope::source {
namespace {

using What = layout::LineMistake::What;

/// A line next to a row that would be one if its name were spelled rightly.
std::optional<Diagnostic> misspelt_row(std::string_view text) {
  std::optional<layout::LineMistake> m = layout::mistake_in(text);
  if (!m || m->what != What::misspelt) return std::nullopt;
  m->diagnostic.column = 1;
  return std::move(m->diagnostic);
}

/// The error of a line that begins as a row.
Diagnostic mistake_of_row(std::string_view text) {
  std::optional<layout::LineMistake> m = layout::mistake_in(text);
  if (m && m->what == What::broken) return std::move(m->diagnostic);
  return {.file = {},
          .line = 1,
          .column = 1,
          .message = "it begins as a row and is none",
          .remedy = "write a row such as `register: j3 j2`, or a remark in parentheses"};
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

/// "or", "or else:", "alternatively": what follows is another reading of the same claim.
bool is_or(std::string_view text) {
  constexpr std::size_t longest_or = 40;
  return text.size() < longest_or && comment_phrases().is("or", plain_words_of(text), 0);
}

/// Claims of one file. A line is a row, a near miss of one, or prose; rows on consecutive lines make a claim.
class Collector {
 public:
  Collector(const std::vector<CommentLine>& lines, const std::vector<detail::NameLine>& names,
            const layout::Vocabulary& vocabulary)
      : lines_(lines), names_(names), vocabulary_(vocabulary) {
    readings_.reserve(lines.size());
    layout::Vocabulary of_lists = vocabulary;
    of_lists.least_first = true;
    bool list = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t head = names[i].end;
      list = head > 0 || (list && same_group(i - 1, i) && is_next(i - 1, i));
      std::string row(lines[i].text);
      std::fill_n(row.begin(), head, ' ');
      readings_.push_back(layout::read_line(row, list ? of_lists : vocabulary));
      if (readings_.back().kind != Kind::rows && begins_with_step(row)) readings_.back() = {};
      list = list && readings_.back().kind != Kind::none;
    }
  }

  CommentClaims run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i > 0 && lines_[i].group != lines_[i - 1].group) {
        close();
        prose_.clear();
        registers_.clear();
        offered_ = -1;
      }
      line(i);
    }
    close();
    return std::move(out_);
  }

 private:
  using Kind = layout::LineReading::Kind;

  bool begun() const { return !rows_.empty() || !unread_.empty(); }

  void line(std::size_t i) {
    const CommentLine& l = lines_[i];
    const bool before_row = names_[i].end > 0;
    if (before_row && readings_[i].kind != Kind::none) {
      close();
      if (names_[i].is_one) registers_ = names_[i].words;
    } else if (names_[i].is_one && !before_row) {
      registers_ = names_[i].words;
      // Below the rows it names the variables of the claim that it ends.
      if (begun()) close();
      return;
    }
    if (is_or(l.text) && row_follows(i)) {
      close();
      offered_ = last_claim_;
      return;
    }
    layout::LineReading& reading = readings_[i];
    if (reading.kind == Kind::none) {
      by_variable_letter(i);
      if (reading.kind == Kind::none) misspelt(i);
      if (reading.kind == Kind::none) unreadable(i);
    }
    switch (reading.kind) {
      case Kind::broken:
        for (const Diagnostic& d : reading.problems)
          if (!d.message.empty()) add_mistake(l, d);
        if (begun() && !is_next(last(), i)) close();
        unread_.push_back(i);
        break;
      case Kind::rows:
      case Kind::weak:
        if (rows_.empty() && !unread_.empty() && !is_next(unread_.back(), i)) close();
        rows_.push_back(i);
        break;
      case Kind::none:
        if (meant_as_row(i)) {
          unread_.push_back(i);
        } else {
          close();
          add_prose(prose_, l.text);
          offered_ = -1;
        }
    }
  }

  std::size_t last() const { return std::max(rows_.empty() ? 0 : rows_.back(), unread_.empty() ? 0 : unread_.back()); }
  bool same_group(std::size_t i, std::size_t k) const {
    return k < lines_.size() && lines_[k].group == lines_[i].group;
  }
  bool is_row(std::size_t k) const { return readings_[k].kind == Kind::rows; }
  bool row_follows(std::size_t i) const {
    return begun() && same_group(i, i + 1) && readings_[i + 1].kind != Kind::none;
  }

  /// The row that a line is beside: nothing is between them but lines that begin as rows, readable or not. nullopt: none.
  std::optional<std::size_t> row_beside(std::size_t i) const {
    const auto between = [&](std::size_t k) {
      return readings_[k].kind != Kind::none || layout::look_of_row(lines_[k].text) == layout::RowLook::name ||
             misspelt_row(lines_[k].text).has_value();
    };
    for (std::size_t k = i; k > 0 && same_group(i, k - 1) && is_next(k - 1, k); --k) {
      if (is_row(k - 1)) return k - 1;
      if (!between(k - 1)) break;
    }
    for (std::size_t k = i + 1; same_group(i, k) && is_next(k - 1, k); ++k) {
      if (is_row(k)) return k;
      if (!between(k)) break;
    }
    return std::nullopt;
  }

  void broken(std::size_t i, Diagnostic d) {
    readings_[i].problems = {std::move(d)};
    readings_[i].kind = Kind::broken;
  }

  void misspelt(std::size_t i) {
    if (lines_[i].text.find(':') == std::string_view::npos || !row_beside(i)) return;
    if (std::optional<Diagnostic> d = misspelt_row(lines_[i].text)) broken(i, std::move(*d));
  }

  /// `register: 10` beside rows is one of them, whichever its place. "block: each copies a tile" is prose, unless rows
  /// are on both sides of it or it is written in their column.
  void unreadable(std::size_t i) {
    const std::string_view text = lines_[i].text;
    if (layout::look_of_row(text) != layout::RowLook::name) return;
    const bool prose = layout::reads_as_prose(text);
    if (const std::optional<std::size_t> row = row_beside(i)) {
      const bool among = i > 0 && begun() && is_next(last(), i) && same_group(i, i + 1) && is_row(i + 1);
      if (prose && !among && lines_[*row].column != lines_[i].column) return;
    } else if (!announced({"register assig"})) {
      return;
    }
    broken(i, prose ? Diagnostic{} : mistake_of_row(text));
  }

  /// "V1 V0 <-> j1 j0", "V01 <-> i" below a sentence about V: bits of the register's number.
  void by_variable_letter(std::size_t i) {
    const std::string_view text = lines_[i].text;
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view stem = without_trailing_digits(text.substr(0, end));
    if (stem.empty() || stem.size() == end || text.size() > layout::longest_line ||
        text.find('>', end) == std::string_view::npos || !announced())
      return;
    if (find_word(prose_, stem) == std::string::npos) return;
    layout::Vocabulary with_letter = vocabulary_;
    with_letter.register_letter = stem;
    layout::LineReading again = layout::read_line(text, with_letter);
    if (again.kind == Kind::none) return;
    again.assumed.push_back(fmt::format("bits of {} are read as bits of its register's number", stem));
    readings_[i] = std::move(again);
  }

  /// An empty line parts what would be a row from the rows above it.
  bool is_next(std::size_t i, std::size_t k) const { return lines_[k].line == lines_[i].line + 1; }

  bool meant_as_row(std::size_t i) const {
    return layout::look_of_row(lines_[i].text) == layout::RowLook::arrow && (!begun() || is_next(last(), i)) &&
           !begins_with_step(lines_[i].text);
  }

  /// The sentence before the rows says that an assignment follows.
  bool announced(std::initializer_list<std::string_view> by = {"register assig", "assignment", "layout",
                                                               "is distributed", "mapping"}) const {
    const std::string words =
        lower(std::string_view(prose_).substr(prose_.size() - std::min<std::size_t>(prose_.size(), 160)));
    for (const std::string_view word : by) {
      const std::size_t at = words.rfind(word);
      if (at != std::string::npos && words.size() - at < 80 && words.find(". ", at) == std::string::npos) return true;
    }
    return false;
  }

  void place(TextClaim& claim, const std::vector<std::size_t>& rows) const {
    const CommentLine& last_row = lines_[rows.back()];
    claim.offset = lines_[rows.front()].offset;
    claim.end = last_row.offset + static_cast<std::uint32_t>(last_row.text.size());
  }

  void add_mistake(const CommentLine& l, Diagnostic d) {
    d.line = l.line;
    d.column = l.column + (d.column > 0 ? d.column - 1 : 0);
    d.severity = Severity::warning;
    out_.mistakes.push_back(std::move(d));
  }

  void add_unread(TextClaim& claim, std::size_t i) const {
    UnreadRow row{.line = lines_[i].line,
                  .column = lines_[i].column,
                  .text = std::string(lines_[i].text),
                  .problem = {},
                  .remedy = {}};
    if (const Diagnostics& problems = readings_[i].problems; !problems.empty()) {
      row.column += std::max(problems.front().column - 1, 0);
      row.problem = problems.front().message;
      row.remedy = problems.front().remedy;
    }
    claim.unread.push_back(std::move(row));
  }

  /// "u = lane" for a line of bits called u, if it is a row then, and the only one that the claim lacks, or has as many bits
  /// as a lane. Empty: none.
  std::string legend_for(std::size_t i, const layout::LinesOfClaim& of_claim) const {
    const std::string_view text = lines_[i].text;
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string stem(without_trailing_digits(text.substr(0, end)));
    if (stem.empty() || stem.size() > 2 || stem.size() == end || vocabulary_.axes.contains(stem)) return {};
    std::string out;
    for (const auto& [place, name] :
         {std::pair(layout::Place::thread, "lane"), {layout::Place::reg, "register"}, {layout::Place::warp, "warp"}}) {
      if (std::ranges::any_of(of_claim.bits, [&](const auto& e) { return e.bit.bit.place == place; })) continue;
      layout::Vocabulary with_letter = vocabulary_;
      with_letter.letters.insert_or_assign(lower(stem), layout::SaidLetter{.place = place});
      const layout::LineReading again = layout::read_line(text, with_letter);
      if (again.kind != Kind::rows) continue;
      if (!out.empty()) return {};
      out = fmt::format("{} = {}", stem, name);
      if (place == layout::Place::thread && again.bits.size() == 5) return out;
    }
    return out;
  }

  /// No claim after all: its lines are part of the prose.
  void forget() {
    std::vector<std::size_t> all = rows_;
    all.insert(all.end(), unread_.begin(), unread_.end());
    std::ranges::sort(all);
    for (const std::size_t i : all) add_prose(prose_, lines_[i].text);
    rows_.clear();
    unread_.clear();
  }

  void close() {
    if (!begun()) return;
    const auto sure = [&](std::size_t i) {
      return readings_[i].kind == Kind::rows || readings_[i].kind == Kind::broken;
    };
    if (!std::ranges::any_of(rows_, sure) && !std::ranges::any_of(unread_, sure) && !announced() && offered_ < 0)
      return forget();
    TextClaim claim;
    layout::LinesOfClaim of_claim;
    for (const std::size_t i : rows_) {
      claim.row_lines.push_back(lines_[i].line);
      for (const layout::LineBit& bit : readings_[i].bits)
        of_claim.bits.push_back({.bit = bit, .line = lines_[i].line, .column = lines_[i].column});
      for (const auto& [row, at] : readings_[i].single) of_claim.single.emplace_back(row, lines_[i].line);
      for (const std::string& a : readings_[i].assumed) say(claim, a);
    }
    if (unread_.empty() && of_claim.bits.empty() && of_claim.single.empty()) return forget();
    for (const std::size_t i : unread_) add_unread(claim, i);
    if (unread_.size() == 1) claim.settling = legend_for(unread_.front(), of_claim);
    state(claim, of_claim);
    place(claim, rows_.empty() ? unread_ : rows_);
    claim.sentences = sentences_of(prose_);
    claim.names = registers_;
    if (offered_ >= 0) {
      claim.alternative_of = offered_;
      claim.sentences = out_.claims[static_cast<std::size_t>(offered_)].sentences;
      if (claim.names.empty()) claim.names = out_.claims[static_cast<std::size_t>(offered_)].names;
    }
    last_claim_ = offered_ >= 0 ? offered_ : static_cast<int>(out_.claims.size());
    out_.claims.push_back(std::move(claim));
    rows_.clear();
    unread_.clear();
    prose_.clear();
    registers_.clear();
    offered_ = -1;
  }

  static void say(TextClaim& claim, const std::string& words) {
    if (std::ranges::find(claim.read_as, words) == claim.read_as.end()) claim.read_as.push_back(words);
  }

  void state(TextClaim& claim, const layout::LinesOfClaim& of_claim) {
    layout::Assembled made = layout::assemble(of_claim, vocabulary_);
    for (const std::string& a : made.assumed) say(claim, a);
    for (const layout::Assembled::Problem& p : made.problems) {
      const auto row = std::ranges::find(rows_, p.line, [&](std::size_t i) { return lines_[i].line; });
      if (row == rows_.end()) continue;
      claim.unread.push_back({.line = p.line,
                              .column = p.column > 0 ? p.column : lines_[*row].column,
                              .text = std::string(lines_[*row].text),
                              .problem = p.message,
                              .remedy = p.remedy});
      if (p.unexplained_mark != '\0') claim.settling = fmt::format("{} marks a spectator", p.unexplained_mark);
      out_.mistakes.push_back({.file = {},
                               .line = p.line,
                               .column = claim.unread.back().column,
                               .message = p.message,
                               .remedy = p.remedy,
                               .severity = Severity::warning,
                               .code = DiagnosticCode::notation});
    }
    if (!made.problems.empty()) return;
    claim.b_as_simd = made.b_as_simd;
    for (std::size_t n = 0; n < made.final_bits.size(); ++n) {
      const layout::LinesOfClaim::Entry& e = of_claim.bits[made.order[n]];
      const auto place_at = [&](std::size_t at) {
        return at == layout::LineBit::npos ? TextPlace{} : TextPlace{e.line, e.column + static_cast<int>(at)};
      };
      claim.bits.push_back({made.final_bits[n], place_at(e.bit.physical_at), place_at(e.bit.logical_at)});
    }
    std::string last_axis;
    for (const std::string& name : layout::logical_bits(made.assignment)) {
      const std::string axis = layout::split_name(name).axis;
      const auto known = vocabulary_.axes.find(axis);
      if (axis == last_axis || known == vocabulary_.axes.end() || known->second.line == 0) continue;
      last_axis = axis;
      claim.extents.push_back({axis, known->second.extent, {known->second.line, known->second.column}});
    }
    for (const auto& [axis, extent] : made.extents) {
      const auto known = vocabulary_.axes.find(axis);
      if (known == vocabulary_.axes.end() || known->second.extent == 0)
        claim.extents.push_back({axis, extent, {claim.row_lines.front(), 0}});
    }
    claim.stated = std::move(made.assignment);
  }

  const std::vector<CommentLine>& lines_;
  const std::vector<detail::NameLine>& names_;
  const layout::Vocabulary& vocabulary_;
  std::vector<layout::LineReading> readings_;  ///< of each line
  CommentClaims out_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> unread_;  ///< lines beside them that are meant as rows
  std::vector<std::string> registers_;
  std::string prose_;
  int last_claim_ = -1;  ///< the first of the alternatives of the claim that was closed last
  int offered_ = -1;     ///< the claim that the rows to come are an alternative to
};

}  // namespace

namespace detail {

NameLine read_name_line(std::string_view text) {
  NameLine out;
  std::string_view list;
  if (text.starts_with('[')) {
    std::size_t close = text.find(']');
    while (close != std::string_view::npos && !trimmed(text.substr(close + 1)).starts_with(':'))
      close = text.find(']', close + 1);
    if (close == std::string_view::npos) return out;
    list = text.substr(1, close - 1);
    out.end = text.find(':', close) + 1;
    if (text.substr(out.end).starts_with(':') || trimmed(text.substr(out.end)).empty()) return {};
  } else if (text.starts_with("registers")) {
    list = trimmed(text.substr(9));
    if (!list.starts_with(":") || list.find("<->") != std::string_view::npos) return out;
    list.remove_prefix(1);
  }
  std::string word;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ' ';
    if (c != ' ' && c != ',' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      if (!is_word_start(word.front())) return {};
      out.words.push_back(std::move(word));
      word.clear();
    }
  }
  out.is_one = !out.words.empty();
  if (!out.is_one) out.end = 0;
  return out;
}

CommentClaims collect_claims(const std::vector<CommentLine>& lines, const std::vector<NameLine>& names,
                             const layout::Vocabulary& vocabulary) {
  return Collector(lines, names, vocabulary).run();
}

}  // namespace detail
}  // namespace lanescope::source
