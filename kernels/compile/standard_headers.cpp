#include "kernels/compile/texts.h"

#include <algorithm>
#include <array>
#include <set>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

struct StandardName {
  std::string_view name, header;
};

// A name that ends with `*` stands for all that begin so.
constexpr std::array<StandardName, 62> standard_names = {{
    {"numeric_limits", "limits"},
    {"is_*", "type_traits"},
    {"remove_*", "type_traits"},
    {"add_*", "type_traits"},
    {"make_signed*", "type_traits"},
    {"make_unsigned*", "type_traits"},
    {"enable_if*", "type_traits"},
    {"conditional*", "type_traits"},
    {"integral_constant", "type_traits"},
    {"bool_constant", "type_traits"},
    {"true_type", "type_traits"},
    {"false_type", "type_traits"},
    {"decay*", "type_traits"},
    {"common_type*", "type_traits"},
    {"underlying_type*", "type_traits"},
    {"invoke_result*", "type_traits"},
    {"conjunction*", "type_traits"},
    {"disjunction*", "type_traits"},
    {"negation*", "type_traits"},
    {"void_t", "type_traits"},
    {"alignment_of*", "type_traits"},
    {"extent*", "type_traits"},
    {"rank*", "type_traits"},
    {"pair", "utility"},
    {"make_pair", "utility"},
    {"swap", "utility"},
    {"exchange", "utility"},
    {"declval", "utility"},
    {"index_sequence*", "utility"},
    {"make_index_sequence", "utility"},
    {"integer_sequence", "utility"},
    {"make_integer_sequence", "utility"},
    {"move", "utility"},
    {"forward", "utility"},
    {"tuple*", "tuple"},
    {"make_tuple", "tuple"},
    {"tie", "tuple"},
    {"get", "tuple"},
    {"array", "array"},
    {"complex", "complex"},
    {"plus", "functional"},
    {"minus", "functional"},
    {"multiplies", "functional"},
    {"less*", "functional"},
    {"greater*", "functional"},
    {"equal_to", "functional"},
    {"min", "__algorithm/min.h"},
    {"max", "__algorithm/max.h"},
    {"clamp", "__algorithm/clamp.h"},
    {"optional", "optional"},
    {"nullopt", "optional"},
    {"variant", "variant"},
    {"span", "span"},
    {"atomic*", "atomic"},
    {"bit_cast", "bit"},
    {"byte", "cstddef"},
    {"size_t", "cstddef"},
    {"ptrdiff_t", "cstddef"},
    {"int*", "cstdint"},
    {"uint*", "cstdint"},
    {"initializer_list", "initializer_list"},
    {"numbers", "numbers"},
}};

// Of the mathematical ones: the commonest.
constexpr std::array<std::string_view, 48> mathematical = {
    "abs",      "fabs",    "sqrt",  "cbrt",  "exp",      "exp2",   "expm1", "log",     "log2",      "log10",
    "log1p",    "pow",     "sin",   "cos",   "tan",      "asin",   "acos",  "atan",    "atan2",     "sinh",
    "cosh",     "tanh",    "floor", "ceil",  "round",    "isnan",  "isinf", "fmod",    "nearbyint", "rint",
    "trunc",    "hypot",   "fmin",  "fmax",  "copysign", "lround", "lrint", "llround", "tgamma",    "lgamma",
    "isfinite", "signbit", "ldexp", "frexp", "logb",     "asinh",  "acosh", "atanh"};

std::string_view header_of(std::string_view name) {
  for (const StandardName& n : standard_names)
    if (n.name.ends_with('*') ? name.starts_with(n.name.substr(0, n.name.size() - 1)) : name == n.name) return n.header;
  for (const std::string_view f : mathematical)
    if (name == f) return "cmath";
  return {};
}

// Owners of host memory as members: what device code has beside them keeps its place, and their inline code compiles.
constexpr const char* owners = R"(namespace std {
template <class T> struct lanescope_owned { typedef T type; typedef T& reference; };
template <class T> struct lanescope_owned<T[]> { typedef T type; typedef T& reference; };
template <class T, decltype(sizeof(0)) n> struct lanescope_owned<T[n]> { typedef T type; typedef T& reference; };
template <> struct lanescope_owned<void> { typedef void type; typedef void reference; };
template <> struct lanescope_owned<const void> { typedef const void type; typedef void reference; };
template <class Owned> class shared_ptr {
 public:
  typedef typename lanescope_owned<Owned>::type T;
  typedef T element_type;
  shared_ptr() : p_(nullptr), owner_(nullptr) {}
  template <class U> explicit shared_ptr(U* p) : p_(p), owner_(nullptr) {}
  template <class U, class D> shared_ptr(U* p, D) : p_(p), owner_(nullptr) {}
  shared_ptr(decltype(nullptr)) : p_(nullptr), owner_(nullptr) {}
  T* get() const { return p_; }
  typename lanescope_owned<Owned>::reference operator*() const { return *p_; }
  T* operator->() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }
  void reset(T* p = nullptr) { p_ = p; }
 private:
  T* p_;
  void* owner_;
};
template <class T> class weak_ptr { T* p_; void* owner_; };
}
)";

bool mentions_owners(std::string_view text) {
  return text.find("std::shared_ptr") != std::string_view::npos || text.find("std::weak_ptr") != std::string_view::npos;
}

void add_headers(std::string_view text, std::set<std::string_view>& out) {
  for (std::size_t at = text.find("std::"); at != std::string_view::npos; at = text.find("std::", at + 5)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    if (at > 6 && text.substr(at - 6, 6) == "cuda::") continue;
    std::size_t end = at + 5;
    while (end < text.size() && is_word(text[end])) ++end;
    if (const std::string_view header = header_of(text.substr(at + 5, end - at - 5)); !header.empty())
      out.insert(header);
  }
}

}  // namespace

std::string standard_text(const Texts& texts) {
  std::set<std::string_view> headers;
  add_headers(texts.main, headers);
  for (const std::string& text : texts.headers) add_headers(text, headers);
  const bool owned = mentions_owners(texts.main) || std::ranges::any_of(texts.headers, mentions_owners);
  std::string out = owned ? owners : "";
  if (headers.empty()) return out;
  for (const std::string_view h : headers) out += "#include <cuda/std/" + std::string(h) + ">\n";
  return out + "namespace std {\nusing namespace cuda::std;\n}\n";
}

}  // namespace lanescope::compile
