#include "kernels/source/cxx/outline.h"

#include <algorithm>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"

namespace lanescope::source {
namespace {

constexpr int deepest_scope = 50;  ///< namespaces and classes within each other

using Kind = TopDeclaration::Kind;

/// Words with brackets after them that are no parameters.
bool takes_brackets(std::string_view w) {
  return one_of(w, {"alignas", "decltype", "noexcept", "explicit", "__launch_bounds__", "__align__", "__attribute__",
                    "__declspec", "__cluster_dims__", "__maxnreg__", "asm", "typeof", "__typeof__", "static_assert"});
}

/// An attribute by its name, unless a function of that name is declared.
bool may_take_brackets(std::string_view w) { return w.size() > 4 && w.starts_with("__") && w.ends_with("__"); }

/// Tokens between a parameter list and a body.
bool may_follow_parameters(std::string_view w) {
  static const auto words = listed_words(
      "const volatile override final noexcept & && mutable throw try -> : requires [ __restrict__ __restrict "
      "__attribute__ __launch_bounds__ __cluster_dims__ __maxnreg__ __noinline__ __forceinline__ = asm");
  return one_of(w, words);
}

class TopReader {
 public:
  TopReader(const Lexed& lexed, Outline& out) : lexed_(lexed), out_(out) { pair_angles(); }

  void scope(int first, int last, int depth, bool in_class) {
    for (int i = first; i <= last;) i = std::max(item(i, last, depth, in_class), i + 1);
  }

  /// The methods of the classes in the body of `f`.
  void local_classes(const FunctionRange& f) {
    for (int t = f.open + 1; t < f.close; ++t) {
      if (!one_of(lexed_.of(t), {"struct", "class", "union"})) continue;
      int open = t + 1;
      while (open < f.close && !one_of(lexed_.of(open), {"{", "}", "(", ")", ";", "="})) ++open;
      if (!is(open, "{") || lexed_.partner(open) > f.close) continue;
      class_open_ = open;
      t = nested(open, f.close, 0, true) - 1;
    }
  }

 private:
  bool is(int i, std::string_view w) const { return lexed_.is(i, w); }
  bool is_name(int i) const { return i >= 0 && i < lexed_.count() && lexed_.token(i).kind == TokenKind::identifier; }

  /// Partners of `<` and `>`, as far as brackets and semicolons let them belong together; else -1.
  void pair_angles() {
    angles_.assign(lexed_.tokens.size(), -1);
    std::vector<int> open;  // angles, and brackets as -1
    for (int i = 0; i < lexed_.count(); ++i) {
      const std::string_view t = lexed_.of(i);
      if (t.size() != 1) continue;
      switch (t.front()) {
        case '<':  // after a value it compares
          if (i > 0 && (is(i - 1, ")") || lexed_.token(i - 1).kind == TokenKind::number)) break;
          open.push_back(i);
          break;
        case '>':
          if (open.empty() || open.back() < 0) break;
          angles_[static_cast<std::size_t>(open.back())] = i;
          angles_[static_cast<std::size_t>(i)] = open.back();
          open.pop_back();
          break;
        case '(':
        case '[':
        case '{':
          open.push_back(-1);
          break;
        case ')':
        case ']':
        case '}':
          while (!open.empty() && open.back() >= 0) open.pop_back();
          if (!open.empty()) open.pop_back();
          break;
        case ';':
          while (!open.empty() && open.back() >= 0) open.pop_back();
          break;
        default:
          break;
      }
    }
  }

  /// After the `>` that closes the `<` at `open`; `open` when there is none.
  int after_angles(int open, int last) const {
    const int close = angles_[static_cast<std::size_t>(open)];
    return close < 0 || close > last ? open : close + 1;
  }

  /// After `requires ...` at `i`.
  int after_requires(int i, int last) const {
    for (++i; i <= last;) {
      if (is(i, "requires")) {  // requires requires (T t) { ... }
        ++i;
        if (is(i, "(") && lexed_.partner(i) > 0) i = lexed_.partner(i) + 1;
        if (is(i, "{") && lexed_.partner(i) > 0) i = lexed_.partner(i) + 1;
      } else if (is(i, "(") && lexed_.partner(i) > 0) {
        i = lexed_.partner(i) + 1;
      } else if (is_name(i) || is(i, "!")) {
        for (++i; i <= last && (is(i, "::") || (is_name(i) && is(i - 1, "::"))); ++i) {}
        if (is(i, "<")) i = std::max(i + 1, after_angles(i, last));
        while (is(i, "::") && is_name(i + 1)) i += 2;
      } else {
        return i;
      }
      if (!is(i, "&&") && !is(i, "||")) return i;
      ++i;
    }
    return i;
  }

