#include "kernels/source/cxx/declaration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr std::array<std::string_view, 12> specifiers = {"const",  "volatile", "register",     "typename",
                                                         "struct", "mutable",  "inline",       "class",
                                                         "union",  "enum",     "__restrict__", "__device__"};
constexpr std::array<std::string_view, 9> elsewhere = {"static",     "extern",       "typedef",
                                                       "constexpr",  "thread_local", "__constant__",
                                                       "__shared__", "__managed__",  "__grid_constant__"};
constexpr std::array<std::string_view, 4> integer_modifiers = {"unsigned", "signed", "long", "short"};
constexpr std::array<std::string_view, 20> no_type = {
    "return", "goto",  "delete", "new",      "throw", "else",   "case",    "default", "sizeof",   "operator",
    "break",  "using", "if",     "continue", "this",  "public", "private", "friend",  "template", "static_assert"};
// Tokens that may follow a macro that stands alone, as in `UNROLL for (...)`.
constexpr std::array<std::string_view, 8> no_name = {"for", "if", "while", "do", "switch", "return", "asm", "operator"};
constexpr std::array<std::string_view, 4> attributes = {"alignas", "__align__", "__attribute__", "__declspec"};

bool is_identifier(const Lexed& lexed, int i) { return lexed.token(i).kind == TokenKind::identifier; }

/// Skips specifiers; false when they say that this is no variable in registers.
bool skip_specifiers(const Lexed& lexed, int& i, int last, Declaration& out) {
  for (; i <= last; ++i) {
    const std::string_view w = lexed.of(i);
    if (one_of(w, elsewhere)) {
      out.in_registers = false;
      if (w == "typedef") return false;
    } else if (one_of(w, attributes) && lexed.is(i + 1, "(") && lexed.partner(i + 1) > 0) {
      i = lexed.partner(i + 1);
    } else if (w == "[" && lexed.is(i + 1, "[") && lexed.partner(i) > 0) {
      i = lexed.partner(i);
    } else if (!one_of(w, specifiers)) {
      return true;
    }
  }
  return true;
}

/// Reads the type's name; false when there is none.
bool read_type(const Lexed& lexed, int& i, int last, Declaration& out) {
  if (!skip_specifiers(lexed, i, last, out)) return false;
  const int first = i;
  bool integer = false;
  while (i <= last && (one_of(lexed.of(i), integer_modifiers) ||
                       (integer && (lexed.is(i, "int") || lexed.is(i, "char") || lexed.is(i, "double"))))) {
    integer = true;
    ++i;
  }
  if (!integer) {
    if (lexed.is(i, "::")) ++i;
    for (;;) {
      if (i > last || !is_identifier(lexed, i) || one_of(lexed.of(i), no_type)) return false;
      const bool decltype_word = lexed.is(i, "decltype");
      ++i;
      if (decltype_word && lexed.is(i, "(") && lexed.partner(i) > 0) i = lexed.partner(i) + 1;
      if (i <= last && lexed.is(i, "<")) {
        const int after = skip_template_arguments(lexed, i, last);
        if (after == i) return false;
        i = after;
      }
      if (i > last || !lexed.is(i, "::")) break;
      ++i;
      if (i <= last && lexed.is(i, "template")) ++i;
    }
  }
  out.type = joined(lexed, first, i - 1);
  return skip_specifiers(lexed, i, last, out);
}

int end_of_initialiser(const Lexed& lexed, int i, int last) {
  while (i <= last && !lexed.is(i, ",")) {
    if (lexed.partner(i) > i) {
      i = lexed.partner(i);
    } else if (lexed.is(i, "<")) {
      const int after = skip_template_arguments(lexed, i, last);
      if (after > i && (lexed.is(after, "(") || lexed.is(after, "::") || lexed.is(after, "{"))) i = after - 1;
    }
    ++i;
  }
  return i;
}

