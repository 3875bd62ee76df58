#include "kernels/source/cxx/outline.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/source/cxx/declaration.h"

namespace lanescope::source {
namespace {

constexpr std::size_t most_locals_with_members = 200'000;  // many methods of a class of many members
constexpr int deepest_nesting = 400;  // deeper code is not read: no kernel needs it, and stacks are finite

constexpr std::array<std::string_view, 11> assign_operators = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
constexpr std::array<std::string_view, 9> declares_no_variable = {
    "struct", "class", "union", "enum", "using", "typedef", "template", "static_assert", "namespace"};
constexpr std::array<std::string_view, 6> leaves = {"return", "goto", "break", "continue", "throw", "co_return"};

class BodyReader {
 public:
  BodyReader(const Lexed& lexed, int function, const Callees& callees, Outline& out)
      : lexed_(lexed), function_(function), callees_(callees), out_(out) {}

  void run() {
    const FunctionRange& f = out_.functions[static_cast<std::size_t>(function_)];
    end_ = f.close;
    add_members(f);
    for (const Parameter& p : f.info.parameters) add_parameter(f, p);
    block(f.open);
  }

 private:
  /// Members count as having a value when the method begins.
  void add_members(const FunctionRange& f) {
    if (f.of_class < 0 || out_.locals.size() > most_locals_with_members) return;
    const Class& c = out_.classes[static_cast<std::size_t>(f.of_class)];
    for (const DataMember& m : c.members) {
      out_.locals.push_back({.name = m.name,
                             .type = m.type,
                             .function = function_,
                             .token = f.open - 1,
                             .scope_end = f.close,
                             .pointer = m.pointer,
                             .reference = m.reference,
                             .array = m.array,
                             .member = true,
                             .extents = m.extents});
      add_name();
      out_.assigns.push_back({.local = static_cast<int>(out_.locals.size()) - 1, .token = f.open - 1, .element = ""});
    }
  }

  void add_parameter(const FunctionRange& f, const Parameter& p) {
    if (p.name.empty()) return;
    Local l{.name = p.name, .type = p.type, .function = function_, .token = f.open - 1, .scope_end = f.close};
    l.parameter = true;
    l.pointer = p.type.find('*') != std::string::npos || p.type.find('[') != std::string::npos;
    l.reference = p.type.find('&') != std::string::npos;
    l.extents = p.extents;
    l.array = !p.extents.empty() && p.extents.find("[]") == std::string::npos && !f.info.is_kernel;
    if (l.array && l.reference) l.pointer = p.type.find('*') != std::string::npos;
    out_.locals.push_back(l);
    add_name();
    out_.assigns.push_back({.local = static_cast<int>(out_.locals.size()) - 1, .token = f.open - 1, .element = ""});
  }

  void add_name() { by_name_[out_.locals.back().name].push_back(static_cast<int>(out_.locals.size()) - 1); }

  /// The local that `name` means at `token`, which is in the statement that is being read. Locals that ended before
  /// that statement are forgotten on the way.
  int find(std::string_view name, int token) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return -1;
    std::vector<int>& all = found->second;
    while (!all.empty() && local(all.back()).scope_end <= statement_first_) all.pop_back();
    for (std::size_t i = all.size(); i > 0; --i)
      if (local(all[i - 1]).token < token && local(all[i - 1]).scope_end > token) return all[i - 1];
    return -1;
  }
  /// The member of the method's object that is called `name`; -1 when there is none.
  int member(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second.empty()) return -1;
    const int first = found->second.front();
    return local(first).member ? first : -1;
  }
  const Local& local(int i) const { return out_.locals[static_cast<std::size_t>(i)]; }

  void assign(int local, int token, std::string element, bool header) {
    out_.assigns.push_back({.local = local, .token = token, .element = std::move(element)});
    if (!header && pending_.seen.insert(local).second) pending_.locals.push_back(local);
  }

  // --- points ---

