#include "kernels/source/header/host_constants.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lanescope::source {
namespace {

constexpr int deepest = 12;  ///< parentheses in an expression, macros in macros
constexpr std::int64_t longest_extent = 0x7fffffff;

struct Type {
  std::string_view name;
  int bytes;
  bool integer;
};
constexpr std::array<Type, 22> types = {{
    {"char", 1, true},     {"bool", 1, true},    {"uint8_t", 1, true},  {"int8_t", 1, true},   {"short", 2, true},
    {"__half", 2, false},  {"half", 2, false},   {"int", 4, true},      {"unsigned", 4, true}, {"uint", 4, true},
    {"uint32_t", 4, true}, {"int32_t", 4, true}, {"float", 4, false},   {"__half2", 4, false}, {"double", 8, false},
    {"long", 8, true},     {"size_t", 8, true},  {"uint64_t", 8, true}, {"int64_t", 8, true},  {"float2", 8, false},
    {"float4", 16, false}, {"int4", 16, false},
}};

const Type* type_called(std::string_view name) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const Type& t) { return t.name == name; });
  return found == types.end() ? nullptr : &*found;
}

bool is_integer(std::string_view name) {
  const Type* t = type_called(name);
  return t != nullptr && t->integer;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '\'');
  char* end = nullptr;
  const long long v = std::strtoll(digits.c_str(), &end, 0);
  if (std::string_view(end).find_first_not_of("uUlL") != std::string_view::npos) return {};
  return v;
}

std::optional<std::uint32_t> extent(const std::optional<std::int64_t>& v) {
  if (!v || *v < 1 || *v > longest_extent) return {};
  return static_cast<std::uint32_t>(*v);
}

}  // namespace

std::vector<std::pair<int, int>> pieces(const Lexed& lexed, int first, int last) {
  std::vector<std::pair<int, int>> out;
  int begin = first;
  for (int i = first; i < last; i = std::max(i, lexed.partner(i)) + 1) {
    if (!lexed.is(i, ",")) continue;
    out.emplace_back(begin, i);
    begin = i + 1;
  }
  if (begin < last) out.emplace_back(begin, last);
  return out;
}

HostConstants::HostConstants(const Lexed& lexed) : lexed_(lexed) { macros(); }

/// `#define NAME expression`. The first one counts: conditionals are not evaluated.
void HostConstants::macros() {
  for (const Directive& d : lexed_.directives) {
    std::string_view text = lexed_.text.substr(d.offset + 1, d.length - 1);
    const auto blanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); };
    blanks();
    if (!text.starts_with("define")) continue;
    text.remove_prefix(6);
    blanks();
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == 0 || end >= text.size() || text[end] == '(') continue;
    macros_.try_emplace(text.substr(0, end), Macro{.text = text.substr(end), .value = {}});
  }
}

// --- definitions -----------------------------------------------------------------------------------------------------

void HostConstants::read(int i) {
  const std::string_view t = lexed_.of(i);
  if (lexed_.partner(i) > i) brackets_.push_back(i);
  if (lexed_.partner(i) >= 0 && lexed_.partner(i) < i && !brackets_.empty()) brackets_.pop_back();
  if (lexed_.token(i).kind != TokenKind::identifier) return;
  if (t == "dim3") return declarators(i, true);
  if (t == "cudaMalloc" || t == "cudaMallocManaged") return allocation(i);
  if (is_integer(t)) return declarators(i, false);
  assignment(i);
}

/// Every declarator behind a type: `dim3 grid(8), *p = &grid, block{128}`. Each `,` must lead to another declarator.
void HostConstants::declarators(int i, bool is_dim3) {
  if (i > 0 && !is_dim3 && is_integer(lexed_.of(i - 1))) return;  // `unsigned int`: read at its first word
  const bool in_parentheses = !brackets_.empty() && lexed_.is(brackets_.back(), "(");
  int at = i + 1;
  while (at < lexed_.count() && (lexed_.is(at, "const") || (!is_dim3 && is_integer(lexed_.of(at))))) ++at;
  for (;;) {
    const int behind = declarator(at, is_dim3, in_parentheses);
    if (behind <= at || !lexed_.is(behind, ",")) return;
    at = behind + 1;
  }
}