/// One declarator at `i`; false when there is none.
bool read_declarator(const Lexed& lexed, int& i, int last, Declaration& out) {
  Declarator d;
  for (; i <= last && !is_identifier(lexed, i); ++i) {
    if (lexed.is(i, "*"))
      d.pointer = true;
    else if (lexed.is(i, "&") || lexed.is(i, "&&"))
      d.reference = true;
    else
      return false;
  }
  while (i <= last && one_of(lexed.of(i), specifiers)) ++i;
  if (i > last || !is_identifier(lexed, i) || one_of(lexed.of(i), no_name)) return false;
  d.name = i++;
  while (i <= last && lexed.is(i, "[")) {
    if (lexed.partner(i) < 0) return false;
    d.array = true;
    i = lexed.partner(i) + 1;
  }
  if (i <= last && lexed.is(i, ":")) {
    i = last + 1;  // range-for: the value comes from the range
    d.initialised = true;
  } else if (i <= last && !lexed.is(i, ",")) {
    const bool bracket = lexed.is(i, "(") || lexed.is(i, "{");
    if (!bracket && !lexed.is(i, "=")) return false;
    d.initialised = true;
    d.initial_first = bracket ? i : i + 1;
    i = end_of_initialiser(lexed, i, last);
    d.initial_last = i - 1;
  }
  out.declarators.push_back(d);
  return true;
}

}  // namespace

int skip_template_arguments(const Lexed& lexed, int open, int last) {
  int depth = 0;
  for (int i = open; i <= last && i < open + 200; ++i) {
    const std::string_view t = lexed.of(i);
    if (t == "<") {
      ++depth;
    } else if (t == ">") {
      if (--depth == 0) return i + 1;
    } else if (t == "(" || t == "[") {
      if (lexed.partner(i) < 0) return open;
      i = lexed.partner(i);
    } else if (t == ";" || t == "{" || t == "}" || t == ")" || t == "&&" || t == "||" || t == "=" || t == "?") {
      return open;
    }
  }
  return open;
}

Declaration read_declaration(const Lexed& lexed, int first, int last) {
  Declaration out;
  int i = first;
  if (!read_type(lexed, i, last, out)) return {};
  for (;;) {
    if (!read_declarator(lexed, i, last, out)) return {};
    if (i > last) return out;
    if (!lexed.is(i, ",")) return {};
    ++i;
  }
}

