#include "app/assist/better_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/assist/fixes.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/source.h"

namespace lanescope::assist {
namespace {

using results::ClaimInfo;

bool has_assignment(const ClaimInfo& c) {
  return c.claim.kind() == source::ClaimKind::registers && c.claim.first_line > 0 && !c.claim.variable.empty() &&
         c.result.verdict != claims::Verdict::unchecked && !c.result.formless;
}

const results::RegisterArray* array_of(const ClaimInfo& claim, const results::Summary& summary) {
  const auto at = std::ranges::find(summary.families, claim.claim.variable, &results::RegisterArray::name);
  return at == summary.families.end() ? nullptr : &*at;
}

std::string sentence_about(const ClaimInfo& c, const std::string& words) {
  return fmt::format("{} of line {} {}", c.claim.variable, c.claim.first_line, words);
}

/// "y" of "y[2]", "v" of "v.x".
std::string base_of(const std::string& name) { return name.substr(0, name.find_first_of("[.")); }

std::string plain_type(std::string type) {
  std::string out;
  std::string word;
  for (const char c : type + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    if (!word.empty() && word != "const" && word != "volatile" && word != "register")
      out += (out.empty() ? "" : " ") + word;
    word.clear();
  }
  return out;
}

/// The text between the places at which two claims were checked.
class Stretch {
 public:
  Stretch(std::string_view text, const source::Lexed& lexed, const source::Outline& outline)
      : text_(text), lexed_(lexed), outline_(outline), lines_(split_lines(text)) {}

  int first = 0, last = -1;  ///< tokens
  /// Lines (from 0) that give way: after the line of the token before `first`, to that of `last`.
  std::size_t top = 0, bottom = 0;

  /// False: the two places are not in this order in one block.
  bool between(const source::ProbePoint& a, const source::ProbePoint& b) {
    const int ta = token_at(a), tb = token_at(b);
    if (ta < 0 || tb < 0 || ta > tb) return false;
    first = ta, last = tb - 1;
    return outline_.block_at(ta - 1) == outline_.block_at(tb - 1);
  }
  bool empty() const { return last < first; }
  LineRange code() const { return empty() ? LineRange{} : LineRange{line(first), line(last)}; }
  int line(int token) const { return lexed_.token(token).line; }
  std::string_view line_text(int number) const { return lines_[static_cast<std::size_t>(number - 1)]; }
  const std::vector<std::string_view>& lines() const { return lines_; }

  /// Why the code cannot give way to what only makes `results`; empty: it can.
  std::string refusal(const std::set<std::string>& results) {
    if (empty()) return "No code stands between the two comments.";
    if (first > 0 && line(first - 1) == line(first))
      return fmt::format("Line {} holds earlier code, too.", line(first));
    if (last + 1 < lexed_.count() && line(last + 1) == line(last))
      return fmt::format("Line {} holds code of afterwards, too.", line(last));
    for (const source::Directive& d : lexed_.directives)
      if (d.line >= line(first) && d.line <= line(last))
        return fmt::format("Line {} is a line of the preprocessor.", d.line);
    for (int t = first; t <= last; ++t)
      if (std::string no = token_refusal(t, results); !no.empty()) return no;
    return later_uses(results);
  }

  /// Locals that are declared here, by name.
  const source::Local* declared(const std::string& name) const {
    for (const int l : outline_.called(name)) {
      const source::Local& local = outline_.locals[static_cast<std::size_t>(l)];
      if (local.token >= first && local.token <= last) return &local;
    }
    return nullptr;
  }
  const source::Local* local_named(const std::string& name, int token) const {
    const int l = outline_.find(name, token);
    return l < 0 ? nullptr : &outline_.locals[static_cast<std::size_t>(l)];
  }

 private:
  int token_at(const source::ProbePoint& p) const {
    for (int t = 0; t < lexed_.count(); ++t)
      if (lexed_.token(t).line == p.line && lexed_.token(t).column == p.column) return t;
    return -1;
  }

  const source::Local* meant(int token) const {
    if (lexed_.token(token).kind != source::TokenKind::identifier) return nullptr;
    if (token > 0 && (lexed_.is(token - 1, ".") || lexed_.is(token - 1, "->"))) return nullptr;
    return local_named(std::string(lexed_.of(token)), token);
  }

