#include "kernels/source/notation/probe_positions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/source/notation/claim_variables.h"

namespace lanescope::source {
namespace {

// What all claims of a file may cost together; far beyond any file that people write.
constexpr std::size_t most_steps = 5'000'000;
constexpr std::size_t most_reads = std::size_t{1} << 17;
constexpr std::string_view too_much = "this file has too many claims and statements to find its place";

class Binder {
 public:
  Binder(const Lexed& lexed, const Outline& outline, const std::vector<bool>& host)
      : lexed_(lexed), outline_(outline), host_(host) {
    for (std::size_t i = 0; i < outline.assigns.size(); ++i)
      assigns_of_[outline.assigns[i].local].push_back(static_cast<int>(i));
  }

  void claim(const TextClaim& text) {
    Claim c;
    c.first_line = text.row_lines.empty() ? text.unread.front().line : text.row_lines.front();
    c.last_line = text.row_lines.empty() ? text.unread.back().line : text.row_lines.back();
    c.row_lines = text.row_lines;
    c.stated = text.stated;
    for (const std::string& s : text.sentences) {
      if (!c.sentence.empty()) c.sentence += ' ';
      c.sentence += s;
    }
    place(text, c);
    out_.claims.push_back(std::move(c));
  }

  void watch() {
    for (const Point& p : outline_.points) {
      if (p.locals.empty() ||
          host_[static_cast<std::size_t>(outline_.blocks[static_cast<std::size_t>(p.block)].function)])
        continue;
      std::vector<int> ids;
      for (const int l : p.locals) {
        if (watchable(l, p)) ids.push_back(variable(l));
      }
      if (!ids.empty()) add_probe(p, -1, std::move(ids));
    }
  }

  Bound take() { return std::move(out_); }

 private:
  /// Of the head of a loop only where its body begins: elsewhere it is in scope too seldom.
  bool watchable(int local, const Point& p) const {
    const Local& l = outline_.locals[static_cast<std::size_t>(local)];
    const int token = p.token;
    if (l.loop_header && p.statement != token) return false;
    const bool boolean = l.type == "bool";
    const bool visible = l.token <= token && token < l.scope_end;
    return visible && l.in_registers && !l.pointer && !l.reference && !boolean && outline_.find(l.name, token) == local;
  }

  int variable(int local) {
    const auto [it, fresh] = ids_.try_emplace(local, static_cast<int>(out_.variables.size()));
    if (fresh) {
      const Local& l = outline_.locals[static_cast<std::size_t>(local)];
      const FunctionRange& f = outline_.functions[static_cast<std::size_t>(l.function)];
      out_.variables.push_back({.id = it->second,
                                .name = l.name,
                                .type = l.type,
                                .function = f.info.name,
                                .declared_line = lexed_.token(l.token < f.open ? f.head : l.token).line});
    }
    return it->second;
  }

  int add_probe(const Point& p, int claim, std::vector<int> variables) {
    PlacedProbe placed;
    placed.token = p.token;
    placed.point.id = static_cast<int>(out_.probes.size());
    placed.point.claim = claim;
    placed.point.variables = std::move(variables);
    for (const int id : placed.point.variables)
      placed.names.push_back(out_.variables[static_cast<std::size_t>(id)].name);
    placed.point.statement_line = lexed_.token(p.statement).line;
    const int next = std::min(p.token + 1, lexed_.count() - 1);
    placed.point.line = lexed_.token(next).line;
    placed.point.column = lexed_.token(next).column;
    out_.probes.push_back(std::move(placed));
    return out_.probes.back().point.id;
  }

  /// The function that a comment belongs to: the one around it, or the one that starts right after it.
  int function_of(int anchor) const {
    if (const int f = outline_.function_at(anchor); f >= 0) return f;
    for (std::size_t i = 0; i < outline_.functions.size(); ++i) {
      if (outline_.functions[i].head == anchor + 1) return static_cast<int>(i);
    }
    return -1;
  }

  void place(const TextClaim& text, Claim& c) {
    int anchor = lexed_.last_before(text.offset);
    const int f = function_of(anchor);
    if (f < 0) {
      c.unchecked_reason = "the comment is outside of all functions";
      return;
    }
    if (anchor < outline_.functions[static_cast<std::size_t>(f)].open)
      anchor = outline_.functions[static_cast<std::size_t>(f)].open;
    if (steps_ > most_steps || reads_ > most_reads) {
      c.unchecked_reason = too_much;
      return;
    }
    const ClaimNames names = names_of(text, variables_of(f), anchor);
    reads_ += names.members.size();
    c.variable = names.display;
    c.unchecked_reason = text.unread.empty() ? names.problem : unread_rows(text);
    if (!c.unchecked_reason.empty()) return;
    if (host_[static_cast<std::size_t>(f)]) {
      c.unchecked_reason = "the comment is in host code, which does not run on the GPU";
    } else if (!outline_.reliable) {
      c.unchecked_reason = "the brackets of this file are not balanced, so no probe can be placed";
    } else {
      place_probe(c, names.members, f, anchor);
    }
  }

  void place_probe(Claim& c, const std::vector<std::string>& members, int f, int anchor) {
    needed_elements_ = members.size() == 1 && c.stated.row(layout::Place::reg)
                           ? 1 << std::min(c.stated.bits(layout::Place::reg), 12)
                           : 1;
    const Point* point = find_point(members, f, anchor);
    if (point == nullptr) {
      c.unchecked_reason = reason_without_point(members, f);
      return;
    }
    if (point->token > anchor && all_ready(members, anchor) && changes(members, anchor, point->token)) {
      c.unchecked_reason = "the comment is not between two statements of a block";
      return;
    }
    for (const std::string& m : members) c.registers.push_back(variable(outline_.find(m, point->token)));
    c.probe = add_probe(*point, static_cast<int>(out_.claims.size()), c.registers);
  }

