#include "kernels/ptx/parser.h"

#include <array>
#include <cstring>

#include "kernels/base/text.h"

namespace lanescope::ptx {
namespace {

constexpr std::string_view kProbe = "lanescope.probe ";

constexpr std::array<bool, 256> word_characters() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[c] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (const char c : {'_', '$', '%', '.'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kWord = word_characters();

bool is_word(char c) { return kWord[static_cast<unsigned char>(c)]; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

}  // namespace

Token Scanner::next() {
  Token token;
  if (skip_blanks(token)) return token;
  token.line = line_;
  if (at_ == end_) return token;
  const char c = *at_;
  if (is_word(c)) {
    scan_word(token);
  } else if (c == '"') {
    scan_text(token);
  } else if (c == '\'' && end_ - at_ > 2 && at_[1] != '\n' && at_[2] == '\'') {
    token.kind = Token::Kind::number;
    token.text = {at_, 3};
    at_ += 3;
  } else {
    const bool known = c != 0 && std::strchr(",;(){}[]<>@!+-*/&|^~?:=#", c) != nullptr;
    token.kind = known ? Token::Kind::punctuation : Token::Kind::bad;
    token.mark = c;
    token.text = {at_++, 1};
  }
  statement_may_begin_ = token.mark == ';' || token.mark == '{' || token.mark == '}' || token.mark == ':';
  return token;
}

char Scanner::peek() const {
  const char* at = at_;
  while (at != end_ && is_blank(*at)) ++at;
  return at == end_ ? 0 : *at;
}

bool Scanner::skip_block() {
  Token ignored;
  statement_may_begin_ = false;
  while (at_ != end_) {
    const char c = *at_;
    if (c == '/' && at_ + 1 != end_ && at_[1] == '/') {
      skip_comment(ignored);
      continue;
    }
    if (c == '\n') ++line_;
    ++at_;
    if (c == '}') return true;
  }
  return false;
}

// True when a probe ended the search; `probe` is then the token.
bool Scanner::skip_blanks(Token& probe) {
  while (at_ != end_) {
    if (is_blank(*at_)) {
      if (*at_ == '\n') ++line_;
      ++at_;
    } else if (*at_ == '/' && at_ + 1 != end_ && (at_[1] == '/' || at_[1] == '*')) {
      if (skip_comment(probe)) return true;
    } else {
      return false;
    }
  }
  return false;
}

// At "//" or "/*". True when it was a probe.
bool Scanner::skip_comment(Token& probe) {
  if (at_[1] == '*') {
    for (at_ += 2; at_ != end_; ++at_) {
      if (*at_ == '\n') ++line_;
      if (*at_ == '*' && at_ + 1 != end_ && at_[1] == '/') return at_ += 2, false;
    }
    return false;
  }
  const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
  const char* stop = newline ? static_cast<const char*>(newline) : end_;
  std::string_view comment(at_ + 2, static_cast<std::size_t>(stop - at_) - 2);
  at_ = stop;
  if (!statement_may_begin_) return false;
  const std::size_t first = comment.find_first_not_of(" \t");
  if (first == std::string_view::npos || !comment.substr(first).starts_with(kProbe)) return false;
  probe.kind = Token::Kind::probe;
  probe.line = line_;
  probe.text = comment.substr(first + kProbe.size());
  return true;
}

// Blanks between words may be missing where they cannot be taken for one: `.reg.f32%f` is three, since a directive has no
// point inside and '%' only begins a name. `add.f32`, `%tid.x` and `v.x` are one.
void Scanner::scan_word(Token& token) {
  const char* begin = at_;
  const bool number = is_digit(*at_) || (*at_ == '.' && at_ + 1 != end_ && is_digit(at_[1]));
  const bool directive = !number && *at_ == '.';
  while (at_ != end_) {
    if (!number && at_ != begin && (*at_ == '%' || (directive && *at_ == '.'))) break;
    if (is_word(*at_)) {
      ++at_;
    } else if (!number && end_ - at_ > 2 && at_[0] == ':' && at_[1] == ':' && is_word(at_[2])) {
      at_ += 2;
    } else {
      break;
    }
  }
  if (number) scan_number_tail(begin);
  token.kind = number ? Token::Kind::number : Token::Kind::word;
  token.text = {begin, static_cast<std::size_t>(at_ - begin)};
}

// "1.5e" + "-3": a decimal floating constant is the only number with a sign inside.
void Scanner::scan_number_tail(const char* begin) {
  if (*begin == '0' && begin + 1 != end_ && std::strchr("xXfFdDbB", begin[1]) && begin[1]) return;
  if ((at_[-1] != 'e' && at_[-1] != 'E') || end_ - at_ < 2 || (*at_ != '+' && *at_ != '-') || !is_digit(at_[1])) return;
  ++at_;
  while (at_ != end_ && is_digit(*at_)) ++at_;
}

void Scanner::scan_text(Token& token) {
  const char* begin = ++at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\n') {
    if (*at_ == '\\' && at_ + 1 != end_ && at_[1] != '\n') ++at_;
    ++at_;
  }
  token.kind = at_ != end_ && *at_ == '"' ? Token::Kind::text : Token::Kind::bad;
  token.text = {begin, static_cast<std::size_t>(at_ - begin)};
  if (token.kind == Token::Kind::text) ++at_;
}

}  // namespace lanescope::ptx
