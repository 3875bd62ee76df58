#include "kernels/source/cxx/condition.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr int deepest_condition = 200;  ///< brackets and signs within each other

struct Number {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
  std::int64_t value() const { return static_cast<std::int64_t>(bits); }
};

Number of_bool(bool b) { return {.bits = b ? 1U : 0U}; }

/// How tightly a binary operator binds; 0: none.
int binds(std::string_view op) {
  if (op == "||" || op == "or") return 1;
  if (op == "&&" || op == "and") return 2;
  if (op == "|" || op == "bitor") return 3;
  if (op == "^" || op == "xor") return 4;
  if (op == "&" || op == "bitand") return 5;
  if (one_of(op, {"==", "!=", "not_eq"})) return 6;
  if (one_of(op, {"<", ">", "<=", ">="})) return 7;
  if (one_of(op, {"<<", ">>"})) return 8;
  if (one_of(op, {"+", "-"})) return 9;
  if (one_of(op, {"*", "/", "%"})) return 10;
  return 0;
}

class Conditioned {
 public:
  explicit Conditioned(const MacroTokens& tokens) : tokens_(tokens) {}

  std::optional<bool> run() {
    const Number n = ternary();
    if (failed_ || at_ < tokens_.size()) return std::nullopt;
    return n.bits != 0;
  }

 private:
  std::string_view word() const { return at_ < tokens_.size() ? std::string_view(tokens_[at_].text) : ""; }
  bool take(std::string_view w) {
    if (word() != w || at_ >= tokens_.size()) return false;
    ++at_;
    return true;
  }
  Number fail() {
    failed_ = true;
    return {};
  }

  Number ternary() {
    if (++depth_ > deepest_condition) return fail();
    Number c = binary(1);
    if (!failed_ && take("?")) {
      const int skipped = skipped_;
      skipped_ = skipped + (c.bits == 0 ? 1 : 0);
      const Number yes = ternary();
      if (!take(":")) return fail();
      skipped_ = skipped + (c.bits != 0 ? 1 : 0);
      const Number no = ternary();
      skipped_ = skipped;
      const bool is_unsigned = yes.is_unsigned || no.is_unsigned;
      c = c.bits != 0 ? yes : no;
      c.is_unsigned = is_unsigned;
    }
    --depth_;
    return c;
  }

  /// The operator at the cursor; `>` `>` with nothing between them is one.
  std::string_view operation(std::size_t& tokens) const {
    tokens = 1;
    if (at_ >= tokens_.size()) return "";
    const bool twice =
        word() == ">" && at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == ">" && !tokens_[at_ + 1].spaced;
    if (twice) tokens = 2;
    return twice ? ">>" : word();
  }

  Number binary(int least) {
    Number left = unary();
    for (;;) {
      if (failed_) return {};
      std::size_t tokens = 1;
      const std::string_view op = operation(tokens);
      const int strength = binds(op);
      if (strength < least || strength == 0) return left;
      at_ += tokens;
      const bool decided = (strength == 1 && left.bits != 0) || (strength == 2 && left.bits == 0);
      skipped_ += decided ? 1 : 0;
      const Number right = binary(strength + 1);
      skipped_ -= decided ? 1 : 0;
      if (failed_) return {};
      left = applied(op, strength, left, right);
    }
  }

  Number applied(std::string_view op, int strength, Number a, Number b) {
    const bool u = a.is_unsigned || b.is_unsigned;
    switch (strength) {
      case 1:
        return of_bool(a.bits != 0 || b.bits != 0);
      case 2:
        return of_bool(a.bits != 0 && b.bits != 0);
      case 3:
        return {a.bits | b.bits, u};
      case 4:
        return {a.bits ^ b.bits, u};
      case 5:
        return {a.bits & b.bits, u};
      case 6:
        return of_bool((a.bits == b.bits) == (op == "=="));
      case 7: {
        const bool less = u ? a.bits < b.bits : a.value() < b.value();
        const bool equal = a.bits == b.bits;
        return of_bool(op == "<" ? less : op == ">" ? !less && !equal : op == "<=" ? less || equal : !less);
      }
      case 8:
        return shifted(op == "<<", a, b);
      case 9:
        return {op == "+" ? a.bits + b.bits : a.bits - b.bits, u};
      default:
        return multiplied(op, a, b, u);
    }
  }

