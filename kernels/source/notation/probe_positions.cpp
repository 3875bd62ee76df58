#include "kernels/source/notation/probes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/source/notation/claim_variables.h"
#include "kernels/source/notation/next_writes.h"

namespace lanescope::source {
namespace {

// The limit for all claims of a file together; far beyond any file that people write.
constexpr std::size_t most_steps = 5'000'000;
constexpr std::size_t most_reads = std::size_t{1} << 17;

class Binder {
 public:
  /// `any`: there are claims to bind.
  Binder(const Lexed& lexed, const Outline& outline, const std::vector<bool>& host, bool any)
      : lexed_(lexed), outline_(outline), host_(host) {
    if (any) {
      values_ = known_values(lexed, {}, {});
      data_ = locals_with_data(lexed, outline);
    }
    for (std::size_t i = 0; i < outline.assigns.size(); ++i)
      assigns_of_[outline.assigns[i].local].push_back(static_cast<int>(i));
  }

  /// `next`: offset of the next claim in the file.
  void claim(const TextClaim& text, std::uint32_t next) {
    Claim c = text;
    c.first_line = text.row_lines.empty() ? text.unread.front().line : text.row_lines.front();
    c.last_line = text.row_lines.empty() ? text.unread.back().line : text.row_lines.back();
    if (!text.unread.empty()) c.stated = {}, c.bits.clear();  // what it states is not known
    for (const std::string& s : text.sentences) {
      if (!c.sentence.empty()) c.sentence += ' ';
      c.sentence += s;
    }
    place(text, next, c);
    out_.claims.push_back(std::move(c));
  }

  void watch() {
    const CarriedLoops loops = carried_loops(lexed_, outline_);
    for (const CarriedLoops::Body& b : loops.bodies)
      watch_at({.token = b.last, .block = b.block, .statement = b.first, .locals = b.locals}, b.first);
    for (const Point& p : outline_.points) {
      Point own = p;
      std::erase_if(own.locals, [&](int local) { return loops.only_carried(outline_, local, p.statement, p.token); });
      watch_at(own, -1);
    }
  }

  /// Of arrays in registers that device functions get, where these begin and where they end.
  void watch_parameters() {
    for (std::size_t n = 0; n < outline_.functions.size(); ++n) {
      const FunctionRange& f = outline_.functions[n];
      if (f.info.is_kernel || host_[n]) continue;
      const auto begin = std::ranges::find(outline_.points, f.open, &Point::token);
      const Ending ending = ending_of(static_cast<int>(n));
      for (std::size_t l = 0; l < outline_.locals.size(); ++l) {
        const Local& local = outline_.locals[l];
        if (!local.parameter || local.function != static_cast<int>(n) || !(local.array || local.reference) ||
            local.type.find("const") != std::string::npos)
          continue;
        const std::string expression = variables_of(static_cast<int>(n)).expression(local.name);
        if (local.pointer && expression == local.name) continue;  // an address
        for (const Point* p : {begin == outline_.points.end() ? nullptr : &*begin, ending.point})
          if (p != nullptr) add_probe(*p, -1, {variable(static_cast<int>(l))}, {expression});
      }
    }
  }

  Bound take() { return std::move(out_); }

 private:
  void watch_at(const Point& p, int brace_before) {
    if (p.locals.empty() ||
        host_[static_cast<std::size_t>(outline_.blocks[static_cast<std::size_t>(p.block)].function)])
      return;
    std::vector<int> ids;
    for (const int l : p.locals)
      if (watchable(l, p)) ids.push_back(variable(l));
    std::vector<std::string> names;
    const int f = outline_.blocks[static_cast<std::size_t>(p.block)].function;
    for (const int id : ids)
      names.push_back(variables_of(f).expression(out_.variables[static_cast<std::size_t>(id)].name));
    if (ids.empty()) return;
    add_probe(p, -1, std::move(ids), std::move(names));
    out_.probes.back().brace_before = brace_before;
  }

  /// Of the head of a loop only where its body begins: elsewhere it is in scope too seldom.
  bool watchable(int local, const Point& p) const {
    const Local& l = outline_.locals[static_cast<std::size_t>(local)];
    const int token = p.token;
    if (l.loop_header && p.statement != token) return false;
    const bool boolean = l.type == "bool";
    const bool visible = l.token <= token && token < l.scope_end;
    // The array behind a pointer or a reference is read where a claim is about it.
    const bool own = (!l.pointer && !l.reference) || (l.parameter && claimed_.contains(local));
    return visible && l.in_registers && own && !boolean && outline_.find(l.name, token) == local;
  }