  bool inside(int block, int of) const {
    for (int b = of; b >= 0; b = outline_.blocks[static_cast<std::size_t>(b)].parent) {
      if (b == block) return true;
    }
    return false;
  }

  const Point* find_point(const std::vector<std::string>& members, int f, int anchor) {
    const int home = outline_.block_at(anchor);
    const int end = outline_.functions[static_cast<std::size_t>(f)].close;
    // First the comment's own block and those around it, then blocks inside: an array that a loop fills is complete
    // after the loop, not in it.
    const auto first = std::partition_point(outline_.points.begin(), outline_.points.end(),
                                            [&](const Point& p) { return p.token < anchor; });
    for (const bool own_block : {true, false}) {
      for (auto p = first; p != outline_.points.end() && p->token < end && ++steps_ <= most_steps; ++p) {
        if (own_block && !inside(p->block, home)) continue;
        if (all_ready(members, p->token)) return &*p;
      }
    }
    return nullptr;
  }

  bool all_ready(const std::vector<std::string>& members, int token) {
    return std::all_of(members.begin(), members.end(), [&](const std::string& m) { return ready(m, token); });
  }

  /// Declared and assigned, every element of it, in the text up to `token`.
  bool ready(const std::string& name, int token) {
    ++steps_;
    const int local = outline_.find(name, token);
    if (local < 0 || !outline_.locals[static_cast<std::size_t>(local)].in_registers) return false;
    const auto [known, fresh] = ready_from_.try_emplace({local, needed_elements_}, 0);
    if (fresh) known->second = complete_at(local);
    return known->second <= token;
  }

  /// The token by which `local` has been assigned, all elements that are needed.
  int complete_at(int local) const {
    const auto it = assigns_of_.find(local);
    if (it == assigns_of_.end()) return std::numeric_limits<int>::max();
    std::set<std::string_view> elements;
    for (const int a : it->second) {
      const Assign& assign = outline_.assigns[static_cast<std::size_t>(a)];
      if (assign.element.empty() || assign.element == "*") return assign.token;
      elements.insert(assign.element);
      if (static_cast<int>(elements.size()) >= needed_elements_) return assign.token;
    }
    return std::numeric_limits<int>::max();
  }

  bool changes(const std::vector<std::string>& members, int from, int to) const {
    return std::any_of(members.begin(), members.end(), [&](const std::string& m) {
      const auto assigned = assigns_of_.find(outline_.find(m, from));
      if (assigned == assigns_of_.end()) return false;
      const auto token_of = [&](int a) { return outline_.assigns[static_cast<std::size_t>(a)].token; };
      const auto next = std::partition_point(assigned->second.begin(), assigned->second.end(),
                                             [&](int a) { return token_of(a) <= from; });
      return next != assigned->second.end() && token_of(*next) <= to;
    });
  }

  const NamedVariables& variables_of(int f) { return named_.try_emplace(f, outline_, f).first->second; }

  /// "2 rows could not be read: line 12 `w0* <-> k7`, line 13 `r <-> k6`".
  static std::string unread_rows(const TextClaim& text) {
    constexpr std::size_t longest_row = 60;
    std::string out =
        fmt::format("{} could not be read:",
                    text.unread.size() == 1 ? std::string("1 row") : fmt::format("{} rows", text.unread.size()));
    for (const UnreadRow& row : text.unread) {
      const bool whole = row.text.size() <= longest_row;
      out += fmt::format("{} line {} `{}{}`", &row == &text.unread.front() ? "" : ",", row.line,
                         row.text.substr(0, longest_row), whole ? "" : "...");
    }
    return out;
  }

  std::string reason_without_point(const std::vector<std::string>& members, int f) const {
    if (steps_ > most_steps) return std::string(too_much);
    for (const std::string& m : members) {
      bool declared = false;
      bool assigned = false;
      for (const int i : outline_.called(m)) {
        if (outline_.locals[static_cast<std::size_t>(i)].function != f) continue;
        declared = true;
        assigned = assigned || assigns_of_.contains(i);
      }
      if (!declared) return fmt::format("there is no variable `{}` in this function", m);
      if (!assigned) return fmt::format("`{}` is declared but never assigned", m);
    }
    return "there is no position after the comment where all its variables have a value and a probe can be placed";
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const std::vector<bool>& host_;
  std::map<int, std::vector<int>> assigns_of_;
  std::map<int, int> ids_;
  std::map<int, NamedVariables> named_;            ///< by function
  std::map<std::pair<int, int>, int> ready_from_;  ///< complete_at(), by local and elements needed
  int needed_elements_ = 1;
  std::size_t steps_ = 0;  ///< spent in looking for points
  std::size_t reads_ = 0;  ///< variables named by all claims
  Bound out_;
};

}  // namespace

Bound bind_claims(const Lexed& lexed, const Outline& outline, const std::vector<TextClaim>& claims,
                  const std::vector<bool>& host, bool watch_probes) {
  Binder binder(lexed, outline, host);
  for (const TextClaim& c : claims) binder.claim(c);
  if (watch_probes) binder.watch();
  return binder.take();
}

}  // namespace lanescope::source