  /// The `;` at or after `i`, what is in brackets passed over; `last` when there is none.
  int semicolon(int i, int last) const {
    for (; i < last && !is(i, ";"); ++i)
      if (lexed_.partner(i) > i) i = std::min(lexed_.partner(i), last);
    return i;
  }

  void declare(int first, int last, Kind kind, std::vector<int> names, bool in_class) {
    last = std::clamp(last, first, lexed_.count() - 1);
    std::erase_if(names, [&](int t) { return t < first || !is_name(t); });
    out_.declarations.push_back(
        {.first = first, .last = last, .kind = kind, .names = std::move(names), .member = in_class});
  }

  /// One item at `first`; the token after it.
  int item(int first, int last, int depth, bool in_class) {
    if (is(first, ";") || is(first, "}") || is(first, ")") || is(first, "]")) return first + 1;
    int i = first;
    while (is(i, "template") && is(i + 1, "<")) {
      const int after = after_angles(i + 1, last);
      i = after == i + 1 ? i + 2 : after;
      if (is(i, "requires")) i = after_requires(i, last);
    }
    if (is(i, "export")) ++i;
    if (in_class && one_of(lexed_.of(i), {"public", "private", "protected"}) && is(i + 1, ":")) return i + 2;
    if (is(i, "namespace") || (is(i, "inline") && is(i + 1, "namespace"))) return name_space(first, i, last, depth);
    if (is(i, "extern") && i + 1 <= last && lexed_.token(i + 1).kind == TokenKind::string && is(i + 2, "{"))
      return nested(i + 2, last, depth, false);
    if (is(i, "using")) return alias_or_using(first, i, last, in_class);
    if (is(i, "typedef")) return type_definition(first, i, last, in_class);
    if (is(i, "static_assert") || is(i, "asm") || is(i, "concept")) {
      const int end = semicolon(i, last);
      declare(first, end, Kind::other, is(i, "concept") ? std::vector{i + 1} : std::vector<int>{}, in_class);
      return end + 1;
    }
    return declaration(first, i, last, depth, in_class);
  }

  int nested(int open, int last, int depth, bool in_class) {
    const int close = lexed_.partner(open);
    if (close < 0 || close > last) return open + 1;
    if (depth < deepest_scope) scope(open + 1, close - 1, depth + 1, in_class);
    return close + 1;
  }

  int name_space(int first, int i, int last, int depth) {
    for (; i <= last && !is(i, "{") && !is(i, ";"); ++i) {
      if (is(i, "=")) {
        const int end = semicolon(i, last);
        declare(first, end, Kind::alias, {i - 1}, false);
        return end + 1;
      }
      if (lexed_.partner(i) > i) i = lexed_.partner(i);
    }
    return is(i, "{") ? nested(i, last, depth, false) : i + 1;
  }

  int alias_or_using(int first, int i, int last, bool in_class) {
    const int end = semicolon(i, last);
    std::vector<int> names;
    if (!is(i + 1, "namespace"))
      for (int t = i + 1; t <= end; ++t)
        if (is(t, "=") || is(t, ";") || is(t, ",") || is(t, "[")) {
          if (is_name(t - 1)) names.push_back(t - 1);
          if (!is(t, ",")) break;
        }
    declare(first, end, Kind::alias, std::move(names), in_class);
    return end + 1;
  }

  int type_definition(int first, int i, int last, bool in_class) {
    const int end = semicolon(i, last);
    std::vector<int> names;
    for (int t = i + 1; t <= end; ++t) {
      if (is(t, "<")) {
        t = std::max(t, after_angles(t, end) - 1);
      } else if (is(t, "(") && lexed_.partner(t) > t) {
        for (int k = t + 1; k < lexed_.partner(t); ++k)
          if (is_name(k) && (is(k - 1, "*") || is(k - 1, "&"))) names.push_back(k);
        t = lexed_.partner(t);
      } else if (is(t, "{") && lexed_.partner(t) > t) {
        if (is_name(t - 1) && !one_of(lexed_.of(t - 1), {"struct", "class", "union", "enum"})) names.push_back(t - 1);
        enumerators(i, t, names);
        t = lexed_.partner(t);
      } else if (is_name(t) && (is(t + 1, ";") || is(t + 1, ",") || is(t + 1, "["))) {
        names.push_back(t);
      }
    }
    declare(first, end, Kind::type, std::move(names), in_class);
    return end + 1;
  }