  /// `path`: of a part of the local, as in NamePath.
  int variable(int local, const std::string& path = {}) {
    const auto [it, fresh] = ids_.try_emplace({local, path}, static_cast<int>(out_.variables.size()));
    if (fresh) {
      const Local& l = outline_.locals[static_cast<std::size_t>(local)];
      const FunctionRange& f = outline_.functions[static_cast<std::size_t>(l.function)];
      const auto part = path.empty() ? std::nullopt : object_at(lexed_, outline_, values_, l, path);
      out_.variables.push_back({.id = it->second,
                                .name = l.name + path,
                                .type = part ? part->type : l.type,
                                .function = f.info.name,
                                .declared_line = lexed_.token(l.token < f.open ? f.head : l.token).line});
    }
    return it->second;
  }

  int add_probe(const Point& p, int claim, std::vector<int> variables, std::vector<std::string> expressions) {
    PlacedProbe placed{.token = p.token};
    placed.point.id = static_cast<int>(out_.probes.size());
    placed.point.claim = claim;
    placed.point.variables = std::move(variables);
    placed.names = std::move(expressions);
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
    for (std::size_t i = 0; i < outline_.functions.size(); ++i)
      if (outline_.functions[i].head == anchor + 1) return static_cast<int>(i);
    return -1;
  }

  void place(const TextClaim& text, std::uint32_t next, Claim& c) {
    int anchor = lexed_.last_before(text.offset);
    const int f = function_of(anchor);
    if (!text.not_judged.empty()) {
      c.variable = text.sentences.empty() ? "layout" : text.sentences.front();
      c.unchecked_reason = coded<Why::unread_notation>(text.not_judged);
      return;
    }
    if (f >= 0) c.function = outline_.functions[static_cast<std::size_t>(f)].info.name;
    if (f < 0) {
      c.unchecked_reason = coded<Why::outside_functions>();
      return;
    }
    const bool above = anchor < outline_.functions[static_cast<std::size_t>(f)].open;
    if (above) anchor = outline_.functions[static_cast<std::size_t>(f)].open;
    if (steps_ > most_steps || reads_ > most_reads) {
      c.unchecked_reason = coded<Why::too_many_comments>();
      return;
    }
    const bool result = above && !text.sentences.empty() && speaks_of_result({text.sentences.back()});
    const Ending ending = result ? ending_of(f) : Ending{};
    if (ending.point != nullptr) anchor = ending.point->token;
    needed_elements_ = 1;
    const auto ready = [&](const std::vector<std::string>& members) { return all_ready(members, anchor); };
    ClaimNames names = text.other_notation ? names_of_other(text, f, anchor, ready, c)
                                           : names_of(text, variables_of(f), anchor, ready);
    if (!names.problem.empty() || !names.assumed.empty()) by_output_name(text, f, names);
    if (result && (!names.problem.empty() || !names.assumed.empty())) name_result(ending, f, names);
    if (names.problem.code == Why::unclear_variable && !text.other_notation) as_before(text, f, names);
    reads_ += names.members.size();
    c.variable = names.display;
    if (!text.b_as_simd.empty()) parts_or_blocks(c, names, f, text.b_as_simd);
    c.assumed = names.assumed;
    if (!names.said.empty()) c.read_as.push_back(names.said);
    c.unchecked_reason = text.unread.empty() ? names.problem : coded<Why::unread_rows>(unread_rows(text));
    if (text.unread.empty() && !names.problem.empty()) c.settling = registers_line(text, f, anchor, ready);
    if (!c.unchecked_reason.empty()) return;
    if (host_[static_cast<std::size_t>(f)]) {
      c.unchecked_reason = coded<Why::host_code>();
    } else if (!outline_.reliable) {
      c.unchecked_reason = coded<Why::unbalanced_brackets>();
    } else {
      place_probe(c, names.members, f, anchor);
      c.forward_words = result ? std::string() : forward_words(text.sentences);
      if (!result && c.forward_words.empty()) c.step_words = step_words(text.sentences);
      if (c.probe >= 0 && !above) place_later(c, names.members, f, anchor, next);
    }
    if (c.probe < 0) c.assumed.clear();
  }