  /// The name that an assignment at `token` (of =, +=, ++ and the like) writes to; -1: it is not a name.
  int written_name(int token) const {
    int t = token - 1;
    if ((lexed_.is(token, "++") || lexed_.is(token, "--")) &&
        lexed_.token(token + 1).kind == source::TokenKind::identifier)
      return token + 1;
    while (t >= first) {
      if (lexed_.is(t, "]")) {
        t = lexed_.partner(t) - 1;
      } else if (lexed_.token(t).kind == source::TokenKind::identifier) {
        if (t > first && lexed_.is(t - 1, "."))
          t -= 2;
        else
          return t > first && (lexed_.is(t - 1, "*") || lexed_.is(t - 1, "->")) && !is_declared_at(t) ? -1 : t;
      } else {
        return -1;
      }
    }
    return -1;
  }
  bool is_declared_at(int token) const {
    const source::Local* local = meant(token);
    return local != nullptr && local->token == token;
  }

  /// A function of the user's to which memory is handed may write to it, and one to which the address of a variable is
  /// handed may write to that.
  std::string call_refusal(int t) {
    static const std::set<std::string_view> words{"if", "for", "while", "switch", "sizeof", "alignof", "decltype"};
    const std::string_view name = lexed_.of(t);
    if (lexed_.token(t).kind != source::TokenKind::identifier || !lexed_.is(t + 1, "(") || name.starts_with("__") ||
        words.contains(name) || meant(t) != nullptr)
      return {};
    for (int k = t + 2; k < lexed_.partner(t + 1); ++k) {
      const source::Local* local = meant(k);
      if (local == nullptr) continue;
      if (local->pointer || !local->in_registers)
        return fmt::format("`{}` of line {} gets a pointer to memory and may write to it.", name, line(t));
      if (lexed_.is(k - 1, "&") && (lexed_.is(k - 2, "(") || lexed_.is(k - 2, ","))) written_.insert(local);
    }
    return {};
  }

  std::string token_refusal(int t, const std::set<std::string>& results) {
    const std::string_view word = lexed_.of(t);
    const int partner = lexed_.partner(t);
    if (partner >= 0 && (partner < first || partner > last))
      return fmt::format("A bracket of line {} has its partner elsewhere.", line(t));
    static const std::set<std::string_view> leaving{"return",  "goto",   "break",  "continue", "asm",
                                                    "__asm__", "printf", "assert", "__trap"};
    if (leaving.contains(word)) return fmt::format("`{}` of line {} does more than move data.", word, line(t));
    if (word.starts_with("atomic") || word.starts_with("__st") || word.starts_with("__threadfence"))
      return fmt::format("`{}` of line {} does more than move data.", word, line(t));
    if (std::string no = call_refusal(t); !no.empty()) return no;
    static const std::set<std::string_view> writes{
        "=", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "<<=", ">>=", "++", "--"};
    if (!writes.contains(word)) return {};
    const int name = written_name(t);
    const source::Local* local = name < 0 ? nullptr : meant(name);
    if (local == nullptr)
      return fmt::format("Line {} writes to something that is no variable of this function.", line(t));
    const bool subscript = name + 1 < lexed_.count() && lexed_.is(name + 1, "[");
    if (local->pointer && subscript) return fmt::format("Line {} writes to memory through `{}`.", line(t), local->name);
    if (local->reference) return fmt::format("Line {} writes to `{}`, which is a reference.", line(t), local->name);
    if (!local->in_registers || local->pointer || !results.contains(local->name)) written_.insert(local);
    return {};
  }

  /// Names declared or written here and used elsewhere.
  std::string later_uses(const std::set<std::string>& results) const {
    const int function = outline_.function_at(first);
    if (function < 0) return "These lines are in no function.";
    const source::FunctionRange& f = outline_.functions[static_cast<std::size_t>(function)];
    const bool in_loop = outline_.block_at(first - 1) != outline_.block_at(f.open);
    for (int t = in_loop ? f.open : last + 1; t < f.close; ++t) {
      if (t == first) t = last + 1;
      const source::Local* local = meant(t);
      if (local == nullptr || results.contains(local->name)) continue;
      const bool declared_here = local->token >= first && local->token <= last;
      if (!declared_here && (!written_.contains(local) || t == local->token)) continue;
      return fmt::format("`{}` gets a value in these lines and is used in line {}.", local->name, line(t));
    }
    return {};
  }

