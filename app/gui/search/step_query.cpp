#include "app/gui/search/step_query.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

using results::Summary;
using trace::MemorySpace;
using trace::StepKind;

struct KindWord {
  std::string_view word;
  int kind;
};
constexpr KindWord kind_words[] = {
    {"load", static_cast<int>(StepKind::load)},     {"store", static_cast<int>(StepKind::store)},
    {"move", static_cast<int>(StepKind::move)},     {"shuffle", static_cast<int>(StepKind::shuffle)},
    {"vote", static_cast<int>(StepKind::vote)},     {"barrier", static_cast<int>(StepKind::barrier)},
    {"branch", static_cast<int>(StepKind::branch)}, {"arithmetic", static_cast<int>(StepKind::arithmetic)},
    {"probe", static_cast<int>(StepKind::probe)},   {"atomic", static_cast<int>(StepKind::atomic)},
    {"exit", static_cast<int>(StepKind::exit)},     {"parameter", results::parameter_kind},
    {"other", static_cast<int>(StepKind::other)},
};
constexpr std::string_view silent_words[] = {
    "next", "a",           "an",           "the",  "with", "of",   "in",   "where",  "was",    "is",
    "that", "at",          "on",           "to",   "and",  "by",   "has",  "all",    "steps",  "when",
    "for",  "which",       "one",          "or",   "find", "bank", "its",  "memory", "search", "from",
    "go",   "instruction", "instructions", "show", "were", "had",  "have", "any",    "more",   "than"};

/// "stores" -> "store", "branches" -> "branch".
std::string singular(std::string_view word) {
  for (const std::string_view end : {"es", "s"}) {
    if (!word.ends_with(end)) continue;
    const std::string_view stem = word.substr(0, word.size() - end.size());
    for (const KindWord& k : kind_words)
      if (k.word == stem) return std::string(stem);
  }
  return std::string(word);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto number = number_in<std::int64_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

/// Words, numbers and the signs < <= = >= >.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens(1);
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (c == '<' || c == '>' || c == '=') {
      tokens.emplace_back(1, c);
      if (n + 1 < text.size() && text[n + 1] == '=') tokens.back() += text[++n];
      tokens.emplace_back();
    } else if (c == ' ' || c == ',' || c == '\t' || c == '?' || c == ';') {
      tokens.emplace_back();
    } else {
      tokens.back() += c;
    }
  }
  std::erase(tokens, std::string());
  return tokens;
}

class QueryReader {
 public:
  QueryReader(std::string_view text, const Summary& summary, const QueryContext& context)
      : tokens_(tokens_of(text)), summary_(summary), context_(context) {}

  tl::expected<StepQuery, std::string> read() {
    if (tokens_.empty())
      return tl::unexpected(std::string("Type what to find, for example: shared store with a conflict."));
    while (at_ < tokens_.size())
      if (std::string problem = word(); !problem.empty()) return tl::unexpected(std::move(problem));
    if (!said_)
      return tl::unexpected(std::string("These words name nothing to find. Try: shared store with a conflict."));
    if (query_.lane >= 0 && query_.reg < 0 && query_.family < 0 && !query_.written)
      return tl::unexpected(std::string("Name the register, too: r3 of lane 7."));
    if (query_.reg >= 0 || query_.family >= 0 || query_.lane >= 0) query_.written = true;
    if (query_.lane > 31) return tl::unexpected(std::string("The lanes of a warp are 0 to 31."));
    if (query_.warp >= static_cast<int>(summary_.warps))
      return tl::unexpected("The warps of this block are 0 to " + std::to_string(std::max(summary_.warps, 1u) - 1) +
                            ".");
    const auto names = [&](MemorySpace space) {
      return query_.spaces.empty() || std::ranges::find(query_.spaces, space) != query_.spaces.end();
    };
    if (conflict_ && !names(MemorySpace::shared))
      return tl::unexpected(std::string("Bank conflicts are of shared memory; of global memory, say uncoalesced."));
    if (uncoalesced_ && !names(MemorySpace::global))
      return tl::unexpected(std::string("Uncoalesced accesses are of global memory; of shared memory, say conflict."));
    if (conflict_ != uncoalesced_) query_.spaces = {conflict_ ? MemorySpace::shared : MemorySpace::global};
    if (!warp_said_) query_.warp = context_.warp, query_.own_warp = true;
    return std::move(query_);
  }