  static Number shifted(bool left, Number a, Number b) {
    const bool back = !b.is_unsigned && b.value() < 0;
    const std::uint64_t by = back ? 0 - b.bits : b.bits;
    if (left != back) return {by > 63 ? 0 : a.bits << by, a.is_unsigned};
    if (a.is_unsigned) return {by > 63 ? 0 : a.bits >> by, true};
    return {static_cast<std::uint64_t>(a.value() >> (by > 63 ? 63 : by)), false};
  }

  Number multiplied(std::string_view op, Number a, Number b, bool u) {
    if (op == "*") return {a.bits * b.bits, u};
    if (b.bits == 0) return skipped_ > 0 ? Number{} : fail();
    if (u) return {op == "/" ? a.bits / b.bits : a.bits % b.bits, true};
    if (b.value() == -1) return {op == "/" ? 0 - a.bits : 0, false};
    return {static_cast<std::uint64_t>(op == "/" ? a.value() / b.value() : a.value() % b.value()), false};
  }

  Number unary() {
    if (++depth_ > deepest_condition) return fail();
    Number out;
    if (take("!") || take("not")) {
      out = of_bool(unary().bits == 0);
    } else if (take("-")) {
      out = unary();
      out.bits = 0 - out.bits;
    } else if (take("+")) {
      out = unary();
    } else if (take("~") || take("compl")) {
      out = unary();
      out.bits = ~out.bits;
    } else if (take("(")) {
      out = ternary();
      if (!take(")")) return fail();
    } else {
      out = primary();
    }
    --depth_;
    return failed_ ? Number{} : out;
  }

  Number primary() {
    if (at_ >= tokens_.size()) return fail();
    const MacroToken& t = tokens_[at_++];
    if (t.kind == TokenKind::identifier) return of_bool(t.text == "true");
    if (t.kind == TokenKind::character) return character(t.text);
    if (t.kind != TokenKind::number) return fail();
    std::string digits;
    for (const char c : t.text)
      if (c != '\'') digits += lower(c);
    Number out;
    while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'l' || digits.back() == 'z')) {
      out.is_unsigned = out.is_unsigned || digits.back() == 'u';
      digits.pop_back();
    }
    const int base = digits.starts_with("0x") ? 16 : digits.starts_with("0b") ? 2 : digits.starts_with('0') ? 8 : 10;
    const char* first = digits.data() + (base == 16 || base == 2 ? 2 : 0);
    const char* last = digits.data() + digits.size();
    const auto [end, problem] = std::from_chars(first, last, out.bits, base);
    if (problem != std::errc() || end != last) return fail();
    out.is_unsigned = out.is_unsigned || out.value() < 0;
    return out;
  }

  /// 'a', '\n', '\0': what conditions compare with.
  Number character(std::string_view text) {
    const std::size_t open = text.find('\'');
    if (open == std::string_view::npos || text.size() < open + 3 || text.back() != '\'') return fail();
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    if (inside.size() == 1) return {.bits = static_cast<unsigned char>(inside.front())};
    if (inside.front() != '\\' || inside.size() != 2) return fail();
    const std::string_view letters = "0abtnvfr\\'\"?";
    constexpr unsigned char values[] = {0, 7, 8, 9, 10, 11, 12, 13, '\\', '\'', '"', '?'};
    const std::size_t which = letters.find(inside[1]);
    return which == std::string_view::npos ? fail() : Number{.bits = values[which]};
  }

  const MacroTokens& tokens_;
  std::size_t at_ = 0;
  int depth_ = 0, skipped_ = 0;
  bool failed_ = false;
};

bool is(const MacroTokens& tokens, std::size_t i, std::string_view word) {
  return i < tokens.size() && tokens[i].text == word;
}

MacroToken answer(bool yes) { return {.kind = TokenKind::number, .text = yes ? "1" : "0", .spaced = true}; }

std::optional<IncludeName> include_of(const MacroTokens& tokens, std::size_t first, std::size_t after) {
  if (first >= after) return std::nullopt;
  const std::string& word = tokens[first].text;
  if (tokens[first].kind == TokenKind::string && word.size() > 2 && word.front() == '"' && word.back() == '"')
    return IncludeName{.name = word.substr(1, word.size() - 2), .quoted = true};
  if (word != "<") return std::nullopt;
  IncludeName out;
  for (std::size_t i = first + 1; i < after && tokens[i].text != ">"; ++i) {
    if (tokens[i].spaced && !out.name.empty()) out.name += ' ';
    out.name += tokens[i].text;
  }
  return out.name.empty() ? std::nullopt : std::optional(out);
}