  std::string_view text_;
  const source::Lexed& lexed_;
  const source::Outline& outline_;
  std::vector<std::string_view> lines_;
  std::set<const source::Local*> written_;
};

/// Where the claim was found to be as it is.
const source::ProbePoint* point_of(const ClaimInfo& info, const source::Source& source) {
  const auto same = std::ranges::find_if(source.claims, [&](const source::Claim& c) {
    return c.first_line == info.claim.first_line && c.variable == info.claim.variable;
  });
  if (same == source.claims.end()) return nullptr;
  const auto by_id = [&](int id) -> const source::ProbePoint* {
    const auto at = std::ranges::find(source.probes, id, &source::ProbePoint::id);
    return id < 0 || at == source.probes.end() ? nullptr : &*at;
  };
  if (info.result.after_line > 0)
    for (const int id : same->later_probes)
      if (const auto* p = by_id(id); p != nullptr && p->statement_line == info.result.after_line) return p;
  return by_id(same->probe);
}

std::string joined_lines(const std::vector<std::string>& lines, bool last_break) {
  std::string out;
  for (std::size_t n = 0; n < lines.size(); ++n) out += lines[n] + (n + 1 < lines.size() || last_break ? "\n" : "");
  return out;
}

/// Lines of the comment of a claim, from 0.
std::pair<std::size_t, std::size_t> comment_of(const ClaimInfo& c, const std::vector<std::string_view>& lines) {
  const auto row = static_cast<std::size_t>(c.claim.first_line - 1);
  return {comment_begin(lines, row), static_cast<std::size_t>(c.claim.last_line - 1)};
}

void append(std::vector<std::string>& out, const std::string& block) {
  for (const std::string_view line : split_lines(block)) out.emplace_back(line);
}

struct Writer {
  std::string_view text;
  const Stretch& stretch;
  const ClaimInfo &from, &to;
  const CalledRegisters &from_registers, &to_registers;
  const BetterPlan& plan;
  std::size_t function_at = 0;  ///< line from 0

  bool in_place() const { return from_registers.names == to_registers.names; }

  Rewritten with(const std::vector<std::string>& functions, std::size_t top, std::size_t bottom,
                 const std::vector<std::string>& middle, int call_lines, int call_at) const {
    Rewritten out;
    std::vector<std::string> lines;
    const auto& old = stretch.lines();
    for (std::size_t n = 0; n < old.size(); ++n) {
      if (n == function_at) lines.insert(lines.end(), functions.begin(), functions.end());
      if (n == top) {
        out.lines.first = static_cast<int>(lines.size()) + call_at + 1;
        out.lines.last = out.lines.first + call_lines - 1;
        lines.insert(lines.end(), middle.begin(), middle.end());
      }
      if (n >= top && n < bottom) continue;
      lines.emplace_back(old[n]);
    }
    out.text = joined_lines(lines, text.ends_with('\n'));
    return out;
  }

  std::vector<std::string> functions(const CalledRegisters* result, bool reinterpreted) const {
    std::vector<std::string> out;
    append(out, conversion_functions(plan.function,
                                     {*plan.planned, plan.planned->plans[static_cast<std::size_t>(plan.plan)]},
                                     from_registers, result, reinterpreted));
    out.emplace_back();
    return out;
  }

  Rewritten replaced(const source::Lexed& lexed, bool reinterpreted) const {
    const auto& lines = stretch.lines();
    const auto code_top = static_cast<std::size_t>(stretch.line(stretch.first) - 1);
    const auto bottom = static_cast<std::size_t>(stretch.line(stretch.last));
    // Comments before the code that are not those of a claim say what the code does: they go with it.
    std::size_t top = code_top;
    const auto [own_begin, own_end] = comment_of(from, lines);
    const std::size_t floor = stretch.first == 0 ? 0 : static_cast<std::size_t>(stretch.line(stretch.first - 1));
    const bool from_before = own_end < code_top && own_begin >= floor;
    while (top > floor && (!from_before || top > own_end + 1) &&
           (is_blank(lines[top - 1]) || is_comment_line(lines[top - 1])))
      --top;
    const std::string indentation = indentation_of(lines[code_top]);
    const auto [begin, end] = comment_of(to, lines);
    std::vector<std::string> middle{""};
    const bool comment_inside = begin >= top && end < bottom;
    if (comment_inside)
      for (std::size_t n = begin; n <= end; ++n) middle.emplace_back(lines[n]);
    const int call_at = static_cast<int>(middle.size());
    // Names declared in these lines are declared again.
    std::set<std::string> seen;
    for (const std::string& name : to_registers.names) {
      const std::string base = base_of(name);
      const source::Local* local = stretch.declared(base);
      if (local == nullptr || !seen.insert(base).second) continue;
      std::string extents = local->extents;
      if (local->array && extents.empty())
        for (int t = local->token + 1; t < lexed.count() && lexed.is(t, "["); t = lexed.partner(t) + 1)
          extents += "[" + source::joined(lexed, t + 1, lexed.partner(t) - 1) + "]";
      middle.push_back(fmt::format("{}{} {}{};", indentation, plain_type(local->type), base, extents));
    }
    middle.push_back(indentation + call_of(plan.function, from_registers, in_place() ? nullptr : &to_registers) + ";");
    return with(functions(in_place() ? nullptr : &to_registers, reinterpreted), top, bottom, middle,
                static_cast<int>(middle.size()) - call_at, call_at);
  }