 private:
  /// Takes one word with what belongs to it. Returns what is wrong.
  std::string word() {
    const std::string original = tokens_[at_++], text = lower(original);
    if (text == "any" && at_ < tokens_.size() && lower(tokens_[at_]).starts_with("warp")) {
      ++at_;
      warp_said_ = said_ = true;
      return {};
    }
    if (text == "step" && !next_number()) return {};
    if (text == "access" || text == "accesses") {
      for (const StepKind kind : {StepKind::load, StepKind::store, StepKind::atomic})
        query_.kinds.push_back(static_cast<int>(kind));
      return said();
    }
    if (std::ranges::find(silent_words, text) != std::end(silent_words)) return {};
    if (text == "line") return number_after("line", query_.line);
    if (text == "lane") return number_after("lane", query_.lane);
    if (text == "step") return number_after("step", query_.step);
    if (text == "iteration") return number_after("iteration", query_.iteration);
    if (text == "warp") {
      warp_said_ = true;
      return number_after("warp", query_.warp);
    }
    if (text == "wavefronts" || text == "wavefront") return bound(StepQuery::Figure::wavefronts, text);
    if (text == "sectors" || text == "sector") return bound(StepQuery::Figure::sectors, text);
    if (text == "lanes") return bound(StepQuery::Figure::lanes, text);
    if (text == "last" || text == "previous") {
      query_.last = true;
      return {};
    }
    if (text == "conflict" || text == "conflicts" || text == "conflicting") {
      conflict_ = query_.costly = true;
      return said();
    }
    if (text == "uncoalesced") {
      uncoalesced_ = query_.costly = true;
      return said();
    }
    if (text == "divergent" || text == "divergence") {
      query_.divergent = true;
      return said();
    }
    if (text == "global" || text == "shared") {
      query_.spaces.push_back(text == "global" ? MemorySpace::global : MemorySpace::shared);
      return said();
    }
    if (text == "written" || text == "write" || text == "writes" || text == "changed") {
      query_.written = true;
      return said();
    }
    const std::string kind = singular(text);
    for (const KindWord& k : kind_words) {
      if (k.word != kind) continue;
      // "parameter load" is one kind.
      const bool parameter = std::ranges::find(query_.kinds, results::parameter_kind) != query_.kinds.end();
      if (!(parameter && k.kind == static_cast<int>(StepKind::load))) query_.kinds.push_back(k.kind);
      return said();
    }
    return name(original, text);
  }

  std::string said() {
    said_ = true;
    return {};
  }

  std::optional<std::int64_t> next_number() const {
    return at_ < tokens_.size() ? whole_number(tokens_[at_]) : std::nullopt;
  }