  bool may_follow(int token) const {
    const int next = token + 1;
    if (next >= lexed_.count() || lexed_.token(token).inner) return false;
    for (const std::string_view t : {"else", "catch", ";", ",", ")", "while"}) {
      // A `while` after a block-level statement opens a loop of its own; only after `}` could it belong to a do.
      if (lexed_.is(next, t)) return t == "while" && lexed_.is(token, ";");
    }
    return true;
  }

  void point(int token, int statement) {
    if (out_.reliable && may_follow(token))
      out_.points.push_back({.token = token, .block = block_, .statement = statement, .locals = pending_.locals});
    pending_ = {};
  }

  // --- statements: each returns the token after it ---

  int block(int open) {
    const int close = lexed_.partner(open);
    if (close < 0) return end_;
    Pending outer;
    std::swap(outer, pending_);
    out_.blocks.push_back({.open = open, .close = close, .parent = block_, .function = function_});
    const int before = block_;
    block_ = static_cast<int>(out_.blocks.size()) - 1;
    scopes_.push_back(close);
    pending_.locals = std::exchange(loop_locals_, {});
    point(open, open);
    int i = open + 1;
    while (i < close) i = statement(i, true);
    scopes_.pop_back();
    block_ = before;
    pending_ = std::move(outer);
    return close + 1;
  }

  int statement(int first, bool in_block) {
    statement_first_ = first;
    if (++depth_ > deepest_nesting) {
      --depth_;
      if (out_.too_deep < 0) out_.too_deep = first;
      return simple_end(first) + 1;
    }
    bool wants_point = in_block;
    const int after = read_statement(first, wants_point);
    --depth_;
    if (in_block && wants_point && after > first && (lexed_.is(after - 1, ";") || lexed_.is(after - 1, "}")))
      point(after - 1, first);
    else if (in_block)
      pending_ = {};
    return std::max(after, first + 1);
  }

  int read_statement(int first, bool& wants_point) {
    const std::string_view word = lexed_.of(first);
    if (word == "{") return block(first);
    if (word == ";") return first + 1;
    if (word == "if" || word == "for" || word == "while" || word == "switch") return controlled(first);
    if (word == "do") return do_loop(first);
    if (word == "try") return lexed_.is(first + 1, "{") ? block(first + 1) : first + 1;
    if (word == "catch" && lexed_.is(first + 1, "(") && lexed_.partner(first + 1) > 0)
      return statement(lexed_.partner(first + 1) + 1, false);
    if (const int after = label(first); after > first) return after;
    const int end = simple_end(first);
    if (one_of(word, leaves)) wants_point = false;
    if (one_of(word, declares_no_variable) || one_of(word, leaves)) return end + 1;
    out_.statements.push_back({.first = first, .last = end - 1, .function = function_});
    if (!declaration(first, end - 1, false)) expression(first, end - 1, false);
    if (!lexed_.is(end, ";")) return std::max(end, first + 1);
    return end + 1;
  }

  int simple_end(int i) const { return end_of_statement(lexed_, i, end_); }

  /// After `case 3:`, `default:` or `name:` and the statement that follows; `first` when this is none.
  int label(int first) {
    int colon = -1;
    if (lexed_.is(first, "case")) {
      for (int i = first; i < end_ && !lexed_.is(i, ";") && !lexed_.is(i, "{"); ++i)
        if (lexed_.is(i, ":")) {
          colon = i;
          break;
        }
    } else if (lexed_.token(first).kind == TokenKind::identifier && lexed_.is(first + 1, ":")) {
      colon = first + 1;
    }
    if (colon < 0) return first;
    if (lexed_.is(colon + 1, "}")) return colon + 1;
    return statement(colon + 1, false);
  }

