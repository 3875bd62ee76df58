#include "kernels/source/notation/allow_comments.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr int longest_reach = 5000;  ///< tokens outside of brackets that a comment is thought to speak of

struct RuleName {
  std::string text;
  int column = 0;
};

bool in_name(char c) { return is_word(c) || c == '-'; }

struct RuleNames {
  std::vector<RuleName> names;
  std::optional<RuleName> stray;  ///< a word after them without a comma before it
};

/// "partial-lines, narrow-access (a reason)": names separated by commas, then words for readers in parentheses.
RuleNames names_in(std::string_view text, std::size_t at, int column) {
  RuleNames result;
  std::vector<RuleName>& out = result.names;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == ',') {
      ++at;
    } else if (in_name(c)) {
      std::size_t end = at;
      while (end < text.size() && in_name(text[end])) ++end;
      out.push_back({std::string(text.substr(at, end - at)), column + static_cast<int>(at)});
      at = end;
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
      if (at == text.size() || text[at] == ',') continue;
      for (end = at; end < text.size() && in_name(text[end]);) ++end;
      if (end > at) result.stray = {std::string(text.substr(at, end - at)), column + static_cast<int>(at)};
      break;
    } else {
      break;
    }
  }
  return result;
}

// Plain words. A comment excuses a finding where it names what the rule finds, says that it is meant, and neither requests,
// forbids nor denies. Each table is lower case, and a phrase counts anywhere in a line; a space is the border of a word.

constexpr std::string_view doubts =
    "?|todo|fixme|avoid |avoids|avoided by|to avoid|prevent|fix |free|must|should|not ok|not fine|not intend|"
    "not intentional|n't intend|not accept|never|unless|ensure|not needed|n't wanted|not on purpose|n't need|"
    "not needed|not by |not require|no reason|remove|instead of|not deliberate|not harmless|replace |no longer|"
    "not what we|without reason";

constexpr std::string_view excuses =
    "intentional|intended|on purpose|deliberate|unavoidable|cannot be avoided|acceptable|is accepted|"
    "are accepted|can't be avoided|harmless|does not matter|do not matter|doesn't matter|don't matter|only once|"
    "runs once| is ok| are ok| is fine| are fine|is needed|are needed|is required|are required|don't care|"
    "is needed|are needed|we want|by design|by intent|we need|as the algorithm requires|we chose|is a choice";

struct Topic {
  std::string_view rule, phrases;
};
constexpr Topic topics[] = {
    {"bank-conflict", "bank conflict|bank-conflict"},
    {"partial-lines",
     "uncoalesced|not coalesced|non-coalesced|partial line|partial cache line|part of a cache line|"
     "half a cache line|strided|misaligned|unaligned"},
    {"double-precision", "double precision|double-precision| double | doubles |fp64"},
    {"narrow-access",
     "narrow load|32-bit load|scalar load|narrow store|32-bit store|scalar store|narrow access|scalar access"},
    {"missing-launch-bounds", "no launch bounds|without launch bounds|no __launch_bounds__|without __launch_bounds__"},
    {"divergence", "divergen"},
    {"spills", "register spill|spills"},
};

/// Lower case, with spaces in place of punctuation and around it all, so that words have borders.
std::string with_borders(std::string_view text) {
  std::string words = " " + lower(text) + " ";
  for (char& c : words)
    if (c == ',' || c == '.' || c == ';' || c == ':' || c == '(' || c == ')' || c == '!' || c == '`') c = ' ';
  return words;
}

/// The rule whose finding prose calls intended; empty: none.
std::string_view meant_rule(std::string_view text) {
  constexpr std::size_t longest_excuse = 300;
  if (text.size() > longest_excuse) return {};
  const std::string words = with_borders(text);
  if (!entry_in(doubts, words).empty() || entry_in(excuses, words).empty()) return {};
  std::string_view rule;
  for (const Topic& t : topics) {
    if (entry_in(t.phrases, words).empty()) continue;
    if (!rule.empty()) return {};  // several: which one is meant is not known
    rule = t.rule;
  }
  return rule;
}

class Reader {
 public:
  explicit Reader(const Lexed& lexed) : lexed_(lexed) {
    for (std::size_t start = 0; start < lexed.text.size();) {
      const std::size_t stop = std::min(lexed.text.find('\n', start), lexed.text.size());
      if (is_blank(lexed.text.substr(start, stop - start))) empty_lines_.push_back(static_cast<std::uint32_t>(start));
      start = stop + 1;
    }
  }

  ReviewComments run() {
    const std::vector<CommentLine> lines = comment_lines(lexed_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool goes_on =
          i + 1 < lines.size() && lines[i + 1].group == lines[i].group && lines[i + 1].line == lines[i].line + 1;
      line(lines[i], goes_on ? &lines[i + 1] : nullptr);
    }
    return std::move(out_);
  }

 private:
  void line(const CommentLine& l, const CommentLine* next) {
    constexpr std::string_view mark = "lanescope:";
    if (!l.text.starts_with(mark)) return plain_words(l, next);
    std::size_t at = l.text.find_first_not_of(" \t", mark.size());
    if (at == std::string_view::npos) return mistake(l, mark.size(), "there is no text after `lanescope:`");
    std::size_t end = at;
    while (end < l.text.size() && in_name(l.text[end])) ++end;
    const std::string_view verb = l.text.substr(at, end - at);
    if (verb != "allow" && verb != "expect")
      return mistake(l, at, fmt::format("`{}` is not an instruction to the review", verb));
    const auto [names, stray] = names_in(l.text, end, l.column);
    if (names.empty()) return mistake(l, end, fmt::format("`{}` is followed by no rule", verb));
    if (stray)
      mistake(l, static_cast<std::size_t>(stray->column - l.column),
              fmt::format("there is no comma between `{}` and `{}`", names.back().text, stray->text),
              "write commas between rules, and words for readers in parentheses");
    for (const RuleName& name : names) {
      if (verb == "expect") {
        out_.expected.push_back({name.text, l.line, name.column});
      } else {
        const auto [first, last] = statement_of(l);
        out_.allowed.push_back({name.text, l.line, name.column, first, last, {}});
      }
    }
  }

