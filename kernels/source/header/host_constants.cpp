#include "kernels/source/header/host_constants.h"

#include <algorithm>

#include "kernels/source/cxx/constant_expression.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int deepest = 12;  ///< macros in macros
constexpr std::int64_t longest_extent = 0x7fffffff;

/// A word of an integer's type.
bool is_integer(std::string_view word) {
  const std::optional<NumberType> t = number_type_in(word);
  return t && t->is_integer();
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

/// The first definition of a macro counts: conditionals are not evaluated.
HostConstants::HostConstants(const Lexed& lexed) : lexed_(lexed) {
  for (const Macro& m : macros(lexed))
    if (!m.like_function) macros_.try_emplace(m.name, Definition{.text = m.body, .value = {}});
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

/// Every declarator after a type: `dim3 grid(8), *p = &grid, block{128}`. Each `,` must lead to another declarator.
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

/// After the declarator at `i`; `i` itself when there is none.
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
  if (name == "dim3" || number_type_in(name)) return i;  // the next parameter
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
  const ConstantValue v = constant_value(lexed_, first, last, [&](std::string_view name) { return named(name); });
  return v ? std::optional(*v) : std::nullopt;
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

/// A variable, a dim3's part ("grid.x"), else a macro.
std::optional<std::int64_t> HostConstants::named(std::string_view name) const {
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    const auto whole = dim3s_.find(name.substr(0, dot));
    const std::string_view part = name.substr(dot + 1);
    if (whole == dim3s_.end() || !one_of(part, {"x", "y", "z"})) return {};
    return whole->second[static_cast<std::size_t>(part.front() - 'x')];
  }
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  return of_macro(name, 0);
}

/// A macro's body knows other macros only, and is evaluated once.
std::optional<std::int64_t> HostConstants::of_macro(std::string_view name, int depth) const {
  const auto macro = macros_.find(name);
  if (macro == macros_.end()) return {};
  Definition& m = macro->second;
  if (m.evaluated || depth >= deepest) return m.value;
  m.evaluated = true;  // before it is: a macro that names itself has no value
  const ConstantValue v = constant_value(m.text, [&](std::string_view other) { return of_macro(other, depth + 1); });
  if (v) m.value = *v;
  return m.value;
}

}  // namespace lanescope::source