  /// The names in the braces at `open` of what begins at `head`, where that is an enumeration.
  void enumerators(int head, int open, std::vector<int>& names) const {
    bool is_enum = false;
    for (int i = head; i < open && i < head + 8; ++i) is_enum = is_enum || is(i, "enum");
    if (!is_enum) return;
    for (int i = open + 1; i < lexed_.partner(open); ++i) {
      if (is_name(i) && (is(i - 1, "{") || is(i - 1, ","))) names.push_back(i);
      if (lexed_.partner(i) > i) i = lexed_.partner(i);
    }
  }

  /// A class, a function or variables; `i` is after template<...>.
  int declaration(int first, int i, int last, int depth, bool in_class) {
    const int start = i;
    bool of_class = false;
    for (; i <= last; ++i) {
      const std::string_view w = lexed_.of(i);
      if (w == ";" || w == "}") {
        const int end = w == ";" ? i : i - 1;
        if (end < first) return i + 1;
        plain(first, start, end, of_class, in_class);
        return end + 1;
      }
      if (w == "struct" || w == "class" || w == "union" || w == "enum") of_class = true;
      if (w == "operator") return function_or_variable(first, start, operator_parameters(i, last), last, in_class);
      if (w == "requires") {
        i = after_requires(i, last) - 1;
      } else if (w == "<" && i > start && is_name(i - 1)) {
        i = std::max(i, after_angles(i, last) - 1);
      } else if (w == "=") {
        const int end = semicolon(i, last);
        plain(first, start, end, false, in_class);
        return end + 1;
      } else if (w == "{") {
        if (lexed_.partner(i) < 0) return i + 1;
        if (of_class) return class_body(first, start, i, last, depth, in_class);
        if (i == start) return lexed_.partner(i) + 1;  // braces that belong to nothing
        const int end = semicolon(i, last);            // int x{3};
        plain(first, start, end, false, in_class);
        return end + 1;
      } else if (w == "(") {
        if (lexed_.partner(i) < 0) return i + 1;
        const bool pointer = is(i + 1, "*") || (is(i + 1, "&") && is_name(i + 2));
        if (i > start && is_attribute(i)) {
          i = lexed_.partner(i);
        } else if (i > start && pointer && (is(lexed_.partner(i) + 1, "(") || is(lexed_.partner(i) + 1, "["))) {
          const int end = semicolon(i, last);  // int (*table[])(int) = {...};
          plain(first, start, end, false, in_class);
          return end + 1;
        } else if (i == start) {
          return lexed_.partner(i) + 1;
        } else {
          return function_or_variable(first, start, i, last, in_class);
        }
      } else if (w == "[" && lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      }
    }
    if (first <= last) plain(first, start, last, of_class, in_class);
    return last + 1;
  }

  /// Whether the `(` at `open` belongs to `alignas(` or `__some_attribute__(`: a declared name follows.
  bool is_attribute(int open) const {
    const std::string_view w = lexed_.of(open - 1);
    if (takes_brackets(w)) return w != "asm";
    const int after = lexed_.partner(open) + 1;
    return may_take_brackets(w) && (is_name(after) || is(after, "*") || is(after, "&")) &&
           !may_follow_parameters(lexed_.of(after));
  }

  /// The parameters' `(` of `operator+(`, `operator()(`, `operator bool(`.
  int operator_parameters(int i, int last) const {
    if (is(i + 1, "(") && is(i + 2, ")")) return i + 3;
    for (++i; i <= last && !is(i, "(") && !is(i, ";") && !is(i, "{"); ++i) {}
    return i;
  }

