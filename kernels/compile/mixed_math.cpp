#include "kernels/compile/texts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::compile {
namespace {

constexpr std::array<std::string_view, 9> of_two = {"pow",  "atan2", "fdim",      "fmax",     "fmin",
                                                    "fmod", "hypot", "nextafter", "remainder"};
constexpr std::string_view of_three = "fma";
constexpr std::string_view prefix = "lanescope_", suffix = "_mixed";
constexpr std::string_view ambiguous = "more than one instance of overloaded function \"";

/// The function that is called ambiguous; "": it is another error.
std::string_view ambiguous_function(std::string_view message) {
  if (!message.starts_with(ambiguous)) return {};
  message.remove_prefix(ambiguous.size());
  return message.substr(0, message.find('"'));
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text before `at`, without blanks.
std::string_view before(std::string_view text, std::size_t at) {
  text = text.substr(0, at);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// The text calls it, and neither as a member nor as one of the C++ library, which has templates of its own.
bool calls(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::size_t end = at + name.size();
    if (at > 0 && in_name(text[at - 1])) continue;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
    if (end >= text.size() || text[end] != '(') continue;
    const std::string_view left = before(text, at);
    if (!left.ends_with('.') && !left.ends_with("->") && !left.ends_with("std::")) return true;
  }
  return false;
}

/// The text has a macro of this name.
bool defines(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && in_name(text[at - 1])) || (end < text.size() && in_name(text[end]))) continue;
    const std::string_view left = before(text, at);
    if (left.ends_with("define") || left.ends_with("undef")) return true;
  }
  return false;
}

/// Two arguments: the float or double function where both are of that type, else the template.
std::string two_arguments(std::string_view name) {
  // Of pow() all mixtures; of others those that NVRTC takes for float: an integer and a float.
  const bool all = name == "pow";
  return fmt::format(R"(__host__ __device__ inline float lanescope_{0}_mixed(float a, float b) {{ return {0}(a, b); }}
__host__ __device__ inline double lanescope_{0}_mixed(double a, double b) {{ return {0}(a, b); }}
template <class A, class B>
{1}__host__ __device__ inline typename lanescope_math_::{2}<lanescope_math_::kind<A>::value + lanescope_math_::kind<B>::value>::type
    lanescope_{0}_mixed(A a, B b) {{
  return {0}(static_cast<double>(a), static_cast<double>(b));
}}
#define {0} lanescope_{0}_mixed
)",
                     name, all ? "" : "[[deprecated(\"lanescope\")]] ", all ? "two_numbers" : "integers_and_floats");
}

constexpr std::string_view three_arguments =
    R"(__host__ __device__ inline float lanescope_fma_mixed(float a, float b, float c) { return fma(a, b, c); }
__host__ __device__ inline double lanescope_fma_mixed(double a, double b, double c) { return fma(a, b, c); }
template <class A, class B, class C>
[[deprecated("lanescope")]] __host__ __device__ inline typename lanescope_math_::integers_and_floats<
    lanescope_math_::kind<A>::value + lanescope_math_::kind<B>::value + lanescope_math_::kind<C>::value>::type
    lanescope_fma_mixed(A a, B b, C c) {
  return fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}
#define fma lanescope_fma_mixed
)";

/// Kinds add up to the types of all arguments: 1 an integer, 16 a float, 256 a double, 4096 no number.
constexpr std::string_view kinds = R"(namespace lanescope_math_ {
template <class T> struct kind { enum { value = 4096 }; };
#define LANESCOPE_KIND(T, K) template <> struct kind<T> { enum { value = K }; };
LANESCOPE_KIND(bool, 1)
LANESCOPE_KIND(char, 1)
LANESCOPE_KIND(signed char, 1)
LANESCOPE_KIND(unsigned char, 1)
LANESCOPE_KIND(short, 1)
LANESCOPE_KIND(unsigned short, 1)
LANESCOPE_KIND(int, 1)
LANESCOPE_KIND(unsigned, 1)
LANESCOPE_KIND(long, 1)
LANESCOPE_KIND(unsigned long, 1)
LANESCOPE_KIND(long long, 1)
LANESCOPE_KIND(unsigned long long, 1)
LANESCOPE_KIND(float, 16)
LANESCOPE_KIND(double, 256)
#undef LANESCOPE_KIND
template <bool> struct where {};
template <> struct where<true> { typedef double type; };
template <int K> struct two_numbers : where<(K < 4096)> {};
template <int K> struct integers_and_floats : where<(K == 17 || K == 18 || K == 33)> {};
}
)";