/// Behind the declarator at `i`; `i` itself when there is none.
int HostConstants::declarator(int i, bool is_dim3, bool in_parentheses) {
  int at = i;
  bool pointer = false;
  for (; at < lexed_.count(); ++at) {
    const bool star = lexed_.is(at, "*");
    if (!star && !lexed_.is(at, "&") && !lexed_.is(at, "const") && !lexed_.is(at, "__restrict__")) break;
    pointer = pointer || star;
  }
  if (at + 1 >= lexed_.count() || lexed_.token(at).kind != TokenKind::identifier) return i;
  const std::string_view name = lexed_.of(at++);
  if (name == "dim3" || type_called(name) != nullptr) return i;  // the next parameter
  const bool array = lexed_.is(at, "[");
  while (lexed_.is(at, "[") && lexed_.partner(at) > at) at = lexed_.partner(at) + 1;
  const bool bracket = (lexed_.is(at, "(") || lexed_.is(at, "{")) && lexed_.partner(at) > at;
  const bool plain = lexed_.is(at, ",") || lexed_.is(at, ";") || lexed_.is(at, ")");
  if (!bracket && !plain && !lexed_.is(at, "=")) return i;
  const int first = bracket || lexed_.is(at, "=") ? at + 1 : at;
  const int last = bracket ? lexed_.partner(at) : lexed_.is(at, "=") ? end_of_initializer(first) : at;
  const int behind = bracket ? last + 1 : last;
  if (pointer || array) {
    numbers_.erase(name);
    dim3s_.erase(name);
  } else if (bracket && is_dim3) {
    const std::optional<Extents> e = first < last ? list(first, last) : Extents{1, 1, 1};
    dim3s_.erase(name);
    if (e) dim3s_[name] = *e;
  } else if (plain) {  // a parameter, or a variable that gets its value later
    numbers_.erase(name);
    dim3s_.erase(name);
    if (is_dim3 && !in_parentheses) dim3s_[name] = {1, 1, 1};
  } else {
    set(name, first, last, is_dim3);
  }
  return behind;
}

/// `name = ...`, `name.x = ...`; what else changes a variable makes it unknown.
void HostConstants::assignment(int i) {
  const std::string_view name = lexed_.of(i), next = i + 1 < lexed_.count() ? lexed_.of(i + 1) : std::string_view();
  const bool assigned = next == "=";
  const bool changed = next == "++" || next == "--" || next == "+=" || next == "-=" || next == "*=" || next == "/=" ||
                       next == "%=" || next == "<<=" || next == ">>=" || next == "|=" || next == "&=" || next == "^=" ||
                       (i > 0 && (lexed_.is(i - 1, "++") || lexed_.is(i - 1, "--")));
  if (!assigned && !changed) return;
  if (i > 1 && (lexed_.is(i - 1, ".") || lexed_.is(i - 1, "->"))) {
    const auto whole = dim3s_.find(lexed_.of(i - 2));
    const bool part = name == "x" || name == "y" || name == "z";
    if (whole == dim3s_.end() || !part) return;
    const auto e = assigned ? extent(value(i + 2, end_of_initializer(i + 2))) : std::nullopt;
    if (e) {
      whole->second[static_cast<std::size_t>(name[0] - 'x')] = *e;
    } else {
      dim3s_.erase(whole);
    }
    return;
  }
  if (assigned) {
    set(name, i + 2, end_of_initializer(i + 2), dim3s_.contains(name) || lexed_.is(i + 2, "dim3"));
  } else {
    numbers_.erase(name);
    dim3s_.erase(name);
  }
}

/// A number that is no constant leaves the one before: `n = 1024; if (argc > 1) n = atoi(argv[1]);`
void HostConstants::set(std::string_view name, int first, int last, bool is_dim3) {
  if (lexed_.is(last, "=")) return;  // `a = b = 4`: b gets its value first
  if (is_dim3) {
    const bool braces = lexed_.is(first, "{") && lexed_.partner(first) == last - 1;
    const std::optional<Extents> e = braces ? list(first + 1, last - 1) : extents(first, last);
    dim3s_.erase(name);
    if (e) dim3s_[name] = *e;
  } else if (const auto v = value(first, last)) {
    numbers_[name] = *v;
  }
}