  /// `next` follows it in the same comment or group; a sentence may continue there.
  void plain_words(const CommentLine& l, const CommentLine* next) {
    std::string text(l.text);
    std::string_view rule = meant_rule(text);
    const CommentLine* end = &l;
    if (rule.empty() && next != nullptr && meant_rule(next->text).empty()) {
      text += fmt::format(" {}", next->text);
      rule = meant_rule(text);
      end = next;
    }
    if (rule.empty()) return;
    const auto [first, last] = spoken_of(*end, rule == "double-precision");
    out_.allowed.push_back({std::string(rule), l.line, l.column, first, last, std::move(text)});
  }

  /// As statement_of(); prose above a function, a loop or another block is about all of it, and that a declaration is of
  /// doubles (`declares`) is about what is done with them in the block.
  std::pair<int, int> spoken_of(const CommentLine& l, bool declares) const {
    auto [first, last] = statement_of(l);
    const int before = lexed_.last_before(l.offset);
    const bool beside = before >= 0 && lexed_.token(before).line == l.line;
    const int start = beside ? before : before + 1;
    if (start >= lexed_.count() || (!beside && first == l.line)) return {first, last};
    const int end = beside ? before : statement_end(start);
    const int open = lexed_.is(end, "{") ? end : end + 1;
    if (open < lexed_.count() && lexed_.is(open, "{") && lexed_.partner(open) > open)
      last = std::max(last, lexed_.token(lexed_.partner(open)).line);
    if (declares && !lexed_.is(open, "{") && declares_doubles(first, last))
      if (const int close = end_of_block(end); close >= 0) last = std::max(last, lexed_.token(close).line);
    return {first, last};
  }

  bool declares_doubles(int first_line, int last_line) const {
    for (int i = 0; i < lexed_.count() && lexed_.token(i).line <= last_line; ++i)
      if (lexed_.token(i).line >= first_line && lexed_.is(i, "double")) return true;
    return false;
  }

  /// The `}` of the block that token `i` is in; -1: it is in none.
  int end_of_block(int i) const {
    for (++i; i < lexed_.count(); ++i) {
      if (lexed_.is(i, "}")) return i;
      if (lexed_.partner(i) > i) i = lexed_.partner(i);
    }
    return -1;
  }

  void mistake(const CommentLine& l, std::size_t at, std::string message,
               std::string remedy = "write `lanescope: allow RULE` or `lanescope: expect RULE`") {
    out_.mistakes.push_back({.file = {},
                             .line = l.line,
                             .column = l.column + static_cast<int>(at),
                             .message = std::move(message),
                             .remedy = std::move(remedy)});
  }

  /// Lines of the statement that a comment on `l.line` belongs to; {line, line} when there is none.
  std::pair<int, int> statement_of(const CommentLine& l) const {
    const int before = lexed_.last_before(l.offset);
    if (before >= 0 && lexed_.token(before).line == l.line) return {statement_start(before), l.line};
    const int next = before + 1;
    if (next >= lexed_.count() || gap_between(l.offset, lexed_.token(next).offset)) return {l.line, l.line};
    return {lexed_.token(next).line, lexed_.token(statement_end(next)).line};
  }

  /// An empty line parts a comment from what follows.
  bool gap_between(std::uint32_t from, std::uint32_t to) const {
    const auto next = std::ranges::lower_bound(empty_lines_, from);
    return next != empty_lines_.end() && *next < to;
  }

  /// The first line of the statement that token `last` ends or is in.
  int statement_start(int last) const {
    int i = last;
    if (lexed_.is(i, ";")) --i;
    while (i >= 0 && i > last - longest_reach) {
      if (lexed_.partner(i) >= 0 && lexed_.partner(i) < i && !lexed_.is(i, "}")) i = lexed_.partner(i);
      if (i == 0 || lexed_.is(i - 1, ";") || lexed_.is(i - 1, "{") || lexed_.is(i - 1, "}")) break;
      --i;
    }
    return i >= 0 ? lexed_.token(i).line : lexed_.token(last).line;
  }

  /// The `;` of a statement, or the last token before the `{` of what opens a block.
  int statement_end(int first) const {
    const int end = std::min(lexed_.count(), first + longest_reach);
    for (int i = first; i < end; ++i) {
      if (lexed_.is(i, ";")) return i;
      if (lexed_.is(i, "{") && !(i > 0 && (lexed_.is(i - 1, "=") || lexed_.is(i - 1, "]"))))
        return std::max(first, i - 1);
      if (lexed_.is(i, "}")) return std::max(first, i - 1);
      if (lexed_.partner(i) > i) i = lexed_.partner(i);
    }
    return end - 1;
  }

  const Lexed& lexed_;
  std::vector<std::uint32_t> empty_lines_;  ///< where they begin in the text, in order
  ReviewComments out_;
};

}  // namespace

ReviewComments review_comments(const Lexed& lexed) { return Reader(lexed).run(); }

}  // namespace lanescope::source
