#include "kernels/source/notation/next_writes.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::string_view forward =
    "becomes|become|will be|will have|will hold|into the following|to the following|transpose away|"
    "transposes away|swap away|after the next|after the following|after this step|after that|afterwards|we want|"
    "want to have|needs to be|to obtain|to get|next step|next transpose|the target|target assignment|desired|"
    "the goal|is to be|shall be|shall have|leads to|turns into|transforms into|converts into|which gives|"
    "obtaining|yielding|giving|resulting in|arriving at|ending up|which yields|which makes|to produce|to yield|"
    "to arrive at|to reach";
/// A sentence that begins with one of these says what the code below it does, unless it says that something is so.
constexpr std::string_view orders =
    "gather|load|read|fetch|shuffle|exchange|swap|transpose|permute|rotate|convert|unpack|pack|move|bring|"
    "redistribute|rearrange|reorder|collect|scatter|transfer|combine|split|interleave|deinterleave|broadcast";
constexpr std::string_view states = "has|have|is|are|holds|hold|contains|contain|had|was|were|lies|lie";
constexpr std::string_view result_words = "return|on output|on exit|output:|the result|when done|afterwards|leaves";

/// The entry of the list that is this word; empty: none.
std::string_view entry_of(std::string_view list, std::string_view word) {
  const std::size_t at = find_word(list, word);
  return at == std::string_view::npos || word.empty() ? std::string_view() : list.substr(at, word.size());
}

/// The verb of a sentence such as "Gather from shared memory:", "Now load a tile:"; empty where there is none.
std::string_view order_in(std::string_view sentence) {
  const Words words = plain_words_of(sentence);
  std::string_view order;
  bool first = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].low;
    if (word == "so" && !order.empty() && i + 1 < words.size() && words[i + 1].low == "that") break;
    if (order.empty() && first) order = entry_of(orders, word);
    first = first && one_of(word, {"now", "next", "then", "finally", "first", "we", "here"});
    if (!entry_of(states, word).empty()) return {};
  }
  return order;
}

/// Whether lines (before, after) hold something else than preprocessor lines: an empty line or a comment.
bool gap(const Lexed& lexed, int before, int after) {
  int between = after - before - 1;
  if (between <= 0) return false;
  const auto first =
      std::ranges::partition_point(lexed.directives, [&](const Directive& d) { return d.line <= before; });
  for (auto d = first; d != lexed.directives.end() && d->line < after; ++d) {
    const std::string_view text = lexed.text.substr(d->offset, d->length);
    between -= 1 + static_cast<int>(std::ranges::count(text, '\n'));
  }
  return between > 0;
}

}  // namespace

std::string forward_words(const std::vector<std::string>& sentences) {
  constexpr std::size_t near = 2;  // sentences
  for (std::size_t n = sentences.size(); n > 0 && sentences.size() - n < near; --n) {
    const std::string_view w = entry_in(forward, lower(sentences[n - 1]), true);
    if (!w.empty()) return std::string(w);
  }
  if (sentences.empty()) return {};
  // "Shuffle the pairs: this puts x into"
  const bool two = sentences.size() > 1 && sentences[sentences.size() - 2].ends_with(':');
  return std::string(order_in(two ? sentences[sentences.size() - 2] + " " + sentences.back() : sentences.back()));
}

std::string step_words(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  const Words words = plain_words_of(sentences.back());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::string_view verb = words[i + 1].low;
    const bool of_step = one_of(words[i].low, {"this", "that", "it", "which"}) && verb.ends_with('s');
    for (; of_step && verb.size() + 2 >= words[i + 1].low.size(); verb.remove_suffix(1))
      if (verb != words[i + 1].low && !entry_of(orders, verb).empty()) return words[i].low + " " + words[i + 1].low;
    if (words[i].low == "the" && words[i + 1].low == "result") return "the result";
  }
  return {};
}

bool speaks_of_result(const std::vector<std::string>& sentences) {
  return std::ranges::any_of(sentences, [](const std::string& s) {
    const std::string words = lower(s);
    return !entry_in(result_words, words, true).empty() || words.find("return") != std::string::npos;
  });
}

std::vector<const Point*> next_writes(const Lexed& lexed, const Outline& outline, int from, int limit,
                                      const std::function<bool(int, int)>& writes) {
  constexpr int most_statements = 200;
  std::vector<const Point*> out;
  const int home = outline.block_at(from);
  if (home < 0) return out;
  const int end = std::min(limit, outline.blocks[static_cast<std::size_t>(home)].close);
  int before = from, left = most_statements;
  const auto first = std::ranges::partition_point(outline.points, [&](const Point& p) { return p.token <= from; });
  for (auto p = first; p != outline.points.end() && p->token < end; ++p) {
    if (p->block != home) continue;
    if (--left == 0) break;
    if (!out.empty() && gap(lexed, lexed.token(before).line, lexed.token(p->statement).line)) break;
    if (writes(before, p->token)) out.push_back(&*p);
    before = p->token;
  }
  if (out.size() > most_later_points) out.erase(out.begin() + most_later_points - 1, out.end() - 1);
  return out;
}

namespace {

constexpr std::size_t longest_naming_line = 300, most_names = 1000;

bool may_name(std::string_view w) { return w.size() == 1 || !is_english(w); }

/// "call it y[f]", "call the result y", "call acc c[i,j]"; "y[f] = sum over t of w[f,t] x[t]", "y[f] = FFT of x".
bool named(const Words& words, OutputName& out) {
  if (const auto m = comment_phrases().in("called", words)) {
    out.name = m->text("NAME", words);
    out.of = m->text("OF", words);
    // "call f once" gives no name.
    const bool stands = m->has("INDICES") || (m->has("IT") && m->has("END"));
    if (stands && may_name(out.name) && (m->has("IT") || may_name(out.of)) &&
        !comment_phrases().is("no_name", out.name))
      return true;
    out.of.clear();
  }
  const auto m = comment_phrases().at("summed", words);
  if (m) out.name = m->text("NAME", words);
  return m && may_name(out.name);
}

}  // namespace

bool speaks_of(const std::string& sentence, const std::string& name) {
  for (std::size_t at = find_word(sentence, name); at != std::string::npos; at = find_word(sentence, name, at + 1)) {
    std::size_t end = at + name.size();
    if (end < sentence.size() && sentence[end] == '[') end = std::min(sentence.find(']', end), sentence.size() - 1) + 1;
    const std::string_view after = std::string_view(sentence).substr(end),
                           before = std::string_view(sentence).substr(0, at);
    if (after.starts_with(" has") || after.starts_with(" now has") || after.starts_with(":") ||
        before.ends_with("of ") || before.ends_with("`") || before.ends_with("'"))
      return true;
  }
  return false;
}

std::vector<OutputName> output_names(const std::vector<CommentLine>& lines) {
  std::vector<OutputName> out;
  for (const CommentLine& l : lines) {
    if (l.text.size() > longest_naming_line || out.size() >= most_names) continue;
    OutputName name{.name = {}, .of = {}, .offset = l.offset, .line = l.line};
    if (named(words_of(l.text), name)) out.push_back(std::move(name));
  }
  return out;
}

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
