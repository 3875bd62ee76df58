#include "kernels/source/notation/carried_loops.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

/// Macros that may hold more or less than a part of an expression: where one is called, a statement ends elsewhere than its
/// text says.
std::set<std::string_view> statement_macros(const Lexed& lexed) {
  std::set<std::string_view> names;
  for (const Macro& m : macros(lexed))
    if (m.body.find_first_of(";{}") != std::string_view::npos) names.insert(m.name);
  return names;
}

/// Braces around it change nothing.
bool takes_braces(const Lexed& lexed, const LoopBody& body, const std::set<std::string_view>& banned) {
  if (body.first <= 0 || lexed.token(body.first - 1).inner || lexed.token(body.last).inner) return false;
  const std::uint32_t begin = lexed.token(body.first - 1).offset, end = lexed.token(body.last).offset;
  const auto within =
      std::ranges::partition_point(lexed.directives, [&](const Directive& d) { return d.offset < begin; });
  if (within != lexed.directives.end() && within->offset < end) return false;
  // `F(x) y = 1;` is no statement unless F is a macro that holds one.
  if (lexed.token(body.first).kind == TokenKind::identifier && lexed.is(body.first + 1, "(")) {
    const int close = lexed.partner(body.first + 1);
    const bool control = lexed.is(body.first, "if") || lexed.is(body.first, "switch");
    if (!control && !lexed.is(close + 1, ";") && !lexed.is(close + 1, ",")) return false;
  }
  for (int i = body.first; i <= body.last; ++i)
    if (lexed.token(i).kind == TokenKind::identifier && banned.contains(lexed.of(i))) return false;
  return true;
}

/// The token after `[..]` and `.name`.
int after_selector(const Lexed& lexed, int i) {
  for (;;) {
    if (lexed.is(i, "[") && lexed.partner(i) > 0)
      i = lexed.partner(i) + 1;
    else if (lexed.is(i, "."))
      i += 2;
    else
      return i;
  }
}

/// Its value, or that of one of its elements, may be used in the body.
bool reads(const Lexed& lexed, const Outline& outline, const LoopBody& body, int local) {
  const std::string& name = outline.locals[static_cast<std::size_t>(local)].name;
  for (int i = body.first; i <= body.last; ++i) {
    if (lexed.of(i) != name || lexed.is(i - 1, ".") || lexed.is(i - 1, "->") || lexed.is(i - 1, "::")) continue;
    if (outline.find(name, i) != local) continue;
    const bool output =
        lexed.is(i - 1, "(") && lexed.token(i - 2).kind == TokenKind::string && lexed.of(i - 2).starts_with("\"=");
    if (!output && !lexed.is(after_selector(lexed, i + 1), "=")) return true;
  }
  return false;
}

}  // namespace

bool CarriedLoops::only_carried(const Outline& outline, int local, int first, int last) const {
  bool any = false;
  auto a = std::ranges::lower_bound(outline.assigns, first, {}, &Assign::token);
  for (; a != outline.assigns.end() && a->token <= last; ++a) {
    if (a->local != local) continue;
    const auto body = std::ranges::partition_point(bodies, [&](const Body& b) { return b.last < a->token; });
    const bool carried =
        body != bodies.end() && body->first <= a->token && std::ranges::find(body->locals, local) != body->locals.end();
    if (!carried) return false;
    any = true;
  }
  return any;
}

CarriedLoops carried_loops(const Lexed& lexed, const Outline& outline) {
  CarriedLoops out;
  if (!outline.reliable || outline.loop_bodies.empty()) return out;
  const std::set<std::string_view> banned = statement_macros(lexed);
  for (const LoopBody& b : outline.loop_bodies) {
    CarriedLoops::Body body{b, {}};
    auto a = std::ranges::lower_bound(outline.assigns, b.first, {}, &Assign::token);
    const auto seen_within = [&](const Assign& assign) {
      const bool in_loop =
          !out.bodies.empty() && out.bodies.back().first <= assign.token && assign.token <= out.bodies.back().last;
      return in_loop || outline.block_at(assign.token) != b.block;
    };
    for (; a != outline.assigns.end() && a->token <= b.last; ++a)
      if (!seen_within(*a) && std::ranges::find(body.locals, a->local) == body.locals.end() &&
          reads(lexed, outline, b, a->local))
        body.locals.push_back(a->local);
    if (!body.locals.empty() && takes_braces(lexed, b, banned)) out.bodies.push_back(std::move(body));
  }
  return out;
}

}  // namespace lanescope::source
