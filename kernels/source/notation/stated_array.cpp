#include "kernels/source/notation/stated_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

constexpr int longest_constant = 1000;  ///< tokens; longer ones declare no constant
constexpr int most_words = 20;          ///< before the `const` of a declaration

using Numbers = tl::expected<std::vector<std::int64_t>, std::string>;

/// "(32, 128*1024)", "=(32,)", "{2,3}", "[4]", "32" after a word that ends at `at`.
Numbers list_at(std::string_view text, std::size_t at, const Values& values, std::string_view what) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t=:", at), text.size()));
  for (const std::string_view filler : {"is ", "of "})
    if (text.starts_with(filler)) text.remove_prefix(std::min(text.find_first_not_of(" \t=:", 3), text.size()));
  if (text.empty()) return tl::unexpected(fmt::format("there are no numbers after `{}`", what));
  std::string_view inside = text.substr(0, text.find_first_of(";,)]}"));
  if (std::string_view("([{").find(text.front()) != std::string_view::npos) {
    std::size_t open = 0;
    const auto bracket = bracket_at(text, open);
    if (!bracket) return tl::unexpected(fmt::format("the bracket after `{}` is not closed", what));
    inside = *bracket;
  }
  std::vector<std::int64_t> out;
  std::vector<std::string_view> parts = all_parts(inside, ",");
  if (parts.back().empty()) parts.pop_back();  // "(32,)" and "()"
  for (const std::string_view part : parts) {
    if (part.empty()) return tl::unexpected(fmt::format("a number is missing after `{}`", what));
    out.push_back(LS_TRY(evaluate(part, values)));
  }
  return out;
}

std::size_t after_word(const std::string& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (const std::size_t at = text.find(word); at != std::string::npos) return at + word.size();
  return std::string::npos;
}

bool is_const(std::string_view word) { return word == "const" || word == "constexpr" || word == "constinit"; }

/// The `;` of the declaration that token `i` is in; another token where it ends otherwise.
int end_of_declaration(const Lexed& lexed, int i) {
  const int last = std::min(lexed.count() - 1, i + longest_constant);
  for (; i < last && !lexed.is(i, ";"); ++i) {
    if (lexed.partner(i) >= 0 && lexed.partner(i) < i) return i;
    const bool named = i > 0 && lexed.token(i - 1).kind == TokenKind::identifier && !is_const(lexed.of(i - 1));
    if (lexed.is(i, "{") && !named && !lexed.is(i - 1, "=")) return i;  // the body of a function
    i = std::max(i, std::min(lexed.partner(i), last));
  }
  return i;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];  // 2^48 elements at most
  return strides;
}

/// `template <int N, class T = float, int M = 2 * N> __global__ void k(...)` launched as `k<16, float>`: N and M.
void template_arguments(const Lexed& lexed, const LaunchSpec& launch, Values& values) {
  const std::size_t angle = launch.kernel.find('<');
  const std::string_view name = std::string_view(launch.kernel).substr(0, angle);
  std::vector<std::string_view> given;
  if (angle != std::string::npos && launch.kernel.ends_with('>')) {
    const std::string_view list = std::string_view(launch.kernel).substr(angle + 1, launch.kernel.size() - angle - 2);
    int depth = 0;
    for (std::size_t i = 0, start = 0; i <= list.size(); ++i) {
      if (i < list.size() && (list[i] == '<' || list[i] == '(')) ++depth;
      if (i < list.size() && (list[i] == '>' || list[i] == ')')) --depth;
      if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
      given.push_back(trimmed(list.substr(start, i - start)));
      start = i + 1;
    }
  }
  const std::string_view last = name.substr(name.rfind(':') + 1);  // npos + 1 is 0
  int head = -1;
  for (int i = 0; i + 1 < lexed.count(); ++i) {
    if (lexed.is(i, "template") && lexed.is(i + 1, "<")) head = i + 2;
    if (lexed.is(i, "{") || lexed.is(i, ";")) head = -1;
    if (head < 0 || lexed.of(i) != last || !lexed.is(i + 1, "(")) continue;
    // Parameters from `head`, separated by commas outside of brackets, up to the `>` that ends the list.
    std::size_t n = 0;
    for (int k = head, start = head, depth = 0; k < i; ++k) {
      if (lexed.is(k, "<") || lexed.is(k, "(")) ++depth;
      if (lexed.is(k, ")")) --depth;
      const bool ends = lexed.is(k, ">") && depth == 0;
      if (lexed.is(k, ">")) --depth;
      if (!ends && !(lexed.is(k, ",") && depth == 0)) continue;
      int equals = start;
      while (equals < k && !lexed.is(equals, "=")) ++equals;
      std::string text(n < given.size() ? given[n] : std::string_view());
      if (text.empty() && equals + 1 < k) text = joined(lexed, equals + 1, k - 1);
      const bool number = !lexed.is(start, "class") && !lexed.is(start, "typename");
      if (number && equals > start && lexed.token(equals - 1).kind == TokenKind::identifier && !text.empty())
        if (const ConstantValue v = evaluate(text, values))
          values.insert_or_assign(std::string(lexed.of(equals - 1)), *v);
      ++n;
      start = k + 1;
      if (ends) return;
    }
    return;
  }
}