  /// A chain of `else if` is one statement beside another, not within it.
  int controlled(int first) {
    const std::size_t declared_from = out_.locals.size();
    scopes_.push_back(end_);
    int after = head_and_body(first);
    while (lexed_.is(first, "if") && lexed_.is(after, "else")) {
      const bool chained = lexed_.is(after + 1, "if");
      after = chained ? head_and_body(after + 1) : statement(after + 1, false);
      if (!chained) break;
    }
    scopes_.pop_back();
    for (std::size_t i = declared_from; i < out_.locals.size(); ++i)
      out_.locals[i].scope_end = std::min(out_.locals[i].scope_end, after - 1);
    return after;
  }

  int head_and_body(int first) {
    const bool loop = lexed_.is(first, "for");
    int open = first + 1;
    if (lexed_.is(open, "constexpr") || lexed_.is(open, "consteval")) ++open;
    if (!lexed_.is(open, "(") || lexed_.partner(open) < 0) return first + 1;
    const int close = lexed_.partner(open);
    int part = open + 1;
    const std::size_t declared_from = out_.locals.size();
    for (int i = open + 1; i <= close; ++i) {
      if (lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      } else if (i == close || lexed_.is(i, ";")) {
        if (!declaration(part, i - 1, true)) expression(part, i - 1, loop);
        part = i + 1;
      }
    }
    // A variable of the head of a loop has its value of the iteration where the body begins.
    loop_locals_.clear();
    if (loop && lexed_.is(close + 1, "{"))
      for (std::size_t l = declared_from; l < out_.locals.size(); ++l) loop_locals_.push_back(static_cast<int>(l));
    const bool repeats = loop || lexed_.is(first, "while");
    return repeats ? loop_body(close + 1) : statement(close + 1, false);
  }

  int loop_body(int first) {
    const std::string_view word = lexed_.of(first);
    const int after = statement(first, false);
    const bool alone = word != "{" && word != ";" && word != "for" && word != "while" && word != "do";
    if (alone && out_.reliable && after > first && (lexed_.is(after - 1, ";") || lexed_.is(after - 1, "}")))
      out_.loop_bodies.push_back({.first = first, .last = after - 1, .function = function_, .block = block_});
    return after;
  }

  int do_loop(int first) {
    int after = loop_body(first + 1);
    if (!lexed_.is(after, "while")) return after;
    const int end = simple_end(after);
    expression(after + 1, end - 1, false);
    return lexed_.is(end, ";") ? end + 1 : end;
  }

  // --- what one statement declares and assigns ---

  bool declaration(int first, int last, bool header) {
    if (first > last) return true;
    const Declaration d = read_declaration(lexed_, first, last);
    if (d.declarators.empty()) return false;
    // `a * b;` multiplies when a is a variable.
    if (d.declarators.front().pointer && find(d.type, first) >= 0) return false;
    for (const Declarator& v : d.declarators) {
      if (v.initialised) expression(v.initial_first, v.initial_last, header);
      const bool lambda = v.initialised && lexed_.is(v.initial_first, "[") && d.type == "auto";
      out_.locals.push_back({.name = std::string(lexed_.of(v.name)),
                             .type = d.type,
                             .function = function_,
                             .token = v.name,
                             .scope_end = scopes_.back(),
                             .pointer = v.pointer,
                             .reference = v.reference,
                             .array = v.array,
                             .loop_header = header,
                             .in_registers = d.in_registers && !lambda});
      add_name();
      if (v.initialised) assign(static_cast<int>(out_.locals.size()) - 1, v.name, "", header);
    }
    return true;
  }

  void expression(int first, int last, bool header) {
    for (int i = first; i <= last; ++i) {
      const Token& t = lexed_.token(i);
      if (t.kind == TokenKind::string) {
        asm_output(i, header);
      } else if (t.kind == TokenKind::identifier) {
        if (lexed_.is(i + 1, "(")) call(i, header);
        use(i, last, header);
      }
    }
  }

  /// `"=r"(x)` and `"+r"(x)` in an asm statement.
  void asm_output(int i, bool header) {
    const std::string_view s = lexed_.of(i);
    if (s.size() < 2 || (s[1] != '=' && s[1] != '+') || !lexed_.is(i + 1, "(")) return;
    argument(i + 2, lexed_.partner(i + 1) - 1, header);
  }