void HostConstants::allocation(int i) {
  if (!lexed_.is(i + 1, "(") || lexed_.partner(i + 1) < 0) return;
  const auto parts = pieces(lexed_, i + 2, lexed_.partner(i + 1));
  if (parts.size() < 2 || lexed_.token(parts[0].second - 1).kind != TokenKind::identifier) return;
  const auto v = value(parts[1].first, parts[1].second);
  if (v && *v > 0) bytes_[lexed_.of(parts[0].second - 1)] = static_cast<std::uint64_t>(*v);
}

int HostConstants::end_of_initializer(int i) const {
  while (i < lexed_.count() && !lexed_.is(i, ";") && !lexed_.is(i, ",") && !lexed_.is(i, "=") && !lexed_.is(i, ")") &&
         !lexed_.is(i, "}") && !lexed_.is(i, "]"))
    i = std::max(i, lexed_.partner(i)) + 1;
  return i;
}

// --- values ----------------------------------------------------------------------------------------------------------

std::optional<std::int64_t> HostConstants::value(int first, int last) const {
  if (first >= last) return {};
  Cursor c{first, last, 0};
  const auto v = shift(c);
  return c.at == last ? v : std::nullopt;
}

std::optional<Extents> HostConstants::extents(int first, int last) const {
  if (first >= last) return {};
  const bool called = lexed_.is(first, "dim3") && last - first > 2 && lexed_.partner(first + 1) == last - 1;
  if (called) return last - first == 3 ? Extents{1, 1, 1} : list(first + 2, last - 1);
  if (last - first == 1) {
    if (const auto known = dim3s_.find(lexed_.of(first)); known != dim3s_.end()) return known->second;
  }
  const auto n = extent(value(first, last));
  return n ? std::optional(Extents{*n, 1, 1}) : std::nullopt;
}

std::optional<std::uint64_t> HostConstants::allocated(std::string_view name) const {
  const auto known = bytes_.find(name);
  return known == bytes_.end() ? std::nullopt : std::optional(known->second);
}

/// "a, b, c", at most three.
std::optional<Extents> HostConstants::list(int first, int last) const {
  Extents e{1, 1, 1};
  const auto parts = pieces(lexed_, first, last);
  if (parts.empty() || parts.size() > 3) return {};
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const auto v = extent(value(parts[n].first, parts[n].second));
    if (!v) return {};
    e[n] = *v;
  }
  return e;
}

bool HostConstants::take(Cursor& c, std::string_view s) const {
  if (c.at >= c.last || !lexed_.is(c.at, s)) return false;
  ++c.at;
  return true;
}

/// `<<` and `>>` may be one token or two.
bool HostConstants::take_twice(Cursor& c, std::string_view twice) const {
  if (take(c, twice)) return true;
  const std::string_view once = twice.substr(0, 1);
  if (c.at + 1 >= c.last || !lexed_.is(c.at, once) || !lexed_.is(c.at + 1, once)) return false;
  c.at += 2;
  return true;
}

std::optional<std::int64_t> HostConstants::shift(Cursor& c) const {
  auto a = sum(c);
  while (a) {
    const bool left = take_twice(c, "<<");
    if (!left && !take_twice(c, ">>")) break;
    const auto b = sum(c);
    if (!b || *b < 0 || *b > 62) return {};
    std::int64_t shifted = *a >> *b;
    if (left && __builtin_mul_overflow(*a, std::int64_t{1} << *b, &shifted)) return {};
    a = shifted;
  }
  return a;
}

std::optional<std::int64_t> HostConstants::sum(Cursor& c) const {
  auto a = product(c);
  while (a) {
    const bool plus = take(c, "+");
    if (!plus && !take(c, "-")) break;
    const auto b = product(c);
    std::int64_t out = 0;
    if (!b || (plus ? __builtin_add_overflow(*a, *b, &out) : __builtin_sub_overflow(*a, *b, &out))) return {};
    a = out;
  }
  return a;
}