  int class_body(int first, int start, int open, int last, int depth, bool in_class) {
    const int close = lexed_.partner(open);
    std::vector<int> names;
    for (int i = start; i < open; ++i) {
      if (is(i, ":") || is(i, "final")) break;
      if (is(i, "<")) {
        i = std::max(i, after_angles(i, open) - 1);
      } else if (lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      } else if (is_name(i) && !one_of(lexed_.of(i), {"struct", "class", "union", "enum"})) {
        names.assign(1, i);  // the last one
      }
    }
    bool is_enum = false;
    for (int i = start; i < open; ++i) is_enum = is_enum || is(i, "enum");
    enumerators(start, open, names);
    const std::size_t at = out_.declarations.size();
    declare(first, close, Kind::type, {}, in_class);
    if (!is_enum && depth < deepest_scope) {
      const int outer = class_, outer_open = class_open_;
      class_ = static_cast<int>(out_.classes.size()), class_open_ = open;
      out_.classes.push_back({class_name(lexed_, start, open), data_members(lexed_, open), open});
      scope(open + 1, close - 1, depth + 1, true);
      class_ = outer, class_open_ = outer_open;
    }
    constexpr int longest_declarators = 60;
    const int end = semicolon(close + 1, std::min(last, close + longest_declarators));
    // Where the `;` is missing, what follows does not belong to the class.
    const bool ended = end <= last && is(end, ";");
    for (int i = close + 1; ended && i <= end; ++i) {
      if (lexed_.partner(i) > i)
        i = lexed_.partner(i);
      else if (is_name(i) && !is(i - 1, "="))
        names.push_back(i);
    }
    out_.declarations[at].last = ended ? end : close;
    out_.declarations[at].names = std::move(names);
    return out_.declarations[at].last + 1;
  }

  /// `open`: the `(` after the declared name.
  int function_or_variable(int first, int start, int open, int last, bool in_class) {
    const int close = open <= last && is(open, "(") ? lexed_.partner(open) : -1;
    const int name = close < 0 ? -1 : name_before(start, open);
    if (close < 0 || close > last) return std::min(semicolon(std::min(open, last), last), last) + 1;
    int i = close + 1;
    if (name == start && name == open - 1 && !in_class && i <= last && !is(i, ";") && !is(i, "{") &&
        !may_follow_parameters(lexed_.of(i))) {
      declare(first, close, Kind::other, {}, in_class);  // MACRO(words) before something else
      return i;
    }
    const auto no_body = [&](int end) {
      plain(first, start, end, false, in_class, name);
      return end + 1;
    };
    while (i <= last) {
      const std::string_view w = lexed_.of(i);
      if (w == ";") return no_body(i);
      if (w == "=" || w == ",") return no_body(semicolon(i, last));
      if (w == "{")
        return name < 0 ? no_body(semicolon(i, last)) : function(first, open, name, i, lexed_.partner(i), in_class);
      if (w == ":") {
        i = after_initialisers(i, last);
        if (i > last || !is(i, "{")) return no_body(semicolon(std::min(i, last), last));
        continue;
      }
      if (w == "try") {
        ++i;
        if (is(i, ":")) i = after_initialisers(i, last);
        if (!is(i, "{") || lexed_.partner(i) < 0 || name < 0) return no_body(semicolon(std::min(i, last), last));
        int end = lexed_.partner(i);
        while (is(end + 1, "catch") && is(end + 2, "(") && lexed_.partner(end + 2) > 0 &&
               is(lexed_.partner(end + 2) + 1, "{") && lexed_.partner(lexed_.partner(end + 2) + 1) > 0)
          end = lexed_.partner(lexed_.partner(end + 2) + 1);
        return function(first, open, name, i, end, in_class);
      }
      if (w == "}" || w == ")" || w == "]") return no_body(i - 1);
      if (w == "requires")
        i = after_requires(i, last);
      else if (w == "<")
        i = std::max(i + 1, after_angles(i, last));
      else if (lexed_.partner(i) > i)
        i = lexed_.partner(i) + 1;
      else
        ++i;
    }
    return no_body(last);
  }

  /// After `: a(1), b{2}, base<T>(x)...` at `i`.
  int after_initialisers(int i, int last) const {
    for (++i; i <= last;) {
      while (i <= last && !is(i, "(") && !is(i, "{") && !is(i, ";")) {
        const int after = is(i, "<") ? after_angles(i, last) : i;
        i = after > i ? after : i + 1;
      }
      if (i > last || is(i, ";") || lexed_.partner(i) < 0) return i;
      const bool braces = is(i, "{");
      if (braces && !is_name(i - 1) && !is(i - 1, ">")) return i;  // the body
      i = lexed_.partner(i) + 1;
      if (is(i, "...")) ++i;
      if (!is(i, ",")) return i;
      ++i;
    }
    return i;
  }

