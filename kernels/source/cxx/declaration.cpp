#include "kernels/source/cxx/declaration.h"

#include <array>
#include <string_view>

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
// What may follow a macro that stands alone, as in `UNROLL for (...)`.
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
    if (lexed.is(i, "*")) {
      d.pointer = true;
    } else if (lexed.is(i, "&") || lexed.is(i, "&&")) {
      d.reference = true;
    } else {
      return false;
    }
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

}  // namespace lanescope::source