  /// A whole variable, `x[2]` or `v.y` that something else writes to.
  void argument(int first, int last, bool header) {
    if (first > last || lexed_.token(first).kind != TokenKind::identifier) return;
    const int local = find(lexed_.of(first), first);
    if (local < 0) return;
    std::string element;
    const int after = selector(first + 1, element);
    if (after == last + 1) assign(local, first, element, header);
  }

  void call(int name, bool header) {
    const int close = lexed_.partner(name + 1);
    if (close < 0) return;
    const bool macro = callees_.macros.contains(lexed_.of(name));
    const auto f = callees_.functions.find(lexed_.of(name));
    if (!macro && f == callees_.functions.end()) return;
    int part = name + 2;
    int position = 0;
    for (int i = name + 2; i <= close; ++i) {
      if (i < close && lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      } else if (i == close || lexed_.is(i, ",")) {
        const bool written = macro || std::find(f->second.begin(), f->second.end(), position) != f->second.end();
        if (written) argument(part, i - 1, header);
        part = i + 1;
        ++position;
      }
    }
  }

  /// After `[..]` and `.name` at `i`; the element they select.
  int selector(int i, std::string& element) const {
    bool first = true;
    for (;;) {
      std::string_view here;
      if (lexed_.is(i, "[") && lexed_.partner(i) > 0) {
        here = lexed_.partner(i) == i + 2 && lexed_.token(i + 1).kind == TokenKind::number ? lexed_.of(i + 1) : "*";
        i = lexed_.partner(i) + 1;
      } else if (lexed_.is(i, ".") && i + 1 < lexed_.count() && lexed_.token(i + 1).kind == TokenKind::identifier) {
        here = lexed_.of(i + 1);
        i += 2;
      } else {
        return i;
      }
      element = first ? std::string(here) : "*";
      first = false;
    }
  }

  void use(int i, int last, bool header) {
    std::string_view before = i > 0 ? lexed_.of(i - 1) : std::string_view();
    const bool of_this = before == "->" && i > 1 && lexed_.is(i - 2, "this");
    if (of_this) before = i > 2 ? lexed_.of(i - 3) : std::string_view();
    if (before == "." || before == "->" || before == "::") return;
    const int local = of_this ? member(lexed_.of(i)) : find(lexed_.of(i), i);
    if (local < 0) return;
    std::string element;
    const int after = selector(i + 1, element);
    const bool operated = after <= last && (one_of(lexed_.of(after), assign_operators) || lexed_.is(after, "++") ||
                                            lexed_.is(after, "--"));
    const bool address =
        before == "&" && i > 1 && (lexed_.is(i - 2, "(") || lexed_.is(i - 2, ",") || lexed_.is(i - 2, ")"));
    if (operated || before == "++" || before == "--")
      assign(local, i, element, header);
    else if (address)
      assign(local, i, element.empty() ? "" : "*", header);
  }

  const Lexed& lexed_;
  int function_;
  const Callees& callees_;
  Outline& out_;
  int end_ = 0, block_ = -1, depth_ = 0;
  std::vector<int> scopes_;
  int statement_first_ = 0;
  std::map<std::string, std::vector<int>, std::less<>> by_name_;  ///< locals of this function, the latest last
  /// Variables that the statement assigns.
  struct Pending {
    std::vector<int> locals;
    std::set<int> seen;
  };
  Pending pending_;
  std::vector<int> loop_locals_;  ///< declared in the head of the loop whose body is read next
};

}  // namespace

int end_of_statement(const Lexed& lexed, int first, int limit) {
  for (int i = first; i < limit; ++i) {
    if (lexed.is(i, ";") || lexed.is(i, "}")) return i;
    if (lexed.partner(i) > i) i = lexed.partner(i);
  }
  return limit;
}

void read_body(const Lexed& lexed, int function, const Callees& callees, Outline& out) {
  BodyReader(lexed, function, callees, out).run();
}

}  // namespace lanescope::source