  /// The token that names the function whose parameters open at `paren`: `f(`, `f<int>(`, `operator+(`; -1 when none.
  int name_before(int start, int paren) const {
    for (int i = paren - 1; i >= std::max(start, paren - 6); --i)
      if (is(i, "operator")) return i;
    int i = paren - 1;
    if (is(i, ">")) {
      const int opened = angles_[static_cast<std::size_t>(i)];
      if (opened < start) return -1;
      i = opened;
      --i;
    }
    return i >= start && is_name(i) ? i : -1;
  }

  /// A declaration without a function's body.
  void plain(int first, int start, int end, bool of_class, bool in_class, int function_name = -1) {
    std::vector<int> names;
    Kind kind = Kind::variable;
    if (function_name >= 0) {
      kind = Kind::function;
      names.push_back(function_name);
    } else if (of_class) {
      kind = Kind::type;  // struct X;
      for (int i = start; i <= end; ++i)
        if (is_name(i) && (is(i + 1, ";") || is(i + 1, ":") || is(i + 1, "["))) names.push_back(i);
    } else if (is(start, "friend")) {
      kind = Kind::other;
    } else {
      for (int i = start; i <= end; ++i) {
        if (is(i, "<") && is_name(i - 1)) {
          i = std::max(i, after_angles(i, end) - 1);
        } else if (is_name(i) && (is(i + 1, "=") || is(i + 1, ";") || is(i + 1, ",") || is(i + 1, "[") ||
                                  is(i + 1, "{") || is(i + 1, ":") || i == end)) {
          names.push_back(i);
        } else if (is(i, "(") && (is(i + 1, "*") || is(i + 1, "&")) && lexed_.partner(i) > i) {
          for (int k = i + 1; k < lexed_.partner(i); ++k)
            if (is_name(k) && !is(k - 1, "::")) names.push_back(k);
        }
        if (is(i, "=")) {  // to the next declarator
          for (; i <= end && !is(i, ","); ++i)
            if (lexed_.partner(i) > i) i = lexed_.partner(i);
        } else if (lexed_.partner(i) > i) {
          i = lexed_.partner(i);
        }
      }
    }
    declare(first, end, kind, std::move(names), in_class);
  }

  /// The class of `void S::f()` or `void S<T>::f()`, whose name is token `name`; -1: none of this file.
  int class_before(int head, int name) const {
    if (is(name - 1, "~")) --name;
    if (name < head + 2 || !is(name - 1, "::")) return -1;
    int of = name - 2;
    if (is(of, ">") && angles_[static_cast<std::size_t>(of)] > head) of = angles_[static_cast<std::size_t>(of)] - 1;
    for (std::size_t i = out_.classes.size(); i > 0; --i)
      if (out_.classes[i - 1].name == lexed_.of(of)) return static_cast<int>(i) - 1;
    return -1;
  }

  int function(int head, int parameters, int name, int open, int close, bool in_class) {
    if (close < 0) return open + 1;
    FunctionRange f{.head = head,
                    .open = open,
                    .close = close,
                    .member = in_class,
                    .of_class = in_class ? class_ : class_before(head, name)};
    f.class_open = in_class          ? class_open_
                   : f.of_class >= 0 ? out_.classes[static_cast<std::size_t>(f.of_class)].open
                                     : -1;
    f.info.name = lexed_.of(name);
    f.info.first_line = lexed_.token(head).line;
    f.info.last_line = lexed_.token(close).line;
    for (int i = head; i < open; ++i) i = std::max(i, read_head_word(lexed_, i, parameters, f));
    read_parameters(lexed_, parameters, f);
    out_.functions.push_back(std::move(f));
    return close + 1;
  }

  const Lexed& lexed_;
  Outline& out_;
  int class_ = -1;       ///< the class that is being read
  int class_open_ = -1;  ///< its `{`
  std::vector<int> angles_;
};

}  // namespace

void read_top_level(const Lexed& lexed, Outline& out) {
  TopReader(lexed, out).scope(0, lexed.count() - 1, 0, false);
  Outline local;
  TopReader reader(lexed, local);
  for (const FunctionRange& f : out.functions) reader.local_classes(f);
  for (std::size_t i = 0; i < local.functions.size(); ++i) {
    local.functions[i].of_class = -1;
    reader.local_classes(FunctionRange(local.functions[i]));  // classes within their methods
  }
  out.local_methods = std::move(local.functions);
}

}  // namespace lanescope::source