  /// "registers: x0 x1", those that were written last, as the ones that may be meant; empty: there are none.
  std::string registers_line(const TextClaim& text, int f, int anchor,
                             const std::function<bool(const std::vector<std::string>&)>& ready) {
    const bool row = text.stated.row(layout::Place::reg).has_value();
    if (text.other_notation || !text.names.empty()) return {};
    const int wanted = row ? 1 << std::min(text.stated.bits(layout::Place::reg), 12) : 0;
    const auto last = written_last(variables_of(f), anchor, wanted, ready);
    return last ? fmt::format("registers: {}", fmt::join(last->names.members, " ")) : std::string();
  }

  /// Rows without words, after a comment of the same function with as many registers, continue that one.
  void as_before(const TextClaim& text, int f, ClaimNames& names) const {
    if (out_.claims.empty() || !text.sentences.empty() || !text.names.empty()) return;
    const Claim& before = out_.claims.back();
    if (before.probe < 0 || before.registers.empty() ||
        before.stated.bits(layout::Place::reg) != text.stated.bits(layout::Place::reg) ||
        outline_.function_at(out_.probes[static_cast<std::size_t>(before.probe)].token) != f)
      return;
    names = {.display = before.variable};
    for (const int id : before.registers) names.members.push_back(out_.variables[static_cast<std::size_t>(id)].name);
    names.assumed =
        fmt::format("the comment names no variable; {} is meant, as at line {}", before.variable, before.first_line);
  }

  /// A name that a comment before gave to a value: "from here call it y[f]".
  void by_output_name(const TextClaim& text, int f, ClaimNames& names) {
    if (!output_names_) output_names_ = output_names(comment_lines(lexed_));
    if (output_names_->empty() || text.sentences.empty() || !text.names.empty()) return;
    const NamedVariables& variables = variables_of(f);
    const OutputName* given = nullptr;
    for (const OutputName& n : *output_names_) {
      if (n.offset >= text.offset || outline_.function_at(lexed_.last_before(n.offset)) != f) continue;
      if (variables.find(n.name) != nullptr || variables.family(n.name) > 0) continue;
      for (const std::string& s : text.sentences)
        if (speaks_of(s, n.name)) given = &n;
    }
    if (given == nullptr) return;
    const int anchor = lexed_.last_before(given->offset);
    const bool row = text.stated.row(layout::Place::reg).has_value();
    const int wanted = row ? 1 << std::min(text.stated.bits(layout::Place::reg), 12) : 0;
    std::optional<ClaimNames> meant;
    if (!given->of.empty()) {
      meant = variables.meaning(given->of, wanted);
    } else {
      const auto ready = [&](const std::vector<std::string>& members) { return all_ready(members, anchor); };
      if (auto last = written_last(variables, anchor, wanted, ready)) meant = std::move(last->names);
    }
    if (!meant || !meant->problem.empty()) return;
    meant->said = fmt::format("`{0}` names `{2}` (line {1})", given->name, given->line, meant->display);
    names = std::move(*meant);
  }

  /// Of a claim in another notation: it is only judged where the variable has as many registers as it says. Nothing is
  /// guessed about what its author left out.
  ClaimNames names_of_other(const TextClaim& text, int f, int anchor,
                            const std::function<bool(const std::vector<std::string>&)>& ready, Claim& c) {
    TextClaim sized = text;
    auto& row = sized.stated.row(layout::Place::reg);
    ClaimNames none;
    for (bool wider = true; wider;) {
      const int bits = sized.stated.bits(layout::Place::reg);
      ClaimNames names = text.next_variable ? declared_near(text, f, anchor, 1 << bits)
                                            : names_of(sized, variables_of(f), anchor, ready);
      if (names.problem.empty() && !names.assumed.empty() && !text.next_variable) {
        names.problem = coded<Why::unclear_variable>("the comment names no variable of this function");
        names.assumed.clear();
      }
      if (none.display.empty()) none = names;
      const bool fits = names.problem.empty() && variables_of(f).fits(names, 1 << bits).value_or(false);
      const bool twice =
          text.open_registers && text.says_all_axes && row &&
          std::ranges::any_of(*row, [](const layout::Term& t) { return t.role == layout::Term::Role::unsaid; });
      if (fits && twice) {
        names.problem = coded<Why::unclear_variable>(
            fmt::format("the comment gives several registers of `{}` the same element", names.display));
        return names;
      }
      if (fits) {
        c.stated = sized.stated;
        c.read_as.push_back("as " + layout::print_line(c.stated));
        return names;
      }
      wider = text.open_registers && bits > 0;
      if (wider) row->pop_back();
      if (wider && row->empty()) row.reset();
    }
    if (none.problem.empty())
      none.problem = coded<Why::unclear_variable>(
          fmt::format("the number of registers of `{}` is not that of the comment, or not known", none.display));
    return none;
  }