namespace {

constexpr std::size_t most_parameters = 4096;  ///< a kernel takes 32,764 bytes of them at most

bool is_upper_word(std::string_view w) {
  return w.size() > 1 && std::all_of(w.begin(), w.end(), [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

void add_parameter(const Lexed& lexed, int first, int last, FunctionRange& f) {
  int name = last;
  for (int i = first; i <= last; ++i) {
    if (!lexed.is(i, "=")) continue;
    name = i - 1;
    break;
  }
  std::string suffix;
  Parameter p;
  if (name + 2 <= last) p.initial = joined(lexed, name + 2, last);
  while (name > first && lexed.is(name, "]") && lexed.partner(name) > first) {
    p.extents = "[" + joined(lexed, lexed.partner(name) + 1, name - 1) + "]" + p.extents;
    name = lexed.partner(name) - 1;
    suffix = "[]";
  }
  // unsigned (&V)[4], also without a name
  const int reference = name > first && lexed.is(name - 1, "&") ? name - 1 : name - 2;
  if (!suffix.empty() && reference - 1 > first && lexed.is(name, ")") && lexed.partner(name) == reference - 1 &&
      lexed.is(reference, "&") && (reference == name - 1 || lexed.token(name - 1).kind == TokenKind::identifier)) {
    if (reference < name - 1) p.name = lexed.of(name - 1);
    p.type = joined(lexed, first, reference - 2) + "(&)" + p.extents;
    if (p.type.find("const") == std::string::npos)
      f.reference_parameters.push_back(static_cast<int>(f.info.parameters.size()));
    f.info.parameters.push_back(std::move(p));
    return;
  }
  const bool named = name > first && lexed.token(name).kind == TokenKind::identifier && !lexed.is(name, "int") &&
                     !lexed.is(name, "unsigned");
  p.type = joined(lexed, first, named ? name - 1 : name) + suffix;
  if (named) p.name = lexed.of(name);
  if (p.type == "void" && p.name.empty()) return;
  for (int i = first; i < name; ++i)
    if (lexed.is(i, "&") && p.type.find("const") == std::string::npos) {
      f.reference_parameters.push_back(static_cast<int>(f.info.parameters.size()));
      break;
    }
  f.info.parameters.push_back(std::move(p));
}

}  // namespace

int read_head_word(const Lexed& lexed, int i, int parameters, FunctionRange& f) {
  const std::string_view w = lexed.of(i);
  if (w == "template") f.info.is_template = true;
  if (w == "__global__") f.info.is_kernel = true;
  if (w == "__device__") f.info.is_device = true;
  if (w == "constexpr" || w == "consteval") f.is_constexpr = true;
  const bool annotates = w == "__global__" || w == "__device__" || (i < parameters - 1 && is_upper_word(w));
  f.annotated = f.annotated || annotates;
  if (i == parameters && lexed.partner(i) > i) return lexed.partner(i);
  if (w != "__launch_bounds__" || !lexed.is(i + 1, "(") || lexed.partner(i + 1) < 0) return i;
  int part = i + 2;
  for (int k = i + 2; k <= lexed.partner(i + 1); ++k) {
    if (k < lexed.partner(i + 1) && !lexed.is(k, ",")) {
      if (lexed.partner(k) > k) k = lexed.partner(k);
      continue;
    }
    f.info.launch_bounds.push_back(joined(lexed, part, k - 1));
    part = k + 1;
  }
  return lexed.partner(i + 1);
}

void read_parameters(const Lexed& lexed, int open, FunctionRange& f) {
  const int close = lexed.partner(open);
  int part = open + 1;
  for (int i = open + 1; i <= close; ++i) {
    if (i < close && lexed.is(i, "<")) {
      i = std::max(i, skip_template_arguments(lexed, i, close) - 1);
    } else if (i < close && lexed.partner(i) > i) {
      i = lexed.partner(i);
    } else if (i == close || lexed.is(i, ",")) {
      if (part < i && f.info.parameters.size() < most_parameters) add_parameter(lexed, part, i - 1, f);
      part = i + 1;
    }
  }
}

namespace {

constexpr int deepest_unnamed = 8;  ///< unions and structs without a name, within each other

bool is_class_word(const Lexed& lexed, int i) {
  return lexed.is(i, "struct") || lexed.is(i, "class") || lexed.is(i, "union");
}

/// The declarations of [first, last], a statement of a class without its `;`.
void add_members(const Lexed& lexed, int first, int last, std::vector<DataMember>& out) {
  while (first < last && lexed.is(first + 1, ":")) first += 2;  // public:
  if (first > last || lexed.is(first, "using") || lexed.is(first, "friend")) return;
  const Declaration d = read_declaration(lexed, first, last);
  if (!d.in_registers) return;
  for (const Declarator& v : d.declarators) {
    if (lexed.is(v.name + 1, "(")) return;  // a method
    if (out.size() >= most_members_of_class) return;
    DataMember m{.name = std::string(lexed.of(v.name)),
                 .type = d.type,
                 .extents = {},
                 .pointer = v.pointer,
                 .reference = v.reference,
                 .array = v.array};
    for (int i = v.name + 1; lexed.is(i, "[") && lexed.partner(i) > 0; i = lexed.partner(i) + 1)
      m.extents += "[" + joined(lexed, i + 1, lexed.partner(i) - 1) + "]";
    out.push_back(std::move(m));
  }
}

void read_members(const Lexed& lexed, int open, int depth, std::vector<DataMember>& out) {
  const int close = lexed.partner(open);
  int first = open + 1;
  for (int i = open + 1; i < close; ++i) {
    if (lexed.is(i, ";")) {
      add_members(lexed, first, i - 1, out);
      first = i + 1;
    } else if (lexed.is(i, "{") && lexed.partner(i) > 0) {
      const int end = lexed.partner(i);
      const bool unnamed = i > first && is_class_word(lexed, i - 1) && lexed.is(end + 1, ";");
      if (unnamed && depth < deepest_unnamed) read_members(lexed, i, depth + 1, out);
      // A method's body ends its statement; an initialiser's braces do not.
      const bool goes_on = lexed.is(end + 1, ",") || (lexed.is(end + 1, ";") && !unnamed);
      if (!goes_on) first = end + 1;
      i = end;
    } else if (lexed.partner(i) > i) {
      i = lexed.partner(i);
    }
  }
}

}  // namespace

std::vector<DataMember> data_members(const Lexed& lexed, int open) {
  std::vector<DataMember> out;
  if (lexed.partner(open) > open) read_members(lexed, open, 0, out);
  return out;
}

std::string class_name(const Lexed& lexed, int start, int open) {
  for (int i = start; i < open; ++i) {
    if (!is_class_word(lexed, i)) continue;
    int name = i + 1;
    while (name < open && lexed.is(name + 1, "(") && lexed.partner(name + 1) > 0) name = lexed.partner(name + 1) + 1;
    if (name < open && lexed.token(name).kind == TokenKind::identifier) return std::string(lexed.of(name));
  }
  return {};
}

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
