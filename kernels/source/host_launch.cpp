#include "kernels/source/host_launch.h"

#include <cstdlib>
#include <string_view>

namespace lanescope::source {
namespace {

using Extents = std::array<std::uint32_t, 3>;
constexpr int deepest = 12;  ///< constants defined by constants

/// Evaluates constant expressions of the text by looking names up in it.
class Constants {
 public:
  explicit Constants(const Lexed& lexed) : lexed_(lexed) {}

  /// Value of tokens [first, last); names are looked up before `first`.
  std::optional<std::int64_t> value(int first, int last, int depth = 0) const {
    if (first >= last || depth > deepest) return {};
    Cursor c{first, last, first, depth};
    const auto v = shift(c);
    return c.at == last ? v : std::nullopt;
  }

  /// Extents of tokens [first, last): a number, dim3(a, b, c), or the name of a dim3.
  std::optional<Extents> extents(int first, int last, int depth = 0) const {
    if (first >= last || depth > deepest) return {};
    if (lexed_.is(first, "dim3") && last - first > 2 && lexed_.partner(first + 1) == last - 1)
      return list(first + 2, last - 1, depth);
    if (last - first == 1 && lexed_.token(first).kind == TokenKind::identifier) {
      if (const auto e = dim3_named(lexed_.of(first), first, depth)) return e;
    }
    const auto n = value(first, last, depth);
    if (!n || *n < 1 || *n > 0x7fffffff) return {};
    return Extents{static_cast<std::uint32_t>(*n), 1, 1};
  }

 private:
  struct Cursor {
    int at, last, use, depth;  ///< `use`: names are looked up before this token
  };

  bool take(Cursor& c, std::string_view s) const {
    if (c.at >= c.last || !lexed_.is(c.at, s)) return false;
    ++c.at;
    return true;
  }
  /// `<<` and `>>` may be one token or two.
  bool take_twice(Cursor& c, std::string_view twice) const {
    if (take(c, twice)) return true;
    if (c.at + 1 < c.last && lexed_.is(c.at, twice.substr(0, 1)) && lexed_.is(c.at + 1, twice.substr(0, 1))) {
      c.at += 2;
      return true;
    }
    return false;
  }

  std::optional<std::int64_t> shift(Cursor& c) const {
    auto a = sum(c);
    while (a) {
      const bool left = take_twice(c, "<<");
      if (!left && !take_twice(c, ">>")) break;
      const auto b = sum(c);
      if (!b || *b < 0 || *b > 62) return {};
      a = left ? *a << *b : *a >> *b;
    }
    return a;
  }
  std::optional<std::int64_t> sum(Cursor& c) const {
    auto a = product(c);
    while (a) {
      const bool plus = take(c, "+");
      if (!plus && !take(c, "-")) break;
      const auto b = product(c);
      if (!b) return {};
      a = plus ? *a + *b : *a - *b;
    }
    return a;
  }
  std::optional<std::int64_t> product(Cursor& c) const {
    auto a = unary(c);
    while (a && c.at < c.last) {
      const std::string_view op = lexed_.of(c.at);
      if (op != "*" && op != "/" && op != "%") break;
      ++c.at;
      const auto b = unary(c);
      if (!b || (op != "*" && *b == 0) || std::abs(*a) > (std::int64_t{1} << 40) ||
          std::abs(*b) > (std::int64_t{1} << 20))
        return {};
      a = op == "*" ? *a * *b : op == "/" ? *a / *b : *a % *b;
    }
    return a;
  }
  std::optional<std::int64_t> unary(Cursor& c) const {
    if (take(c, "-")) {
      const auto a = unary(c);
      return a ? std::optional(-*a) : std::nullopt;
    }
    if (c.at >= c.last) return {};
    if (lexed_.is(c.at, "(")) return parenthesis(c);
    const Token& t = lexed_.token(c.at);
    if (t.kind == TokenKind::number) return number(lexed_.of(c.at++));
    if (t.kind != TokenKind::identifier) return {};
    if (lexed_.is(c.at, "sizeof")) return size_of(c);
    const std::string_view name = lexed_.of(c.at++);
    if (c.at + 1 < c.last && lexed_.is(c.at, ".")) {
      const std::string_view part = lexed_.of(c.at + 1);
      const auto e = dim3_named(name, c.use, c.depth);
      if (!e || (part != "x" && part != "y" && part != "z")) return {};
      c.at += 2;
      return (*e)[static_cast<std::size_t>(part[0] - 'x')];
    }
    return named(name, c.use, c.depth);
  }
  /// A parenthesis, or a cast such as `(size_t)n`, which changes nothing here.
  std::optional<std::int64_t> parenthesis(Cursor& c) const {
    const int close = lexed_.partner(c.at);
    if (close < 0 || close >= c.last) return {};
    const int open = c.at;
    c.at = close + 1;
    if (const auto v = value_at(open + 1, close, c)) return v;
    const bool cast = close == open + 2 && type_bytes(lexed_.of(open + 1)) > 0;
    return cast ? unary(c) : std::nullopt;
  }
  std::optional<std::int64_t> value_at(int first, int last, const Cursor& c) const {
    Cursor inner{first, last, c.use, c.depth + 1};
    if (first >= last || inner.depth > deepest) return {};
    const auto v = shift(inner);
    return inner.at == last ? v : std::nullopt;
  }
  static std::optional<std::int64_t> number(std::string_view text) {
    const std::string digits(text);
    char* end = nullptr;
    const long long v = std::strtoll(digits.c_str(), &end, 0);
    if (std::string_view(end).find_first_not_of("uUlL") != std::string_view::npos) return {};
    return v;
  }
  std::optional<std::int64_t> size_of(Cursor& c) const {
    if (c.at + 1 >= c.last) return {};
    const int close = lexed_.partner(c.at + 1);
    if (close < 0 || close >= c.last) return {};
    const int bytes = type_bytes(lexed_.of(close - 1));
    c.at = close + 1;
    return bytes > 0 ? std::optional<std::int64_t>(bytes) : std::nullopt;
  }
  static int type_bytes(std::string_view type) {
    struct Size {
      std::string_view name;
      int bytes;
    };
    static constexpr std::array<Size, 20> sizes = {
        {{"char", 1},   {"bool", 1},     {"uint8_t", 1}, {"int8_t", 1},   {"short", 2},   {"__half", 2}, {"half", 2},
         {"int", 4},    {"unsigned", 4}, {"uint", 4},    {"uint32_t", 4}, {"int32_t", 4}, {"float", 4},  {"__half2", 4},
         {"double", 8}, {"long", 8},     {"size_t", 8},  {"uint64_t", 8}, {"float2", 8},  {"float4", 16}}};
    for (const Size& s : sizes)
      if (s.name == type) return s.bytes;
    return 0;
  }