  /// Of a comment after code the variable that is declared on its line, else the one that is declared next.
  ClaimNames declared_near(const TextClaim& text, int f, int anchor, int wanted) {
    constexpr int near_tokens = 8;
    const int line = text.row_lines.front();
    if (anchor > 0 && lexed_.token(anchor).line == line) {
      const Local* on_line = nullptr;
      int count = 0;
      for (const Local& l : outline_.locals)
        if (l.function == f && l.in_registers && lexed_.token(l.token).line == line) on_line = &l, ++count;
      if (count == 1)
        if (std::optional<ClaimNames> m = variables_of(f).meaning(on_line->name, wanted); m && m->problem.empty()) {
          m->assumed = fmt::format("the comment names no variable; `{}` is meant, which its line declares", m->display);
          return *m;
        }
      return unclear_names("the comment names no variable, and its line does not declare exactly one");
    }
    const Local* next = variables_of(f).around(anchor).first;
    if (next != nullptr && next->token <= anchor + near_tokens)
      if (std::optional<ClaimNames> m = variables_of(f).meaning(next->name, wanted); m && m->problem.empty()) {
        m->assumed =
            fmt::format("the comment names no variable; `{}` is meant, which is declared after it", m->display);
        return *m;
      }
    return unclear_names("the comment names no variable, and none is declared right after it");
  }

  /// Where a function ends, as far as one place says it.
  struct Ending {
    const Point* point = nullptr;
    std::string value;    ///< the variable that it returns
    std::string problem;  ///< why there is no such place
  };

  Ending ending_of(int function) {
    const FunctionRange& f = outline_.functions[static_cast<std::size_t>(function)];
    Ending out;
    int end = f.close, returns = 0;
    for (int i = f.open; i < f.close && ++steps_ <= most_steps; ++i) {
      if (!lexed_.is(i, "return")) continue;
      end = i;
      ++returns;
    }
    const int body = outline_.block_at(f.open);
    const bool last = returns == 0 || end_of_statement_is(end, f.close);
    if (returns > 1 || !last || outline_.block_at(end - 1) != body) {
      out.problem = fmt::format("`{}` returns in more than one place", f.info.name);
      return out;
    }
    if (returns == 1 && lexed_.is(end + 2, ";")) out.value = lexed_.of(end + 1);
    const auto after = std::ranges::partition_point(outline_.points, [&](const Point& p) { return p.token < end; });
    for (auto p = after; p != outline_.points.begin() && (p - 1)->token >= f.open;) {
      --p;
      if (p->block != body) continue;
      if (p->token == end - 1) out.point = &*p;
      break;
    }
    if (out.point == nullptr) out.problem = fmt::format("no probe can be placed at the end of `{}`", f.info.name);
    return out;
  }

  bool end_of_statement_is(int statement, int close) const {
    for (int i = statement; i < close; ++i)
      if (lexed_.is(i, ";")) return i + 1 == close;
    return false;
  }

  /// The comment above a function speaks of what it returns, and names nothing.
  void name_result(const Ending& ending, int f, ClaimNames& names) {
    if (!ending.problem.empty()) {
      names.problem = coded<Why::unclear_variable>(ending.problem);
    } else if (ending.value.empty() || variables_of(f).find(ending.value) == nullptr) {
      names.problem = coded<Why::unclear_variable>("the result of the function is no variable");
    } else {
      names = {.display = ending.value, .members = {ending.value}, .problem = {}, .assumed = {}};
      names.assumed =
          fmt::format("the comment is about the result; `{}` is meant, which the function returns", ending.value);
    }
  }

  /// Probes after the writes that follow the comment. One after the last of them shows that a comment which is false is
  /// true there; all of them where the words say that it may be.
  void place_later(Claim& c, const std::vector<std::string>& members, int f, int anchor, std::uint32_t next) {
    const int limit = lexed_.last_before(next) <= anchor ? outline_.functions[static_cast<std::size_t>(f)].close
                                                         : lexed_.last_before(next) + 1;
    const int from = std::max(anchor, out_.probes[static_cast<std::size_t>(c.probe)].token);
    std::vector<const Point*> points =
        next_writes(lexed_, outline_, from, limit, [&](int a, int b) { return changes(members, a, b); });
    if (points.size() > 1 && c.forward_words.empty()) points.erase(points.begin(), points.end() - 1);
    for (const Point* p : points) {
      reads_ += members.size();
      if (reads_ > most_reads) return;
      const bool same = std::ranges::all_of(members, [&](const std::string& m) {
        const std::string base = parts_of(m).base;
        return outline_.find(base, p->token) == outline_.find(base, from);
      });
      if (!same) continue;
      c.later_probes.push_back(
          add_probe(*p, static_cast<int>(out_.claims.size()), c.registers, expressions_of(members, f)));
    }
  }

