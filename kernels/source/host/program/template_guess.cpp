#include "kernels/source/host/program/template_guess.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"

namespace lanescope::source::host {
namespace {

// The first row that has a word which is part of the name counts.
constexpr std::pair<std::string_view, std::string_view> sizes_by_name[] = {
    {"warp_size warpsize", "32"}, {"thread block_dim blockdim block_size blocksize tpb", "256"},
    {"tile dim", "16"},           {"warp", "4"},
    {"block size", "16"},
};
constexpr std::string_view other_size = "4";
// A parameter with such a name is something to be called, or a bundle of constants.
constexpr std::array<std::string_view, 9> no_numbers = {"op",     "func",   "functor", "policy", "traits",
                                                        "config", "kernel", "layout",  "iter"};

bool means_no_number(std::string_view name) {
  const std::string low = lower(name);
  return std::ranges::any_of(no_numbers, [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

/// A type to count or to subscript with.
bool means_index(std::string_view name) {
  const std::string low = lower(name);
  return std::ranges::any_of(std::array<std::string_view, 5>{"idx", "index", "offset", "count", "integ"},
                             [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

std::string size_named(std::string_view name) {
  const std::string low = lower(name);
  for (const auto& [parts, value] : sizes_by_name)
    for (const std::string_view part : listed_words(parts))
      if (low.find(part) != std::string::npos) return std::string(value);
  return std::string(other_size);
}

}  // namespace

std::optional<std::vector<GuessedArgument>> guessed_arguments(const std::vector<TemplateParameter>& parameters) {
  std::vector<GuessedArgument> out;
  for (const TemplateParameter& p : parameters) {
    if (p.has_default) break;  // and so have those after it
    if (p.is_pack || p.is_template || (p.is_type && means_no_number(p.name))) return std::nullopt;
    if (p.is_type)
      out.push_back({std::string(p.name), means_index(p.name) ? "int" : "float"});
    else if (p.is_flag)
      out.push_back({std::string(p.name), "false"});
    else if (p.is_whole)
      out.push_back({std::string(p.name), size_named(p.name)});
    else
      return std::nullopt;
  }
  return out;
}

std::string explicit_arguments(const Lexed& lexed, std::string_view name, int& line) {
  for (int i = 0; i + 1 < lexed.count(); ++i) {
    if (!lexed.is(i, "template") || lexed.is(i + 1, "<")) continue;
    for (int at = i + 1; at < lexed.count() && !lexed.is(at, ";") && !lexed.is(at, "{"); ++at) {
      if (lexed.of(at) != name || !lexed.is(at + 1, "<")) continue;
      const int after = skip_template_arguments(lexed, at + 1, lexed.count() - 1);
      line = lexed.token(at).line;
      if (after <= at + 2) return {};
      const Token &first = lexed.token(at + 2), &last = lexed.token(after - 2);
      return std::string(lexed.text.substr(first.offset, last.offset + last.length - first.offset));
    }
  }
  return {};
}

/// `name<Mode::read>` somewhere in the text, where no argument is a template's own parameter; empty: there is none.
std::string named_arguments(const Lexed& lexed, std::string_view name, int& line) {
  std::set<std::string_view> of_templates;
  for (int i = 0; i + 1 < lexed.count(); ++i) {
    if (!lexed.is(i, "template") || !lexed.is(i + 1, "<")) continue;
    FunctionRange head;
    head.head = i, head.open = std::min(skip_template_arguments(lexed, i + 1, lexed.count() - 1) + 1, lexed.count());
    for (const TemplateParameter& p : template_parameters(lexed, head)) of_templates.insert(p.name);
  }
  for (int at = 0; at + 1 < lexed.count(); ++at) {
    if (lexed.of(at) != name || !lexed.is(at + 1, "<")) continue;
    const int after = skip_template_arguments(lexed, at + 1, lexed.count() - 1);
    if (after <= at + 2) continue;
    bool own = true;
    for (int t = at + 2; t < after - 1 && own; ++t)
      own = lexed.token(t).kind != TokenKind::identifier || !of_templates.contains(lexed.of(t));
    if (!own) continue;
    line = lexed.token(at).line;
    const Token &first = lexed.token(at + 2), &last = lexed.token(after - 2);
    return std::string(lexed.text.substr(first.offset, last.offset + last.length - first.offset));
  }
  return {};
}

std::optional<GuessedInstance> guessed_instance(const Lexed& lexed, const FunctionRange& kernel) {
  const std::vector<TemplateParameter> parameters = template_parameters(lexed, kernel);
  if (parameters.empty()) return std::nullopt;
  const std::string name = namespaces_around(lexed, kernel.head) + kernel.info.name;
  int line = 0;
  if (const std::string given = explicit_arguments(lexed, kernel.info.name, line); !given.empty())
    return GuessedInstance{fmt::format("{}<{}>", name, given), fmt::format("from its instantiation at line {}", line)};
  const auto guessed = guessed_arguments(parameters);
  if (const std::string given = named_arguments(lexed, kernel.info.name, line); !given.empty())
    return GuessedInstance{fmt::format("{}<{}>", name, given), fmt::format("as line {} names it", line)};
  if (!guessed) return std::nullopt;
  if (guessed->empty()) return GuessedInstance{name + "<>", "with the defaults of its parameters"};
  std::vector<std::string_view> values;
  for (const GuessedArgument& a : *guessed) values.push_back(a.spelled);
  return GuessedInstance{fmt::format("{}<{}>", name, fmt::join(values, ",")),
                         "assumed, because nothing in this file gives its arguments; --kernel NAME chooses another"};
}

std::string namespaces_around(const Lexed& lexed, int token) {
  std::string out;
  for (int i = 0; i < token; ++i) {
    if (!lexed.is(i, "namespace")) continue;
    std::string name;
    int at = i + 1;
    for (; at < token && (lexed.token(at).kind == TokenKind::identifier || lexed.is(at, "::")); ++at)
      name += lexed.of(at);
    if (at >= token || !lexed.is(at, "{")) continue;
    if (lexed.partner(at) < token) {
      i = std::max(i, lexed.partner(at));
      continue;
    }
    if (!name.empty()) out += name + "::";
    i = at;
  }
  return out;
}

}  // namespace lanescope::source::host