  /// `name = constant` or `name(constant)` nearest before `use` that is a constant, else `#define name constant`.
  std::optional<std::int64_t> named(std::string_view name, int use, int depth) const {
    for (int i = use - 1; i > 0; --i) {
      if (!lexed_.is(i, name) || !lexed_.is(i + 1, "=")) continue;
      if (const auto v = value(i + 2, end_of_initializer(i + 2), depth + 1)) return v;
    }
    for (const Directive& d : lexed_.directives) {
      const std::string_view text = lexed_.text.substr(d.offset, d.length);
      const std::size_t at = text.find(name);
      if (text.find("define") == std::string_view::npos || at == std::string_view::npos) continue;
      if (is_word(text[at - 1]) || at + name.size() >= text.size() || text[at + name.size()] != ' ') continue;
      const Lexed body = lex(text.substr(at + name.size()));
      if (const auto v = Constants(body).value(0, body.count(), depth + 1)) return v;
    }
    return {};
  }
  int end_of_initializer(int i) const {
    while (i < lexed_.count() && !lexed_.is(i, ";") && !lexed_.is(i, ",") && !lexed_.is(i, ")"))
      i = lexed_.partner(i) > i ? lexed_.partner(i) + 1 : i + 1;
    return i;
  }

  std::optional<Extents> dim3_named(std::string_view name, int use, int depth) const {
    for (int i = use - 1; i > 0; --i) {
      if (!lexed_.is(i, name) || i + 1 >= lexed_.count()) continue;
      const bool declared = lexed_.is(i - 1, "dim3") && (lexed_.is(i + 1, "(") || lexed_.is(i + 1, "{"));
      if (declared && lexed_.partner(i + 1) > i) return list(i + 2, lexed_.partner(i + 1), depth + 1);
      if (lexed_.is(i + 1, "=") && lexed_.is(i + 2, "dim3"))
        return extents(i + 2, end_of_initializer(i + 2), depth + 1);
    }
    return {};
  }

