#include "kernels/source/cxx/lexer.h"

#include <algorithm>
#include <array>

#include "kernels/base/byte_order_mark.h"

namespace lanescope::source {
namespace {

// Longest first. `>` stays alone except in assignments, so that `A<B<int>>` closes twice.
constexpr std::array<std::string_view, 27> punctuators = {"<<<", "<<=", ">>=", "...", "->*", "::", "->", "++", "--",
                                                          "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "==",
                                                          "!=",  "<=",  ">=",  "&&",  "||",  "<<", ".*", "##", "\\"};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { out_.text = text; }

  Lexed run() {
    at_ = line_start_ = byte_order_mark(text_).size();  // columns count from after it, as an editor's do
    while (at_ < text_.size()) step();
    pair_brackets(out_);
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  int column() const { return static_cast<int>(at_ - line_start_) + 1; }
  void newline() {
    ++at_;
    ++line_;
    line_start_ = at_;
    fresh_line_ = true;
  }
  void advance_to(std::size_t end) {
    while (at_ < end) {
      if (text_[at_] == '\n')
        newline();
      else
        ++at_;
    }
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      newline();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment();
    } else if (c == '#' && fresh_line_) {
      directive();
    } else {
      fresh_line_ = false;
      token(c);
    }
  }

  void mistake(int line, int column, std::string message, std::string remedy) {
    out_.mistakes.push_back(
        {.file = {}, .line = line, .column = column, .message = std::move(message), .remedy = std::move(remedy)});
  }

  std::size_t end_of_line_comment() const {
    std::size_t end = at_;
    for (;;) {
      end = text_.find('\n', end);
      if (end == std::string_view::npos) return text_.size();
      const bool spliced = text_[end - 1] == '\\' || (text_[end - 1] == '\r' && end >= 2 && text_[end - 2] == '\\');
      if (!spliced) return end;
      ++end;
    }
  }

  void comment() {
    const bool block = peek(1) == '*';
    Comment c{
        .offset = static_cast<std::uint32_t>(at_), .length = 0, .line = line_, .column = column(), .block = block};
    std::size_t end = 0;
    if (block) {
      end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        mistake(line_, column(), "this comment is never closed", "end it with */");
        end = text_.size();
      } else {
        end += 2;
      }
    } else {
      end = end_of_line_comment();
    }
    c.length = static_cast<std::uint32_t>(end - at_);
    out_.comments.push_back(c);
    const bool fresh = fresh_line_;
    advance_to(end);
    fresh_line_ = fresh || fresh_line_;
  }

  void directive() {
    Directive d{.offset = static_cast<std::uint32_t>(at_), .length = 0, .line = line_, .column = column()};
    std::size_t end = at_;
    char quote = '\0';
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (c == '\\' && end + 1 < text_.size()) {
        if (text_[end + 1] == '\r' && end + 2 < text_.size() && text_[end + 2] == '\n') ++end;
        ++end;
      } else if (c == '\n') {
        break;
      } else if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"') {
        quote = c;
      } else if (c == '/' && end + 1 < text_.size() && text_[end + 1] == '/') {
        break;
      } else if (c == '/' && end + 1 < text_.size() && text_[end + 1] == '*') {
        const std::string_view line = text_.substr(end + 2, text_.find('\n', end) - (end + 2));
        const std::size_t close = line.find("*/");
        if (close == std::string_view::npos) break;
        end += close + 3;
      }
    }
    end = std::min(end, text_.size());
    d.length = static_cast<std::uint32_t>(end - at_);
    out_.directives.push_back(d);
    advance_to(end);
    fresh_line_ = false;
  }

  void add(TokenKind kind, std::size_t end) {
    out_.tokens.push_back({.kind = kind,
                           .offset = static_cast<std::uint32_t>(at_),
                           .length = static_cast<std::uint32_t>(end - at_),
                           .line = line_,
                           .column = column()});
    advance_to(end);
    fresh_line_ = false;
  }

  void token(char c) {
    if (is_word_start(c) || c == '$') {  // every CUDA compiler takes `$` in names
      word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (c == '"' || c == '\'') {
      add(c == '"' ? TokenKind::string : TokenKind::character, end_of_quoted(at_, c));
    } else {
      if (const std::size_t end = end_of_spaced_launch(); end > 0) {
        add(TokenKind::punctuator, end);
        out_.tokens.back().spelling = static_cast<int>(out_.spellings.size());
        out_.spellings.emplace_back("<<<");
        return;
      }
      for (const std::string_view p : punctuators)
        if (text_.substr(at_, p.size()) == p) return add(TokenKind::punctuator, at_ + p.size());
      add(TokenKind::punctuator, at_ + 1);
    }
  }

  /// After `<< <`, as some editors write a launch; 0: it is none. Of `operator<< <T>` the last `<` is apart.
  std::size_t end_of_spaced_launch() const {
    if (text_[at_] != '<') return 0;
    if (!out_.tokens.empty() && out_.of(static_cast<int>(out_.tokens.size()) - 1) == "operator") return 0;
    std::size_t end = at_;
    for (int found = 0; found < 3; ++found) {
      constexpr std::size_t most_between = 8;
      const std::size_t from = end;
      while (end < text_.size() && end < from + most_between && is_blank(text_[end])) ++end;
      if (end >= text_.size() || text_[end] != '<') return 0;
      ++end;
    }
    return end > at_ + 3 ? end : 0;
  }

  void word() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '$')) ++end;
    const std::string_view w = text_.substr(at_, end - at_);
    const bool prefix = w == "L" || w == "u" || w == "U" || w == "u8";
    const bool raw = w == "R" || w == "LR" || w == "uR" || w == "UR" || w == "u8R";
    const char next = end < text_.size() ? text_[end] : '\0';
    if (raw && next == '"') return add(TokenKind::string, end_of_raw(end));
    if (prefix && (next == '"' || next == '\''))
      return add(next == '"' ? TokenKind::string : TokenKind::character, end_of_quoted(end, next));
    add(TokenKind::identifier, end);
  }

  void number() {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const char c = text_[end], before = text_[end - 1];
      const bool exponent_sign =
          (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool hex_e = text_.substr(at_, 2) == "0x" && (before == 'e' || before == 'E');
      const bool separator = c == '\'' && end + 1 < text_.size() && is_word(text_[end + 1]);
      if (!is_word(c) && c != '.' && !(exponent_sign && !hex_e) && !separator) break;
      ++end;
    }
    add(TokenKind::number, end);
  }

  std::size_t end_of_quoted(std::size_t open, char quote) {
    for (std::size_t i = open + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        return i + 1;
      } else if (text_[i] == '\n') {
        return i;  // the compiler says it better
      }
    }
    return text_.size();
  }

  std::size_t end_of_raw(std::size_t open) {
    const std::size_t delimiter = text_.substr(open + 1, 17).find('(');  // of at most 16 characters
    if (delimiter == std::string_view::npos) return end_of_quoted(open, '"');
    const std::string closing = ")" + std::string(text_.substr(open + 1, delimiter)) + "\"";
    const std::size_t close = text_.find(closing, open + 1 + delimiter);
    if (close == std::string_view::npos) {
      mistake(line_, column(), "this raw string is never closed", "end it with " + closing);
      return text_.size();
    }
    return close + closing.size();
  }

  std::string_view text_;
  Lexed out_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
  bool fresh_line_ = true;
};

