#include "kernels/compile/mixed_pow.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

constexpr std::string_view begin = "more than one instance of overloaded function \"";

/// The function that is called ambiguous; "": it is another error.
std::string_view ambiguous_function(std::string_view message) {
  if (!message.starts_with(begin)) return {};
  message.remove_prefix(begin.size());
  return message.substr(0, message.find('"'));
}

}  // namespace

bool asks_for_mixed_pow(const Diagnostics& errors) {
  return std::ranges::any_of(errors, [](const Diagnostic& d) { return ambiguous_function(d.message) == "pow"; });
}

std::string_view mixed_pow_text() {
  return R"(namespace lanescope_pow_ {
template <class T> struct is_number { enum { value = 0 }; };
#define LANESCOPE_NUMBER(T) template <> struct is_number<T> { enum { value = 1 }; };
LANESCOPE_NUMBER(bool)
LANESCOPE_NUMBER(char)
LANESCOPE_NUMBER(signed char)
LANESCOPE_NUMBER(unsigned char)
LANESCOPE_NUMBER(short)
LANESCOPE_NUMBER(unsigned short)
LANESCOPE_NUMBER(int)
LANESCOPE_NUMBER(unsigned)
LANESCOPE_NUMBER(long)
LANESCOPE_NUMBER(unsigned long)
LANESCOPE_NUMBER(long long)
LANESCOPE_NUMBER(unsigned long long)
LANESCOPE_NUMBER(float)
LANESCOPE_NUMBER(double)
#undef LANESCOPE_NUMBER
template <int, class T> struct where {};
template <class T> struct where<2, T> { typedef T type; };
}
template <class A, class B>
__host__ __device__ inline
    typename lanescope_pow_::where<lanescope_pow_::is_number<A>::value + lanescope_pow_::is_number<B>::value, double>::type
    pow(A a, B b) {
  return pow(static_cast<double>(a), static_cast<double>(b));
}
)";
}

std::string remedy_of_ambiguous(std::string_view message) {
  const std::string_view name = ambiguous_function(message);
  if (name.empty()) return {};
  return fmt::format(
      "nvcc does not choose one in device code either: convert the arguments to one type, as in {}((double)x)", name);
}

}  // namespace lanescope::compile