bool is_word_of(std::string_view text, std::size_t at, std::string_view name) {
  return text.substr(at).starts_with(std::string(prefix) + std::string(name) + std::string(suffix));
}

/// "A=float, B=int" -> "float, int"
std::string types_of(std::string_view message) {
  const std::size_t from = message.find("[with "), to = message.find(']', from);
  if (from == std::string_view::npos || to == std::string_view::npos) return {};
  std::string out;
  std::string_view list = message.substr(from + 6, to - from - 6);
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    out += (out.empty() ? "" : ", ") + std::string(one.substr(std::min(one.size(), one.find('=') + 1)));
    list.remove_prefix(std::min(list.size(), one.size() + 2));
  }
  return out;
}

}  // namespace

std::set<std::string_view> mixed_functions(const Texts& texts, const source::Source& source) {
  std::set<std::string_view> out;
  const auto add = [&](std::string_view name) {
    const auto any = [&](auto of) {
      return of(texts.main, name) || std::ranges::any_of(texts.headers, [&](const auto& t) { return of(t, name); });
    };
    const bool own = std::ranges::find(source.functions, name, &source::Function::name) != source.functions.end();
    if (!own && any(calls) && !any(defines)) out.insert(name);
  };
  for (const std::string_view name : of_two) add(name);
  add(of_three);
  return out;
}

bool asks_for_mixed_pow(const Diagnostics& errors) {
  return std::ranges::any_of(errors, [](const Diagnostic& d) { return ambiguous_function(d.message) == "pow"; });
}

std::string mixed_math_text(const std::set<std::string_view>& functions) {
  if (functions.empty()) return {};
  std::string out(kinds);
  for (const std::string_view name : functions)
    out += name == of_three ? std::string(three_arguments) : two_arguments(name);
  return out;
}

bool is_of_mixed_math(const Diagnostic& d) {
  return std::ranges::any_of(of_two,
                             [&](std::string_view name) {
                               return d.message.find(fmt::format("{}{}{}", prefix, name, suffix)) != std::string::npos;
                             }) ||
         d.message.find(fmt::format("{}{}{}", prefix, of_three, suffix)) != std::string::npos;
}

Diagnostic without_mixed_names(Diagnostic d) {
  if (!is_of_mixed_math(d)) return d;
  std::string called, message;
  for (std::size_t at = 0; at < d.message.size();) {
    std::string_view name;
    for (const std::string_view f : of_two)
      if (is_word_of(d.message, at, f)) name = f;
    if (is_word_of(d.message, at, of_three)) name = of_three;
    if (called.empty()) called = name;
    message += name.empty() ? std::string(1, d.message[at]) : std::string(name);
    at += name.empty() ? 1 : prefix.size() + name.size() + suffix.size();
  }
  d.message = std::move(message);
  if (d.severity != Severity::warning || d.message.find("was declared deprecated (\"lanescope\")") == std::string::npos)
    return d;
  d.message = fmt::format(
      "{}({}) is computed in double, as by nvcc with --expt-relaxed-constexpr; without that option nvcc refuses it in "
      "device code",
      called, types_of(d.message));
  d.remedy = fmt::format("convert the integers to float, and it is computed in float everywhere: {}",
                         called == of_three ? "fma(x, (float)n, y)" : fmt::format("{}(x, (float)n)", called));
  return d;
}

Diagnostic mixed_note(const std::set<std::string_view>& functions, const std::string& file) {
  return {.file = file,
          .message = fmt::format("{} of a float and an integer {} computed in float here, and in double by nvcc",
                                 fmt::join(functions, ", "), functions.size() == 1 ? "is" : "are"),
          .remedy = "convert the arguments to one type",
          .severity = Severity::warning};
}

std::string remedy_of_ambiguous(std::string_view message) {
  const std::string_view name = ambiguous_function(message);
  if (name.empty()) return {};
  return fmt::format(
      "nvcc does not choose one in device code either: convert the arguments to one type, as in {}((double)x)", name);
}

}  // namespace lanescope::compile