  Rewritten inserted(const std::string& name, std::size_t at) const {
    const std::string indentation = stretch.empty()
                                        ? indentation_of(stretch.lines()[comment_of(from, stretch.lines()).first])
                                        : indentation_of(stretch.line_text(stretch.line(stretch.first)));
    CalledRegisters result;
    for (std::size_t n = 0; n < to_registers.names.size(); ++n) result.names.push_back(fmt::format("{}[{}]", name, n));
    if (result.names.size() > most_named_registers) result.array = name;
    std::vector<std::string> middle{"", fmt::format("{}unsigned {}[{}];", indentation, name, result.names.size()),
                                    indentation + call_of(plan.function, from_registers, &result) + ";", ""};
    for (std::string& line : comment_lines(indentation, name, plan.to)) middle.push_back(std::move(line));
    if (at < stretch.lines().size() && !is_blank(stretch.lines()[at])) middle.emplace_back();
    return with(functions(&result, true), at, at, middle, 2, 1);
  }
};

}  // namespace

std::vector<std::size_t> claims_between_which(const results::Summary& summary) {
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < summary.claims.size(); ++n)
    if (has_assignment(summary.claims[n])) out.push_back(n);
  std::ranges::stable_sort(out, {}, [&](std::size_t n) { return summary.claims[n].claim.first_line; });
  return out;
}

std::optional<ClaimPair> pair_at(const results::Summary& summary, int line) {
  const std::vector<std::size_t> all = claims_between_which(summary);
  const auto after =
      std::ranges::find_if(all, [&](std::size_t n) { return summary.claims[n].claim.last_line >= line; });
  if (all.size() < 2) return std::nullopt;
  // On the first claim, or before it: what follows it.
  if (after == all.begin()) {
    const int first = summary.claims[all[0]].claim.first_line;
    return line >= first - 1 ? std::optional(ClaimPair{all[0], all[1]}) : std::nullopt;
  }
  if (after == all.end()) return std::nullopt;
  return ClaimPair{*(after - 1), *after};
}