/// The value of __has_cpp_attribute as NVRTC 13.0 has it: the standard's for C++17, a year and a month.
int attribute_value(const MacroTokens& tokens, std::size_t first, std::size_t after, const MacroTable& macros) {
  static constexpr struct {
    std::string_view name;
    int value;
  } known[] = {{"nodiscard", 201907},   {"maybe_unused", 201603},       {"deprecated", 201309},
               {"fallthrough", 201603}, {"noreturn", 200809},           {"likely", 201803},
               {"unlikely", 201803},    {"carries_dependency", 200809}, {"__nodiscard__", 201907}};
  if (after != first + 1) return 0;  // of a namespace: none is known
  const std::string& name = tokens[first].text;
  // The table of macros has the number as the compiler gets it; before 2020 this attribute is none.
  const auto standard = macros.find("__cplusplus");
  const bool of_2020 =
      standard != macros.end() && !standard->second.body.empty() && standard->second.body.front().text >= "202002L";
  if (name == "no_unique_address") return of_2020 ? 201803 : 0;
  for (const auto& k : known)
    if (k.name == name) return k.value;
  return 0;
}

/// `defined X`, `__has_include(...)` and `__has_cpp_attribute(...)` answered; nothing when one of them is not well formed,
/// or is a question that only the compiler can answer.
std::optional<MacroTokens> asked(const MacroTokens& tokens, const MacroTable& macros, const HasInclude& has_include) {
  MacroTokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& word = tokens[i].text;
    const bool name = tokens[i].kind == TokenKind::identifier;
    if (name && word == "defined") {
      const bool bracket = is(tokens, i + 1, "(");
      const std::size_t at = i + (bracket ? 2 : 1);
      if (at >= tokens.size() || tokens[at].kind != TokenKind::identifier || (bracket && !is(tokens, at + 1, ")")))
        return std::nullopt;
      out.push_back(answer(is_defined(tokens[at].text, macros)));
      i = at + (bracket ? 1 : 0);
    } else if (name && word.starts_with("__has_") && is(tokens, i + 1, "(")) {
      std::size_t close = i + 1;
      for (int depth = 0; close < tokens.size(); ++close) {
        depth += tokens[close].text == "(" ? 1 : tokens[close].text == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      if (close >= tokens.size()) return std::nullopt;
      if (word == "__has_cpp_attribute") {
        out.push_back(answer(false));
        out.back().text = std::to_string(attribute_value(tokens, i + 2, close, macros));
        i = close;
        continue;
      }
      if (!word.starts_with("__has_include")) return std::nullopt;
      bool yes = false;
      {
        std::optional<IncludeName> asked_for = include_of(tokens, i + 2, close);
        if (!asked_for) {
          const MacroTokens inside(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                                   tokens.begin() + static_cast<std::ptrdiff_t>(close));
          if (const auto e = expanded(macros, inside)) asked_for = include_of(*e, 0, e->size());
        }
        yes = asked_for && has_include && has_include(asked_for->name, asked_for->quoted);
      }
      out.push_back(answer(yes));
      i = close;
    } else {
      out.push_back(tokens[i]);
    }
  }
  return out;
}

}  // namespace

bool is_defined(std::string_view name, const MacroTable& macros) {
  return macros.contains(name) ||
         one_of(name, {"__has_include", "__has_include_next", "__has_cpp_attribute", "__has_attribute", "__has_builtin",
                       "__has_feature", "__has_extension", "__FILE__", "__LINE__", "__DATE__", "__TIME__",
                       "__INCLUDE_LEVEL__", "__BASE_FILE__"});
}

std::optional<bool> condition(std::string_view text, const MacroTable& macros, const HasInclude& has_include) {
  std::optional<MacroTokens> tokens = asked(macro_tokens(text), macros, has_include);
  if (!tokens) return std::nullopt;
  tokens = expanded(macros, *tokens);
  if (!tokens) return std::nullopt;
  tokens = asked(*tokens, macros, has_include);  // a macro may have brought further questions
  if (!tokens) return std::nullopt;
  return Conditioned(*tokens).run();
}

std::optional<IncludeName> include_name(std::string_view text, const MacroTable& macros) {
  text = without_indent(text);
  if (text.starts_with('"') || text.starts_with('<')) {
    const std::size_t close = text.find(text.front() == '"' ? '"' : '>', 1);
    if (close == std::string_view::npos || close < 2) return std::nullopt;
    return IncludeName{.name = std::string(text.substr(1, close - 1)), .quoted = text.front() == '"'};
  }
  const std::optional<MacroTokens> tokens = expanded(macros, macro_tokens(text));
  return tokens ? include_of(*tokens, 0, tokens->size()) : std::nullopt;
}

}  // namespace lanescope::source