  template <class Number>
  std::string number_after(std::string_view word, Number& to) {
    const auto number = next_number();
    if (!number || *number > 2'000'000'000) return "Write a number after \"" + std::string(word) + "\".";
    ++at_;
    to = static_cast<Number>(*number);
    return said();
  }

  std::string bound(StepQuery::Figure figure, std::string_view word) {
    using Relation = StepQuery::Relation;
    const std::string sign = at_ < tokens_.size() ? tokens_[at_] : "";
    constexpr std::pair<std::string_view, Relation> relations[] = {
        {"<", Relation::less},   {"<=", Relation::at_most},  {"=", Relation::equal},
        {"==", Relation::equal}, {">=", Relation::at_least}, {">", Relation::more}};
    const auto* relation = std::ranges::find(relations, sign, [](const auto& r) { return r.first; });
    const std::string usage =
        "Write a limit after \"" + std::string(word) + "\", for example " + std::string(word) + " > 4.";
    if (relation == std::end(relations)) return usage;
    ++at_;
    const auto number = next_number();
    if (!number) return usage;
    ++at_;
    query_.bounds.push_back(
        {.figure = figure, .relation = relation->second, .number = static_cast<std::uint64_t>(*number)});
    return said();
  }

  /// A register, an array of them, or an opcode.
  std::string name(const std::string& original, const std::string& text) {
    for (std::size_t f = 0; f < summary_.families.size(); ++f) {
      const results::RegisterArray& family = summary_.families[f];
      const auto reg = std::ranges::find(family.registers, original);
      if (reg == family.registers.end() && family.name != original) continue;
      query_.family = static_cast<int>(f);
      query_.reg = reg == family.registers.end() ? -1 : static_cast<int>(reg - family.registers.begin());
      return said();
    }
    if (const auto number = text.starts_with('r') ? whole_number(std::string_view(text).substr(1)) : std::nullopt) {
      if (context_.family < 0 || static_cast<std::size_t>(context_.family) >= summary_.families.size())
        return "No array of registers is shown: write the name of the register instead of " + original + ".";
      const results::RegisterArray& family = summary_.families[static_cast<std::size_t>(context_.family)];
      if (static_cast<std::size_t>(*number) >= family.registers.size())
        return family.name + " has no " + original + ": its registers are r0 to r" +
               std::to_string(family.registers.size() - 1) + ".";
      query_.family = context_.family, query_.reg = static_cast<int>(*number);
      return said();
    }
    const bool opcode = std::ranges::any_of(
        summary_.code, [&](const trace::CodeSite& site) { return results::opcode_of(site).starts_with(text); });
    if (opcode) {
      query_.opcode = text;
      return said();
    }
    return "\"" + original +
           "\" is neither a word of this search, nor a register, nor an opcode of this kernel. Words: load, store, "
           "shuffle, barrier, …, global, shared, conflict, uncoalesced, divergent, written, line, warp, lane, "
           "iteration.";
  }

  std::vector<std::string> tokens_;
  const Summary& summary_;
  const QueryContext& context_;
  StepQuery query_;
  std::size_t at_ = 0;
  bool said_ = false, warp_said_ = false, conflict_ = false, uncoalesced_ = false;
};

bool holds(StepQuery::Relation relation, std::uint64_t value, std::uint64_t number) {
  using Relation = StepQuery::Relation;
  switch (relation) {
    case Relation::less:
      return value < number;
    case Relation::at_most:
      return value <= number;
    case Relation::equal:
      return value == number;
    case Relation::at_least:
      return value >= number;
    case Relation::more:
      return value > number;
  }
  return false;
}

bool access_matches(const StepQuery& query, const results::StepAccess& access) {
  if (!query.spaces.empty() && std::ranges::find(query.spaces, access.space) == query.spaces.end()) return false;
  if (query.costly && !access.costly()) return false;
  return std::ranges::all_of(query.bounds, [&](const StepQuery::Bound& b) {
    if (b.figure == StepQuery::Figure::lanes) return true;
    const bool shared = b.figure == StepQuery::Figure::wavefronts;
    return shared == (access.space == MemorySpace::shared) && holds(b.relation, access.cost, b.number);
  });
}

/// The kind of access that a query is about.
bool asks_access(const StepQuery& query) {
  return !query.spaces.empty() || query.costly || std::ranges::any_of(query.bounds, [](const StepQuery::Bound& b) {
    return b.figure != StepQuery::Figure::lanes;
  });
}

bool write_matches(const StepQuery& query, const results::RegisterWrite& write) {
  return (query.family < 0 || write.family == query.family) && (query.reg < 0 || write.reg == query.reg) &&
         (query.lane < 0 || (query.lane < 32 && (write.lanes >> query.lane & 1) != 0));
}

/// Walks a list that ascends by step beside the marks: whether one of the step's entries matches.
template <class Entry, class Matches>
bool any_at(const std::vector<Entry>& list, std::size_t& next, std::uint32_t step, Matches matches) {
  bool any = false;
  while (next < list.size() && list[next].step < step) ++next;
  for (; next < list.size() && list[next].step == step; ++next) any = any || matches(list[next]);
  return any;
}

/// The most lanes that any step of each warp has.
std::vector<int> most_lanes(const Summary& summary) {
  std::vector<int> most(std::max(summary.warps, 1u));
  for (std::size_t n = 0; n < std::min(summary.timeline.size(), summary.active_masks.size()); ++n)
    if (const std::size_t warp = summary.timeline[n].warp; warp < most.size())
      most[warp] = std::max(most[warp], std::popcount(summary.active_masks[n]));
  return most;
}

std::vector<std::uint32_t> iteration_steps(const Summary& summary, const results::StepIndex& index,
                                           const StepQuery& query, const QueryContext& context) {
  const int warp = query.warp >= 0 ? query.warp : context.warp;
  int loop = -1;
  if (query.line > 0) {
    for (std::size_t i = 0; i < summary.loops.size(); ++i)
      if (summary.loops[i].line == query.line) loop = static_cast<int>(i);
  } else {
    const auto around = results::iterations_at(summary, index, warp, context.step);
    const auto entered = results::loops_of(summary, index, warp);
    if (!around.empty())
      loop = around.front().loop;
    else if (!entered.empty())
      loop = entered.front();
  }
  const std::int64_t step = results::step_in_iteration(summary, index, loop, warp, context.step, query.iteration);
  return step < 0 ? std::vector<std::uint32_t>{} : std::vector{static_cast<std::uint32_t>(step)};
}

}  // namespace