  std::vector<std::string> expressions_of(const std::vector<std::string>& members, int f) {
    std::vector<std::string> out;
    for (const std::string& m : members) out.push_back(variables_of(f).expression(m));
    return out;
  }

  void place_probe(Claim& c, const std::vector<std::string>& members, int f, int anchor) {
    needed_elements_ = 1;
    if (c.stated.row(layout::Place::reg) && !members.empty())
      needed_elements_ =
          std::max((1 << std::min(c.stated.bits(layout::Place::reg), 12)) / static_cast<int>(members.size()), 1);
    const Point* point = find_point(members, f, anchor);
    if (point == nullptr) {
      c.unchecked_reason = reason_without_point(members, f);
      return;
    }
    if (point->token > anchor && all_ready(members, anchor) && changes(members, anchor, point->token)) {
      c.unchecked_reason = coded<Why::inside_statement>();
      return;
    }
    for (const std::string& m : members) {
      const NamePath parts = parts_of(m);
      if (parts.path.empty()) claimed_.insert(outline_.find(parts.base, point->token));
      c.registers.push_back(variable(outline_.find(parts.base, point->token), parts.path));
    }
    c.probe = add_probe(*point, static_cast<int>(out_.claims.size()), c.registers, expressions_of(members, f));
  }

  /// Floats have no parts in a register: bits called b are those of the block there.
  void parts_or_blocks(Claim& c, const ClaimNames& names, int f, const std::string& said) {
    if (names.members.empty()) return;
    const Local* local = variables_of(f).find(names.members.front());
    if (local == nullptr) return;
    const std::string_view type = local->type;
    const bool wide = type.find("float") != std::string_view::npos || type.find("double") != std::string_view::npos;
    if (!wide || type.find("nv_") != std::string_view::npos) return;
    std::swap(c.stated.row(layout::Place::simd), c.stated.row(layout::Place::block));
    for (WrittenBit& bit : c.bits)
      if (bit.bit.place == layout::Place::simd) bit.bit.place = layout::Place::block;
    std::erase(c.read_as, said);
    c.read_as.push_back(
        fmt::format("bits called b are read as bits of the block, because {} is {}", names.display, type));
  }

  bool inside(int block, int of) const {
    for (int b = of; b >= 0; b = outline_.blocks[static_cast<std::size_t>(b)].parent)
      if (b == block) return true;
    return false;
  }

  const Point* find_point(const std::vector<std::string>& members, int f, int anchor) {
    const int home = outline_.block_at(anchor);
    const int end = outline_.functions[static_cast<std::size_t>(f)].close;
    // First the comment's own block and those around it, then blocks inside: an array that a loop fills is complete
    // after the loop, not in it.
    const auto first = std::partition_point(outline_.points.begin(), outline_.points.end(),
                                            [&](const Point& p) { return p.token < anchor; });
    for (const bool own_block : {true, false})
      for (auto p = first; p != outline_.points.end() && p->token < end && ++steps_ <= most_steps; ++p) {
        if (own_block && !inside(p->block, home)) continue;
        if (all_ready(members, p->token)) return &*p;
      }
    return nullptr;
  }

  bool all_ready(const std::vector<std::string>& members, int token) {
    return std::all_of(members.begin(), members.end(), [&](const std::string& m) { return ready(m, token); });
  }

  /// Declared and assigned, every element of it, in the text up to `token`.
  bool ready(const std::string& name, int token) {
    ++steps_;
    const NamePath parts = parts_of(name);
    const int local = outline_.find(parts.base, token);
    if (local < 0 || !outline_.locals[static_cast<std::size_t>(local)].in_registers) return false;
    const auto [known, fresh] = ready_from_.try_emplace({local, parts.path, needed_elements_}, 0);
    if (fresh) known->second = parts.path.empty() ? complete_at(local) : part_complete_at(local, parts.path);
    return known->second <= token;
  }