Expected<BetterPlan> better_plan(const std::string& file, std::string_view text, const ClaimPair& pair,
                                 const results::Summary& summary) {
  if (pair.from >= summary.claims.size() || pair.to >= summary.claims.size() || pair.from == pair.to)
    return failure("There are no two claims", "choose two");
  const ClaimInfo &from = summary.claims[pair.from], &to = summary.claims[pair.to];
  const results::RegisterArray *from_array = array_of(from, summary), *to_array = array_of(to, summary);
  for (const auto& [claim, array] : {std::pair{&from, from_array}, {&to, to_array}})
    if (!has_assignment(*claim) || array == nullptr || array->registers.empty())
      return failure(sentence_about(*claim, "has no registers with a known assignment"));
  if (from_array->function != to_array->function)
    return failure(
        fmt::format("The two claims are in two functions, {} and {}", from_array->function, to_array->function));
  // The conversion leads from the actual assignment to the stated one, as far as both name the same elements.
  const layout::Assignment& source = from.result.actual ? *from.result.actual : from.claim.stated;
  const layout::Assignment& target =
      to.result.verdict == claims::Verdict::holds && to.result.actual ? *to.result.actual : to.claim.stated;
  BetterPlan out{.from_variable = from.claim.variable, .to_variable = to.claim.variable};
  const int bits = 32 >> std::min(source.bits(layout::Place::simd), 5);
  Expected<convert::Planned> planned = convert::plan(source, target, bits);
  if (!planned) planned = convert::plan(from.claim.stated, to.claim.stated, bits);
  if (!planned) return tl::unexpected<Diagnostics>(std::move(planned.error()));
  out.planned = std::make_unique<convert::Planned>(std::move(*planned));
  out.plan = plan_to_call(*out.planned);
  if (out.plan < 0) return failure("The planner finds no way from the one to the other");
  out.from = out.planned->from, out.to = out.planned->to;
  out.cost = convert::cost_in_words(out.planned->plans[static_cast<std::size_t>(out.plan)]);
  if (from_array->registers.size() != std::size_t{1} << out.planned->map.from_registers)
    return failure(
        sentence_about(from, fmt::format("has {} registers of 32 bits, and its rows say {}",
                                         from_array->registers.size(), 1 << out.planned->map.from_registers)));
  if (to_array->registers.size() != std::size_t{1} << out.planned->map.to_registers)
    return failure(sentence_about(to, fmt::format("has {} registers of 32 bits, and its rows say {}",
                                                  to_array->registers.size(), 1 << out.planned->map.to_registers)));
  const auto from_registers = called_registers(from_array->registers),
             to_registers = called_registers(to_array->registers);
  if (!from_registers || !to_registers)
    return failure("The registers are too many to be named one by one, and no array");

  const auto read = LS_TRY(source::read(file, text, {.watch_probes = false, .headers = false}));
  const source::ProbePoint *a = point_of(from, read), *b = point_of(to, read);
  const source::Lexed lexed = source::lex(text);
  const source::Outline outline = source::outline(lexed);
  Stretch stretch(text, lexed, outline);
  if (a == nullptr || b == nullptr) return failure("The places where the two claims were checked are not known");
  if (!stretch.between(*a, *b))
    return failure("The two claims are not one after the other in one block", "choose two of the same braces");
  out.code = stretch.code();
  out.function = free_name(text, "plan_" + as_name(to.claim.variable));

  const auto& lines = stretch.lines();
  const auto function_at = function_line(lines, static_cast<std::size_t>(std::max(from.claim.first_line - 1, 0)));
  if (!function_at) return failure("The function around the claims was not found");
  const Writer writer{text, stretch, from, to, *from_registers, *to_registers, out, *function_at};

  std::set<std::string> results;
  for (const std::string& name : to_registers->names) results.insert(base_of(name));
  Rewritten replaced, inserted;
  replaced.refusal = stretch.refusal(results);
  const auto type_of = [&](const CalledRegisters& r) {
    const source::Local* local = stretch.local_named(base_of(r.names.front()), stretch.last);
    return local == nullptr ? std::string() : plain_type(local->type);
  };
  const std::string from_type = type_of(*from_registers), to_type = type_of(*to_registers);
  if (replaced.refusal.empty() && to_type.find("auto") != std::string::npos)
    replaced.refusal = fmt::format("The type of `{}` is written as auto.", to_registers->names.front());
  if (replaced.refusal.empty()) replaced = writer.replaced(lexed, from_type != to_type);
  // After the comment of the first claim, or after the code that makes its registers.
  std::size_t at = static_cast<std::size_t>(from.claim.last_line);
  if (stretch.first > 0) at = std::max(at, static_cast<std::size_t>(stretch.line(stretch.first - 1)));
  if (at > static_cast<std::size_t>(to.claim.first_line - 1) && !stretch.empty())
    at = static_cast<std::size_t>(stretch.line(stretch.first - 1));
  inserted = writer.inserted(free_name(text, as_name(to.claim.variable) + "_planned"), at);
  out.replaced = std::move(replaced);
  out.inserted = std::move(inserted);
  return out;
}

CodeCounts counts_of(const results::Summary& summary, std::optional<LineRange> lines) {
  CodeCounts out;
  std::uint64_t warps = 0;
  const auto shown = static_cast<std::size_t>(std::max(summary.recorded_launch, 0));
  if (shown < summary.launches.size() && summary.coverage.empty())
    for (const results::LaunchInfo& l : summary.launches)
      if (l.kernel == summary.launches[shown].kernel) warps += l.grid.count() * ((l.block.count() + 31) / 32);
  out.executed = warps > 0 && summary.pc_counters.size() == summary.plain_code.size();
  for (std::size_t pc = 0; pc < summary.plain_code.size(); ++pc) {
    const trace::CodeSite& site = summary.plain_code[pc];
    if (lines && (site.line < lines->first || site.line > lines->last)) continue;
    const double times =
        out.executed ? static_cast<double>(summary.pc_counters[pc].instructions) / static_cast<double>(warps) : 1.0;
    std::string_view text = site.text;
    if (text.starts_with('@')) text = trimmed(text.substr(std::min(text.find(' '), text.size())));
    out.all += times;
    if (text.starts_with("shfl")) out.shuffles += times;
    if (text.starts_with("selp") || text.starts_with("slct")) out.selects += times;
    if (text.starts_with("prmt")) out.permutes += times;
    if (text.starts_with("bar")) out.barriers += times;
    if (out.executed)
      out.wavefronts += static_cast<double>(summary.pc_counters[pc].shared_wavefronts) / static_cast<double>(warps);
  }
  return out;
}

}  // namespace lanescope::assist