constexpr std::size_t most_listed = 8;
constexpr std::string_view openers = "([{", closers = ")]}";

}  // namespace

std::int64_t StatedArray::elements() const {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  return n;
}

ConstantValue evaluate(std::string_view text, const Values& values) {
  return constant_value(text, [&](std::string_view name) -> std::optional<std::int64_t> {
    const auto known = values.find(name);
    return known == values.end() ? std::nullopt : std::optional(known->second);
  });
}

tl::expected<StatedArray, std::string> read_stated_array(std::string_view text, const Values& values) {
  StatedArray out{.text = std::string(text)};
  const std::string words = lower(text);
  std::size_t at = after_word(words, {"shape-", "shape"});
  if (at == std::string::npos) {
    const bool one = after_word(words, {"scalar", "single element", "one element", "1 element"}) != std::string::npos;
    if (one) return out;
    if (!words.starts_with('(')) return tl::unexpected(fmt::format("`{}` states no shape", text));
    at = 0;
  }
  out.shape = LS_TRY(list_at(text, at, values, "shape"));
  std::int64_t elements = 1;
  for (const std::int64_t extent : out.shape) {
    if (extent <= 0) return tl::unexpected(fmt::format("an extent is {}", extent));
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > std::int64_t{1} << 48)
      return tl::unexpected(std::string("the shape has more than 2^48 elements"));
  }
  const std::size_t strides_at = after_word(words, {"strides", "stride"});
  if (strides_at == std::string::npos) {
    out.strides = contiguous_strides(out.shape);
    return out;
  }
  out.strides = LS_TRY(list_at(text, strides_at, values, "strides"));
  if (out.strides.size() != out.shape.size())
    return tl::unexpected(
        fmt::format("the shape has {} extents, but there are {} strides", out.shape.size(), out.strides.size()));
  for (const std::int64_t stride : out.strides)
    if (stride < 0) return tl::unexpected(fmt::format("a stride is {}", stride));
  return out;
}