  /// A local that nothing in this file is seen to write: the first call that it is passed to, which may take a reference.
  int passed_at(int local) {
    const Local& l = outline_.locals[static_cast<std::size_t>(local)];
    for (int i = l.token + 1; i < l.scope_end && ++steps_ <= most_steps; ++i) {
      if (lexed_.of(i) != l.name || !(lexed_.is(i - 1, "(") || lexed_.is(i - 1, ",")) ||
          !(lexed_.is(i + 1, ",") || lexed_.is(i + 1, ")")))
        continue;
      if (outline_.find(l.name, i) == local) return i;
    }
    return std::numeric_limits<int>::max();
  }

  /// The token by which the part `path` of `local` has been assigned.
  int part_complete_at(int local, const std::string& path) {
    const auto it = assigns_of_.find(local);
    if (it == assigns_of_.end()) return passed_at(local);
    const bool index = path.front() == '[';
    const std::size_t begin = index || path.front() == '.' ? 1 : 2;
    const std::string part = path.substr(begin, path.find_first_of(".[]-", begin) - begin);
    for (const int a : it->second) {
      const Assign& assign = outline_.assigns[static_cast<std::size_t>(a)];
      if (assign.element.empty() || assign.element == "*" || assign.element == part) return assign.token;
    }
    return std::numeric_limits<int>::max();
  }

  /// The token by which `local` has been assigned, all elements that are needed.
  int complete_at(int local) {
    const auto it = assigns_of_.find(local);
    if (it == assigns_of_.end()) return passed_at(local);
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
      const auto assigned = assigns_of_.find(outline_.find(parts_of(m).base, from));
      if (assigned == assigns_of_.end()) return false;
      const auto token_of = [&](int a) { return outline_.assigns[static_cast<std::size_t>(a)].token; };
      const auto next = std::partition_point(assigned->second.begin(), assigned->second.end(),
                                             [&](int a) { return token_of(a) <= from; });
      return next != assigned->second.end() && token_of(*next) <= to;
    });
  }

  const NamedVariables& variables_of(int f) {
    return named_.try_emplace(f, lexed_, outline_, values_, data_, f).first->second;
  }

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
      if (!row.problem.empty())
        out += fmt::format(" ({}{}{})", row.problem, row.remedy.empty() ? "" : "; ", row.remedy);
    }
    return out;
  }

  ClaimReason reason_without_point(const std::vector<std::string>& members, int f) const {
    if (steps_ > most_steps) return coded<Why::too_many_comments>();
    for (const std::string& m : members) {
      bool declared = false;
      bool assigned = false;
      for (const int i : outline_.called(parts_of(m).base)) {
        if (outline_.locals[static_cast<std::size_t>(i)].function != f) continue;
        declared = true;
        assigned = assigned || assigns_of_.contains(i);
      }
      if (!declared) return coded<Why::no_variable>(fmt::format("`{}`", m));
      if (!assigned) return coded<Why::no_place_for_probe>(fmt::format("`{}` is declared but never assigned", m));
    }
    return coded<Why::no_place_for_probe>(
        "there is no position after the comment where all its variables have a value and a probe can be placed");
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const std::vector<bool>& host_;
  std::map<int, std::vector<int>> assigns_of_;
  Values values_;           ///< of constants in the text
  std::vector<bool> data_;  ///< by local: whether its value comes from data
  std::map<std::pair<int, std::string>, int> ids_;
  std::set<int> claimed_;                                        ///< locals that claims are about
  std::map<int, NamedVariables> named_;                          ///< by function
  std::map<std::tuple<int, std::string, int>, int> ready_from_;  ///< complete_at(), by local, part and elements needed
  int needed_elements_ = 1;
  std::optional<std::vector<OutputName>> output_names_;  ///< once they are requested
  std::size_t steps_ = 0;                                ///< spent in looking for points
  std::size_t reads_ = 0;                                ///< variables named by all claims
  Bound out_;
};

}  // namespace

Bound bind_claims(const Lexed& lexed, const Outline& outline, const std::vector<TextClaim>& claims,
                  const std::vector<bool>& host, bool watch_probes, bool parameters) {
  Binder binder(lexed, outline, host, !claims.empty() || parameters);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const bool last = i + 1 == claims.size();
    binder.claim(claims[i], last ? static_cast<std::uint32_t>(lexed.text.size()) : claims[i + 1].offset);
  }
  if (watch_probes) binder.watch();
  if (watch_probes && parameters) binder.watch_parameters();
  return binder.take();
}

}  // namespace lanescope::source
