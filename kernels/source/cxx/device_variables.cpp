#include "kernels/source/cxx/device_variables.h"

#include <algorithm>
#include <charconv>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int longest_declaration = 4000;  // tokens up to a declarator's end

bool is_mark(std::string_view w) { return w == "__device__" || w == "__constant__" || w == "__managed__"; }

bool ends_declarator(std::string_view w) {
  return w == ";" || w == "=" || w == "[" || w == "{" || w == "," || w == "(";
}

/// The type of the declaration that begins at `from`, up to its first declarator's name.
std::string element_type_of(const Lexed& l, int from, int name) {
  std::string type;
  for (int i = from; i < name; ++i)
    if (!is_mark(l.of(i)) && l.of(i) != "static" && l.of(i) != "extern" && l.of(i) != "volatile")
      type += std::string(type.empty() ? "" : " ") + std::string(l.of(i));
  const auto number = number_type(type);
  return number ? std::string(number->element_type) : "";
}

/// After the initial value, extents and the like of a declarator: its ',' or ';'.
int end_of_declarator(const Lexed& l, int at, int last) {
  while (at < last && !l.is(at, ",") && !l.is(at, ";")) at = std::max(l.match[static_cast<std::size_t>(at)], at) + 1;
  return at;
}

}  // namespace

std::vector<DeviceVariable> device_variables(const Lexed& l) {
  std::vector<DeviceVariable> out;
  for (int i = 0; i < l.count(); ++i) {
    if (!is_mark(l.of(i))) continue;
    const int begin = i, last = std::min(l.count(), i + longest_declaration);
    while (i < last && !ends_declarator(l.of(i))) {
      const bool attribute = l.is(i + 1, "(") && (l.of(i).starts_with("__") || l.is(i, "alignas"));
      i = attribute ? std::max(l.match[static_cast<std::size_t>(i + 1)], i + 1) + 1 : i + 1;
    }
    if (i >= last || l.is(i, "(") || i == begin || l.token(i - 1).kind != TokenKind::identifier) continue;
    const std::string type = element_type_of(l, begin, i - 1);
    for (int name = i - 1; name < last && l.token(name).kind == TokenKind::identifier; name = i + 1) {
      out.push_back({.name = std::string(l.of(name)), .element_type = type, .line = l.token(name).line});
      i = end_of_declarator(l, name + 1, last);
      if (!l.is(i, ",")) break;
    }
  }
  return out;
}

std::string variable_name(std::string_view in_module) {
  if (!in_module.starts_with("_Z")) return std::string(in_module);
  std::string_view rest = in_module.substr(2);
  const bool nested = rest.starts_with('N');
  if (nested) rest.remove_prefix(1);
  std::string out;
  for (bool first = true; !rest.empty() && !(nested && rest == "E"); first = false) {
    if (rest.starts_with('L')) rest.remove_prefix(1);
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (error != std::errc() || length == 0 || length > rest.size() || (!nested && !first)) return "";
    const std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    if (part.starts_with("_GLOBAL__N_") || part.starts_with("_INTERNAL_")) continue;
    out += (out.empty() ? "" : "::") + std::string(part);
  }
  return out;
}

}  // namespace lanescope::source