Values known_values(const Lexed& lexed, const Header& header, const LaunchSpec& launch,
                    const std::function<bool(int token)>& visible) {
  Values out;
  std::map<std::string, std::optional<std::int64_t>, std::less<>> elsewhere;  // nullopt: they differ
  constexpr std::string_view axes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    out[fmt::format("gridDim.{}", axes[i])] = launch.grid[i];
    out[fmt::format("blockDim.{}", axes[i])] = launch.block[i];
  }
  const auto define = [&](std::string_view name, std::string_view value) {
    if (const ConstantValue v = evaluate(value, out)) out.insert_or_assign(std::string(name), *v);
  };
  for (const std::string& option : header.compile.options) {
    if (!option.starts_with("-D")) continue;
    const std::size_t is = option.find('=');
    define(std::string_view(option).substr(2, is == std::string::npos ? is : is - 2),
           is == std::string::npos ? "1" : std::string_view(option).substr(is + 1));
  }
  for (const Macro& m : macros(lexed))
    if (!m.like_function) define(m.name, m.body);
  template_arguments(lexed, launch, out);  // which constants of the kernel are made of
  // `static constexpr int N = 32;` and `unsigned const M = 4 * N, K{2};`
  int read_to = 0;
  for (int i = 0; i < lexed.count(); ++i) {
    if (i < read_to || !is_const(lexed.of(i))) continue;
    read_to = end_of_declaration(lexed, i);
    if (!lexed.is(read_to, ";")) continue;
    // The text before the word belongs to the declaration, too; the type may come first.
    int first = i;
    while (first > std::max(0, i - most_words) && lexed.token(first - 1).kind == TokenKind::identifier) --first;
    for (const Declarator& d : read_declaration(lexed, first, read_to - 1).declarators) {
      const bool bracket = d.initialised && (lexed.is(d.initial_first, "(") || lexed.is(d.initial_first, "{")) &&
                           lexed.partner(d.initial_first) == d.initial_last;
      const int inside = bracket ? 1 : 0;
      if (!d.initialised || d.pointer || d.array || d.initial_first + inside > d.initial_last - inside) continue;
      const std::string value = joined(lexed, d.initial_first + inside, d.initial_last - inside);
      if (!visible || visible(i)) {
        define(lexed.of(d.name), value);
      } else if (const ConstantValue v = evaluate(value, out)) {
        const auto [at, fresh] = elsewhere.try_emplace(std::string(lexed.of(d.name)), *v);
        if (!fresh && at->second != *v) at->second = std::nullopt;
      }
    }
  }
  for (const auto& [name, value] : elsewhere)
    if (value) out.try_emplace(name, *value);
  template_arguments(lexed, launch, out);
  for (const ArgumentSpec& a : launch.arguments)
    if (const double* v = std::get_if<double>(&a.value);
        v != nullptr && !a.is_buffer && *v == static_cast<double>(static_cast<std::int64_t>(*v)))
      out.insert_or_assign(a.parameter, static_cast<std::int64_t>(*v));
  return out;
}

std::size_t after_blanks(std::string_view s, std::size_t at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  return at;
}

std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at) {
  const char open = s[at], close = closers[openers.find(open)];
  int depth = 0;
  for (std::size_t i = at; i < s.size(); ++i) {
    if (s[i] == open) ++depth;
    if (s[i] != close || --depth > 0) continue;
    const std::string_view inside = s.substr(at + 1, i - at - 1);
    at = i + 1;
    return inside;
  }
  return std::nullopt;
}

std::vector<std::string_view> all_parts(std::string_view s, std::string_view marks) {
  std::vector<std::string_view> out;
  int depth = 0;
  for (std::size_t k = 0, start = 0; k <= s.size(); ++k) {
    const char c = k < s.size() ? s[k] : marks.front();
    if (openers.find(c) != std::string_view::npos) ++depth;
    if (closers.find(c) != std::string_view::npos) depth = std::max(depth - 1, 0);
    if (k < s.size() && (depth > 0 || marks.find(c) == std::string_view::npos)) continue;
    out.push_back(trimmed(s.substr(start, k - start)));
    start = k + 1;
  }
  return out;
}

std::vector<std::string_view> parts_between(std::string_view s, std::string_view marks) {
  std::vector<std::string_view> out = all_parts(s, marks);
  std::erase_if(out, [](std::string_view part) { return part.empty(); });
  return out;
}

std::vector<std::string> list_of(std::string_view s, std::size_t& at) {
  std::vector<std::string> out;
  while (at < s.size() && (s[at] == '(' || s[at] == '[')) {
    const bool round = s[at] == '(';
    std::size_t end = at;
    const std::optional<std::string_view> inside = bracket_at(s, end);
    if (!inside) return {};
    const std::vector<std::string_view> parts = all_parts(*inside, ",");
    out.insert(out.end(), parts.begin(), parts.end());
    if (one_of("", parts) || out.size() > most_listed) return {};
    at = end;
    if (round) break;
  }
  return out;
}

}  // namespace lanescope::source