tl::expected<StepQuery, std::string> parse_step_query(std::string_view text, const Summary& summary,
                                                      const QueryContext& context) {
  return QueryReader(text, summary, context).read();
}

std::vector<std::uint32_t> find_steps(const Summary& summary, const results::StepIndex& index, const StepQuery& query,
                                      const QueryContext& context) {
  if (query.iteration >= 0) return iteration_steps(summary, index, query, context);
  std::vector<std::uint32_t> found;
  std::vector<bool> pcs(summary.code.size(), true);
  if (!query.opcode.empty())
    for (std::size_t pc = 0; pc < pcs.size(); ++pc)
      pcs[pc] = results::opcode_of(summary.code[pc]).starts_with(query.opcode);
  const std::vector<int> most = query.divergent ? most_lanes(summary) : std::vector<int>{};
  const bool access = asks_access(query);
  std::size_t next_access = 0, next_write = 0;
  for (std::size_t n = 0; n < index.marks(); ++n) {
    const results::TimelineMark& mark = summary.timeline[n];
    if (query.warp >= 0 && mark.warp != query.warp) continue;
    if (query.line > 0 && mark.line != query.line) continue;
    if (query.step >= 0 && mark.step != query.step) continue;
    if (!query.kinds.empty() && std::ranges::find(query.kinds, index.kind(n)) == query.kinds.end()) continue;
    if (!query.opcode.empty() && (mark.pc < 0 || static_cast<std::size_t>(mark.pc) >= pcs.size() || !pcs[mark.pc]))
      continue;
    const int lanes = n < summary.active_masks.size() ? std::popcount(summary.active_masks[n]) : -1;
    if (query.divergent && (lanes < 0 || mark.warp >= most.size() || lanes >= most[mark.warp])) continue;
    const bool bounded = std::ranges::all_of(query.bounds, [&](const StepQuery::Bound& b) {
      return b.figure != StepQuery::Figure::lanes ||
             (lanes >= 0 && holds(b.relation, static_cast<std::uint64_t>(lanes), b.number));
    });
    if (!bounded) continue;
    if (access && !any_at(summary.accesses, next_access, mark.step,
                          [&](const results::StepAccess& a) { return access_matches(query, a); }))
      continue;
    if (query.written && !any_at(summary.writes, next_write, mark.step,
                                 [&](const results::RegisterWrite& w) { return write_matches(query, w); }))
      continue;
    found.push_back(mark.step);
  }
  return found;
}

std::vector<std::string> example_queries(const Summary& summary) {
  std::vector<std::string> examples;
  const auto costs = [&](MemorySpace space) {
    return std::ranges::any_of(summary.accesses,
                               [&](const results::StepAccess& a) { return a.space == space && a.costly(); });
  };
  if (costs(MemorySpace::shared)) examples.emplace_back("shared store with a conflict");
  if (summary.shared_bytes > 0) examples.emplace_back("shared load");
  if (costs(MemorySpace::global)) examples.emplace_back("uncoalesced load");
  examples.emplace_back("global access with sectors > 4, any warp");
  if (!summary.families.empty() && !summary.families.front().registers.empty())
    examples.push_back(summary.families.front().registers.front() + " of lane 7 last written");
  examples.emplace_back("barrier");
  if (!summary.loops.empty()) examples.emplace_back("iteration 2");
  examples.emplace_back("divergent branch");
  return examples;
}

}  // namespace lanescope::gui
