#include "kernels/source/cxx/function_head.h"

#include <algorithm>
#include <string>

#include "kernels/source/cxx/declaration.h"

namespace lanescope::source {
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
  // unsigned (&V)[4]
  if (!suffix.empty() && name - 3 > first && lexed.is(name, ")") && lexed.partner(name) == name - 3 &&
      lexed.is(name - 2, "&") && lexed.token(name - 1).kind == TokenKind::identifier) {
    p.name = lexed.of(name - 1);
    p.type = joined(lexed, first, name - 4) + "(&)" + p.extents;
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
  for (int i = first; i < name; ++i) {
    if (lexed.is(i, "&") && p.type.find("const") == std::string::npos) {
      f.reference_parameters.push_back(static_cast<int>(f.info.parameters.size()));
      break;
    }
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

}  // namespace lanescope::source