  /// "a, b, c", at most three.
  std::optional<Extents> list(int first, int last, int depth) const {
    Extents e{1, 1, 1};
    std::size_t n = 0;
    for (int i = first; i < last; ++n) {
      int end = i;
      while (end < last && !lexed_.is(end, ",")) end = lexed_.partner(end) > end ? lexed_.partner(end) + 1 : end + 1;
      const auto v = value(i, end, depth + 1);
      if (!v || *v < 1 || n > 2) return {};
      e[n] = static_cast<std::uint32_t>(*v);
      i = end + 1;
    }
    return e;
  }

  const Lexed& lexed_;
};

/// Token after a run of `<` or `>` characters that spell `run` at token i; -1 when they do not.
int after_run(const Lexed& lexed, int i, std::string_view run) {
  const std::uint32_t offset = lexed.token(i).offset;
  if (lexed.text.substr(offset, run.size()) != run) return -1;
  int j = i;
  while (j < lexed.count() && lexed.token(j).offset < offset + run.size()) ++j;
  return j;
}

/// Cuts [first, last) at commas outside brackets.
std::vector<std::pair<int, int>> pieces(const Lexed& lexed, int first, int last) {
  std::vector<std::pair<int, int>> out;
  int begin = first;
  for (int i = first; i<last; i = lexed.partner(i)> i ? lexed.partner(i) + 1 : i + 1) {
    if (!lexed.is(i, ",")) continue;
    out.emplace_back(begin, i);
    begin = i + 1;
  }
  if (begin < last) out.emplace_back(begin, last);
  return out;
}

/// Bytes that `cudaMalloc(&name, bytes)` gave, where they are a constant.
std::optional<std::uint64_t> allocated(const Lexed& lexed, const Constants& constants, std::string_view name,
                                       int before) {
  for (int i = before - 1; i >= 0; --i) {
    const bool call = lexed.is(i, "cudaMalloc") || lexed.is(i, "cudaMallocManaged");
    if (!call || !lexed.is(i + 1, "(") || lexed.partner(i + 1) < 0) continue;
    const auto parts = pieces(lexed, i + 2, lexed.partner(i + 1));
    if (parts.size() < 2 || !lexed.is(parts[0].second - 1, name)) continue;
    const auto v = constants.value(parts[1].first, parts[1].second);
    if (v && *v > 0) return static_cast<std::uint64_t>(*v);
  }
  return {};
}

/// The kernel's name that ends just before token `i`, with template arguments.
std::string name_before(const Lexed& lexed, int i) {
  int first = i - 1;
  if (first >= 0 && lexed.is(first, ">"))
    while (first > 0 && !lexed.is(first, "<") && !lexed.is(first, ";")) --first;
  if (first < i - 1) --first;
  return first >= 0 && lexed.token(first).kind == TokenKind::identifier ? joined(lexed, first, i - 1) : "";
}

}  // namespace

std::vector<HostLaunch> host_launches(const Lexed& lexed) {
  std::vector<HostLaunch> out;
  const Constants constants(lexed);
  for (int i = 1; i < lexed.count(); ++i) {
    const int inside = after_run(lexed, i, "<<<");
    if (inside < 0) continue;
    int close = inside;
    while (close < lexed.count() && after_run(lexed, close, ">>>") < 0 && !lexed.is(close, ";")) ++close;
    if (close >= lexed.count() || lexed.is(close, ";")) continue;
    HostLaunch launch{.kernel = name_before(lexed, i),
                      .line = lexed.token(i).line,
                      .grid = {},
                      .block = {},
                      .shared_bytes = {},
                      .arguments = {}};
    if (launch.kernel.empty()) continue;
    const auto sizes = pieces(lexed, inside, close);
    if (!sizes.empty()) launch.grid = constants.extents(sizes[0].first, sizes[0].second);
    if (sizes.size() > 1) launch.block = constants.extents(sizes[1].first, sizes[1].second);
    if (sizes.size() > 2)
      if (const auto bytes = constants.value(sizes[2].first, sizes[2].second); bytes && *bytes >= 0)
        launch.shared_bytes = static_cast<std::uint32_t>(*bytes);
    const int open = after_run(lexed, close, ">>>");
    if (open < lexed.count() && lexed.is(open, "(") && lexed.partner(open) > open) {
      for (const auto& [first, last] : pieces(lexed, open + 1, lexed.partner(open))) {
        HostLaunch::Argument a{
            .text = joined(lexed, first, last - 1), .value = constants.value(first, last), .bytes = {}};
        if (last - first == 1) a.bytes = allocated(lexed, constants, lexed.of(first), i);
        launch.arguments.push_back(std::move(a));
      }
    }
    out.push_back(std::move(launch));
    i = close;
  }
  return out;
}

}  // namespace lanescope::source
