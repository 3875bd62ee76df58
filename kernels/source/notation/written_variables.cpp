#include "kernels/source/notation/written_variables.h"

#include <algorithm>
#include <set>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr int most_writes = 4096;  ///< a comment speaks of what is near

bool speaks_of_data(const Lexed& lexed, const Outline& outline, const std::vector<bool>& data, int first, int last) {
  for (int i = first; i <= last; ++i) {
    const Token& t = lexed.token(i);
    if (t.kind == TokenKind::string) return true;  // asm
    if (t.kind != TokenKind::identifier) continue;
    const int l = outline.find(lexed.of(i), i);
    if (l < 0) continue;
    const Local& local = outline.locals[static_cast<std::size_t>(l)];
    const bool read = lexed.is(i + 1, "[") || lexed.is(i + 1, "->") || lexed.is(i - 1, "*") || lexed.is(i - 1, "(") ||
                      lexed.is(i - 1, ",");
    if ((local.pointer && read) || !local.in_registers || data[static_cast<std::size_t>(l)]) return true;
  }
  return false;
}

bool family_of(const NamedVariables& variables, const std::string& name, int count) {
  const std::size_t digits = without_trailing_digits(name).size();
  return digits > 0 && digits < name.size() && variables.family(name.substr(0, digits)) == count;
}

}  // namespace

std::vector<bool> locals_with_data(const Lexed& lexed, const Outline& outline) {
  std::vector<bool> data(outline.locals.size(), false);
  for (std::size_t i = 0; i < outline.locals.size(); ++i) {
    const Local& l = outline.locals[i];
    const FunctionRange& f = outline.functions[static_cast<std::size_t>(l.function)];
    data[i] = (l.parameter && !f.info.is_kernel) || l.member;  // from the caller, which may pass data
  }
  auto assign = outline.assigns.begin();
  std::vector<SimpleStatement> statements = outline.statements;
  std::ranges::stable_sort(statements, {}, &SimpleStatement::first);
  for (const SimpleStatement& s : statements) {
    while (assign != outline.assigns.end() && assign->token < s.first) ++assign;
    if (assign == outline.assigns.end() || assign->token > s.last) continue;
    if (!speaks_of_data(lexed, outline, data, s.first, s.last)) continue;
    for (auto a = assign; a != outline.assigns.end() && a->token <= s.last; ++a)
      data[static_cast<std::size_t>(a->local)] = true;
  }
  return data;
}

std::optional<WrittenLast> written_last(const NamedVariables& variables, int anchor, int wanted,
                                        const std::function<bool(const std::vector<std::string>&)>& ready) {
  const Outline& outline = variables.outline();
  const auto after = std::ranges::partition_point(outline.assigns, [&](const Assign& a) { return a.token <= anchor; });
  std::set<int> tried;
  std::optional<WrittenLast> perhaps;  // its size is not known from the text
  int left = most_writes;
  for (auto a = after; a != outline.assigns.begin() && --left > 0;) {
    --a;
    const Local& l = outline.locals[static_cast<std::size_t>(a->local)];
    if (l.function != variables.function()) {
      if (a->token < outline.functions[static_cast<std::size_t>(variables.function())].open - 1) break;
      continue;
    }
    if (!tried.insert(a->local).second) continue;
    if (outline.find(l.name, anchor) != a->local || variables.find(l.name) == nullptr) continue;
    if ((l.pointer && !l.array) || !variables.has_data(l.name)) continue;
    std::optional<ClaimNames> names;
    const bool numbered = without_trailing_digits(l.name).size() < l.name.size();
    if (wanted > 1 && family_of(variables, l.name, wanted)) {
      names = variables.meaning(l.name, wanted);
    } else if (wanted == 0 && numbered) {
      const std::string stem(without_trailing_digits(l.name));
      names = variables.family(stem) > 1 ? variables.meaning(stem, 0) : std::nullopt;
      if (names && !ready(names->members)) names.reset();
    }
    if (!names) names = ClaimNames{.display = l.name, .members = {l.name}};
    if (!names->problem.empty() || !ready(names->members)) continue;
    const WrittenLast found{*names, variables.line_of(a->token)};
    const auto fits = wanted == 0 && names->members.size() == 1 ? std::optional(true) : variables.fits(*names, wanted);
    if (fits == true || (wanted == 0 && names->members.size() > 1)) return found;
    if (!fits && !perhaps) perhaps = found;
  }
  return perhaps;
}

std::optional<WrittenLast> written_next(const NamedVariables& variables, int anchor, int wanted) {
  constexpr int most_next = 32;
  const Outline& outline = variables.outline();
  auto a = std::ranges::partition_point(outline.assigns, [&](const Assign& x) { return x.token <= anchor; });
  for (int left = most_next; a != outline.assigns.end() && left > 0; ++a, --left) {
    const Local& l = outline.locals[static_cast<std::size_t>(a->local)];
    if (l.function != variables.function()) break;
    if (variables.find(l.name) == nullptr || (l.pointer && !l.array) || !variables.has_data(l.name)) continue;
    const std::optional<ClaimNames> names = variables.meaning(l.name, wanted);
    if (names && names->problem.empty() && (wanted == 0 || variables.fits(*names, wanted) == true))
      return WrittenLast{*names, variables.line_of(a->token)};
  }
  return std::nullopt;
}

}  // namespace lanescope::source