/// Drops `//`, `///`, `/*`, a leading `*` and a closing `*/`, then blanks.
std::string_view without_markers(std::string_view s) {
  s = trimmed(s);
  if (s.starts_with("//") || s.starts_with("/*")) {
    s.remove_prefix(2);
    while (!s.empty() && (s.front() == '/' || s.front() == '*' || s.front() == '!')) s.remove_prefix(1);
  } else if (s.starts_with("*") && !s.starts_with("*/")) {
    s.remove_prefix(1);
  }
  if (s.ends_with("*/")) s.remove_suffix(2);
  return trimmed(s);
}

}  // namespace

int Lexed::last_before(std::uint32_t offset) const {
  const auto it = std::partition_point(tokens.begin(), tokens.end(), [&](const Token& t) { return t.offset < offset; });
  return static_cast<int>(it - tokens.begin()) - 1;
}

Lexed lex_plainly(std::string_view text) { return Lexer(text).run(); }

void pair_brackets(Lexed& lexed) {
  lexed.match.assign(lexed.tokens.size(), -1);
  lexed.balanced = true;
  lexed.too_deep = -1;
  std::vector<int> open;
  for (int i = 0; i < lexed.count(); ++i) {
    const std::string_view word = lexed.of(i);
    if (lexed.token(i).kind != TokenKind::punctuator || word.size() != 1) continue;
    const char c = word.front();
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
      if (open.size() > most_nested && lexed.too_deep < 0) lexed.too_deep = i;
    } else if (c == ')' || c == ']' || c == '}') {
      const std::string_view wanted = c == ')' ? "(" : c == ']' ? "[" : "{";
      if (open.empty() || lexed.of(open.back()) != wanted) {
        lexed.balanced = false;
        continue;
      }
      lexed.match[static_cast<std::size_t>(open.back())] = i;
      lexed.match[static_cast<std::size_t>(i)] = open.back();
      open.pop_back();
    }
  }
  lexed.balanced = lexed.balanced && open.empty();
}

std::string joined(const Lexed& lexed, int first, int last) {
  std::string out;
  for (int i = first; i <= last && i < lexed.count(); ++i) {
    const std::string_view t = lexed.of(i);
    if (!out.empty() && !t.empty() && is_word(out.back()) && is_word(t.front())) out += ' ';
    if (!out.empty() && !t.empty() && (t == "*" || t == "&") && is_word(out.back())) out += ' ';
    out += t;
  }
  return out;
}

std::vector<CommentLine> comment_lines(const Lexed& lexed) {
  std::vector<CommentLine> out;
  int group = -1;
  int token_before = -2;
  for (const Comment& c : lexed.comments) {
    const int token = lexed.last_before(c.offset);
    // Code between two comments parts them; so does an empty line.
    const bool same = !out.empty() && token == token_before && c.line <= out.back().line + 2;
    if (!same) ++group;
    token_before = token;
    std::size_t start = c.offset;
    int line = c.line;
    int column = c.column;
    const std::size_t end = c.offset + c.length;
    while (start <= end) {
      const std::size_t stop = std::min(lexed.text.find('\n', start), end);
      const std::string_view raw = lexed.text.substr(start, stop - start);
      const std::string_view text = without_markers(raw);
      const auto shift = text.data() == nullptr ? std::size_t{0} : static_cast<std::size_t>(text.data() - raw.data());
      out.push_back({.text = text,
                     .offset = static_cast<std::uint32_t>(start + shift),
                     .line = line,
                     .column = column + static_cast<int>(shift),
                     .group = group,
                     .comment = static_cast<int>(&c - lexed.comments.data())});
      start = stop + 1;
      ++line;
      column = 1;
    }
  }
  return out;
}

bool after_code(const Lexed& lexed, const CommentLine& line) {
  const int before = lexed.last_before(line.offset);
  return before >= 0 && lexed.token(before).line == line.line;
}

}  // namespace lanescope::source