std::optional<std::int64_t> HostConstants::product(Cursor& c) const {
  auto a = unary(c);
  while (a && c.at < c.last) {
    const std::string_view op = lexed_.of(c.at);
    if (op != "*" && op != "/" && op != "%") break;
    ++c.at;
    const auto b = unary(c);
    if (!b || (op != "*" && (*b == 0 || *b == -1))) return {};
    std::int64_t out = 0;
    if (op == "*" && __builtin_mul_overflow(*a, *b, &out)) return {};
    a = op == "*" ? out : op == "/" ? *a / *b : *a % *b;
  }
  return a;
}

/// Signs and casts such as `(size_t)`, which change nothing here, then a value. A loop: there may be any number of them.
std::optional<std::int64_t> HostConstants::unary(Cursor& c) const {
  bool negative = false;
  for (;;) {
    if (take(c, "-")) {
      negative = !negative;
      continue;
    }
    if (take(c, "+")) continue;
    const int close = c.at < c.last && lexed_.is(c.at, "(") ? lexed_.partner(c.at) : -1;
    if (close < 0 || close + 1 >= c.last) break;
    bool cast = close > c.at + 1;
    for (int i = c.at + 1; i < close && cast; ++i) cast = type_called(lexed_.of(i)) != nullptr;
    if (!cast) break;
    c.at = close + 1;
  }
  const auto v = primary(c);
  std::int64_t out = 0;
  if (!v || !negative) return v;
  return __builtin_sub_overflow(std::int64_t{0}, *v, &out) ? std::nullopt : std::optional(out);
}

std::optional<std::int64_t> HostConstants::primary(Cursor& c) const {
  if (c.at >= c.last) return {};
  if (lexed_.is(c.at, "(")) return parenthesis(c);
  const Token& t = lexed_.token(c.at);
  if (t.kind == TokenKind::number) return number(lexed_.of(c.at++));
  if (t.kind != TokenKind::identifier) return {};
  if (lexed_.is(c.at, "sizeof")) return size_of(c);
  const std::string_view name = lexed_.of(c.at++);
  if (c.at + 1 < c.last && lexed_.is(c.at, ".")) {
    const std::string_view part = lexed_.of(c.at + 1);
    const auto e = dim3s_.find(name);
    if (e == dim3s_.end() || (part != "x" && part != "y" && part != "z")) return {};
    c.at += 2;
    return e->second[static_cast<std::size_t>(part[0] - 'x')];
  }
  return named(name);
}

std::optional<std::int64_t> HostConstants::parenthesis(Cursor& c) const {
  const int open = c.at, close = lexed_.partner(open);
  if (close < 0 || close >= c.last || c.depth >= deepest) return {};
  c.at = close + 1;
  Cursor inner{open + 1, close, c.depth + 1};
  const auto v = shift(inner);
  return inner.at == close ? v : std::nullopt;
}

std::optional<std::int64_t> HostConstants::size_of(Cursor& c) const {
  const int open = c.at + 1;
  if (open >= c.last || !lexed_.is(open, "(")) return {};
  const int close = lexed_.partner(open);
  if (close < 0 || close >= c.last || close == open + 1) return {};
  c.at = close + 1;
  if (lexed_.is(close - 1, "*")) return 8;
  const Type* t = type_called(lexed_.of(close - 1));
  return t == nullptr ? std::nullopt : std::optional<std::int64_t>(t->bytes);
}

/// A variable, else a macro, whose body is evaluated once.
std::optional<std::int64_t> HostConstants::named(std::string_view name) const {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const HostConstants& top = outer_ == nullptr ? *this : *outer_;
  const auto macro = top.macros_.find(name);
  if (macro == top.macros_.end()) return {};
  Macro& m = macro->second;
  if (m.evaluated || depth_ >= deepest) return m.value;
  m.evaluated = true;  // before it is: a macro that names itself has no value
  const Lexed body = lex(m.text);
  HostConstants within(body);
  within.outer_ = &top;
  within.depth_ = depth_ + 1;
  m.value = within.value(0, body.count());
  return m.value;
}

}  // namespace lanescope::source
