#include "kernels/source/cxx/outline.h"

#include <algorithm>

#include "kernels/source/cxx/declaration.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/members.h"
#include "kernels/source/cxx/statements.h"

namespace lanescope::source {
namespace {

constexpr int deepest_scope = 50;              ///< namespaces and classes within each other
constexpr std::size_t most_parameters = 4096;  ///< a kernel takes 32,764 bytes of them at most

bool is_upper_word(std::string_view w) {
  return w.size() > 1 && std::all_of(w.begin(), w.end(), [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

/// Walks namespaces and classes, finds the heads of functions.
class TopReader {
 public:
  TopReader(const Lexed& lexed, Outline& out) : lexed_(lexed), out_(out) {}

  void scope(int first, int last, int depth) {
    int head = first;
    for (int i = first; i <= last; ++i) {
      if (lexed_.is(i, ";")) {
        if (i > head && depth_of_class_ == 0) out_.declarations.push_back({head, i});
        head = i + 1;
      } else if (lexed_.is(i, "}")) {
        head = i + 1;
      } else if (lexed_.is(i, "{")) {
        const int close = lexed_.partner(i);
        if (close < 0) return;
        if (braces(head, i, close, depth)) head = close + 1;
        i = close;
      } else if (lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      }
    }
  }

 private:
  /// A brace at file, namespace or class scope. True when it ends what it belongs to.
  bool braces(int head, int open, int close, int depth) {
    int start = head;
    if (lexed_.is(head, "template") && lexed_.is(head + 1, "<"))
      start = skip_template_arguments(lexed_, head + 1, open);
    if (depth < deepest_scope && (lexed_.is(start, "namespace") || lexed_.is(start, "inline"))) {
      if (lexed_.is(start, "namespace") || lexed_.is(start + 1, "namespace")) {
        scope(open + 1, close - 1, depth + 1);
        return true;
      }
    }
    if (depth < deepest_scope && lexed_.is(start, "extern") && open == start + 2) {
      scope(open + 1, close - 1, depth + 1);
      return true;
    }
    const Head here = read_head(start, open);
    if (here.parameters > 0) {
      if (lexed_.is(close + 1, ",") || lexed_.is(close + 1, "{")) return false;  // a constructor's initialisers
      function(head, here.parameters, open, close);
      return true;
    }
    if (here.of_class && depth < deepest_scope) {
      ++depth_of_class_;
      const int outer_class = class_;
      class_ = static_cast<int>(out_.classes.size());
      out_.classes.push_back({class_name(lexed_, start, open), data_members(lexed_, open)});
      scope(open + 1, close - 1, depth + 1);
      class_ = outer_class;
      --depth_of_class_;
      head_ = here;
    }
    return false;
  }

  /// What is before a `{`, read once: a brace that ends nothing is followed by others with the same beginning.
  struct Head {
    int start = -1, read_to = 0;
    int parameters = 0;  ///< the `(` of a function's parameter list; 0: none yet, -1: it can be none
    bool of_class = false;
  };

  Head read_head(int start, int open) {
    if (head_.start != start) head_ = {.start = start, .read_to = start};
    const int from = head_.read_to;
    head_.read_to = std::max(from, open);
    for (int i = from; i < open; ++i) {
      head_.of_class = head_.of_class || lexed_.is(i, "struct") || lexed_.is(i, "class") || lexed_.is(i, "union");
      if (lexed_.is(i, "{")) i = std::max(i, lexed_.partner(i));
    }
    if (head_.parameters == 0) head_.parameters = parameter_list(start, from, open);
    return head_;
  }

  /// The `(` of the parameter list in [from, open) of what begins at `start`; 0 when there is none, -1 when this is no
  /// function.
  int parameter_list(int start, int from, int open) const {
    for (int i = from; i < open; ++i) {
      if (lexed_.is(i, "=")) return -1;
      if (lexed_.is(i, "<")) {
        i = std::max(i, skip_template_arguments(lexed_, i, open) - 1);
        continue;
      }
      if (lexed_.is(i, "{")) i = std::max(i, lexed_.partner(i));
      if (!lexed_.is(i, "(") || lexed_.partner(i) < 0) continue;
      const std::string_view before = i > 0 ? lexed_.of(i - 1) : std::string_view();
      const bool attribute = before.starts_with("__") && before.ends_with("__");
      if (attribute || before == "alignas" || before == "decltype" || before == "requires" || before == "noexcept") {
        i = lexed_.partner(i);
        continue;
      }
      if (before == "operator" && lexed_.is(lexed_.partner(i) + 1, "(")) continue;  // operator()(...)
      return i > start && name_before(start, i) >= 0 ? i : -1;
    }
    return 0;
  }

  /// The token that names the function whose parameters open at `paren`: `f(`, `f<int>(`, `operator+(`; -1 when none.
  int name_before(int start, int paren) const {
    for (int i = paren - 1; i >= std::max(start, paren - 4); --i) {
      if (lexed_.is(i, "operator")) return i;
    }
    int i = paren - 1;
    if (lexed_.is(i, ">")) {
      int depth = 0;
      for (; i > start; --i) {
        if (lexed_.is(i, ">")) ++depth;
        if (lexed_.is(i, "<") && --depth == 0) break;
      }
      --i;
    }
    return i >= start && lexed_.token(i).kind == TokenKind::identifier ? i : -1;
  }

  /// The class of `void S::f()`, whose name is token `name`; -1: none of this file.
  int class_before(int head, int name) const {
    if (name < head + 2 || !lexed_.is(name - 1, "::")) return -1;
    for (std::size_t i = out_.classes.size(); i > 0; --i)
      if (out_.classes[i - 1].name == lexed_.of(name - 2)) return static_cast<int>(i) - 1;
    return -1;
  }

  void function(int head, int parameters, int open, int close) {
    FunctionRange f;
    f.head = head;
    f.open = open;
    f.close = close;
    f.member = depth_of_class_ > 0;
    const int name = name_before(head, parameters);
    f.of_class = f.member ? class_ : class_before(head, name);
    f.info.name = lexed_.of(name);
    f.info.first_line = lexed_.token(head).line;
    f.info.last_line = lexed_.token(close).line;
    for (int i = head; i < open; ++i) i = std::max(i, head_word(i, parameters, f));
    read_parameters(parameters, f);
    out_.functions.push_back(std::move(f));
  }

  /// The last token that was read.
  int head_word(int i, int parameters, FunctionRange& f) const {
    const std::string_view w = lexed_.of(i);
    if (w == "template") f.info.is_template = true;
    if (w == "__global__") f.info.is_kernel = true;
    if (w == "__device__") f.info.is_device = true;
    if (w == "constexpr") f.is_constexpr = true;
    const bool annotates = w == "__global__" || w == "__device__" || (i < parameters - 1 && is_upper_word(w));
    f.annotated = f.annotated || annotates;
    if (w != "__launch_bounds__" || !lexed_.is(i + 1, "(") || lexed_.partner(i + 1) < 0) return i;
    int part = i + 2;
    for (int k = i + 2; k <= lexed_.partner(i + 1); ++k) {
      if (k < lexed_.partner(i + 1) && !lexed_.is(k, ",")) continue;
      f.info.launch_bounds.push_back(joined(lexed_, part, k - 1));
      part = k + 1;
    }
    return lexed_.partner(i + 1);
  }

  void read_parameters(int open, FunctionRange& f) const {
    const int close = lexed_.partner(open);
    int part = open + 1;
    for (int i = open + 1; i <= close; ++i) {
      if (i < close && lexed_.is(i, "<")) {
        i = std::max(i, skip_template_arguments(lexed_, i, close) - 1);
      } else if (i < close && lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      } else if (i == close || lexed_.is(i, ",")) {
        if (part < i && f.info.parameters.size() < most_parameters) add_parameter(part, i - 1, f);
        part = i + 1;
      }
    }
  }

  void add_parameter(int first, int last, FunctionRange& f) const {
    int name = last;
    for (int i = first; i <= last; ++i) {
      if (!lexed_.is(i, "=")) continue;
      name = i - 1;
      break;
    }
    std::string suffix;
    Parameter p;
    while (name > first && lexed_.is(name, "]") && lexed_.partner(name) > first) {
      p.extents = "[" + joined(lexed_, lexed_.partner(name) + 1, name - 1) + "]" + p.extents;
      name = lexed_.partner(name) - 1;
      suffix = "[]";
    }
    // unsigned (&V)[4]
    if (!suffix.empty() && name - 3 > first && lexed_.is(name, ")") && lexed_.partner(name) == name - 3 &&
        lexed_.is(name - 2, "&") && lexed_.token(name - 1).kind == TokenKind::identifier) {
      p.name = lexed_.of(name - 1);
      p.type = joined(lexed_, first, name - 4) + "(&)" + p.extents;
      if (p.type.find("const") == std::string::npos)
        f.reference_parameters.push_back(static_cast<int>(f.info.parameters.size()));
      f.info.parameters.push_back(std::move(p));
      return;
    }
    const bool named = name > first && lexed_.token(name).kind == TokenKind::identifier && !lexed_.is(name, "int") &&
                       !lexed_.is(name, "unsigned");
    p.type = joined(lexed_, first, named ? name - 1 : name) + suffix;
    if (named) p.name = lexed_.of(name);
    if (p.type == "void" && p.name.empty()) return;
    for (int i = first; i < name; ++i) {
      if (lexed_.is(i, "&") && p.type.find("const") == std::string::npos) {
        f.reference_parameters.push_back(static_cast<int>(f.info.parameters.size()));
        break;
      }
    }
    f.info.parameters.push_back(std::move(p));
  }

  const Lexed& lexed_;
  Outline& out_;
  int depth_of_class_ = 0;
  int class_ = -1;  ///< the class that is being read
  Head head_;
};

/// False when a branch of a preprocessor conditional opens a brace that it does not close: what follows then depends on
/// definitions that we do not know.
bool conditionals_balance(const Lexed& lexed) {
  std::vector<int> depth_at_start;
  int depth = 0;
  int token = 0;
  for (const Directive& d : lexed.directives) {
    for (; token < lexed.count() && lexed.token(token).offset < d.offset; ++token) {
      if (lexed.is(token, "{")) ++depth;
      if (lexed.is(token, "}")) --depth;
    }
    const std::string_view text = directive_text(lexed, d).word;
    if (text.starts_with("if")) {
      depth_at_start.push_back(depth);
    } else if (text.starts_with("el") || text.starts_with("endif")) {
      if (depth_at_start.empty()) continue;
      if (depth_at_start.back() != depth) return false;
      if (text.starts_with("endif")) depth_at_start.pop_back();
    }
  }
  return true;
}

void index_locals(Outline& out) {
  for (std::size_t i = 0; i < out.locals.size(); ++i) out.by_name[out.locals[i].name].push_back(static_cast<int>(i));
  out.around.assign(out.locals.size(), -1);
  const auto local = [&](int i) -> const Local& { return out.locals[static_cast<std::size_t>(i)]; };
  for (auto& [name, all] : out.by_name) {
    std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return local(a).token < local(b).token; });
    for (std::size_t k = 1; k < all.size(); ++k) {
      int before = all[k - 1];
      while (before >= 0 && local(before).scope_end <= local(all[k]).scope_end)
        before = out.around[static_cast<std::size_t>(before)];
      out.around[static_cast<std::size_t>(all[k])] = before;
    }
  }
}

}  // namespace

Outline outline(const Lexed& lexed) {
  Outline out;
  out.reliable = lexed.balanced && lexed.mistakes.empty() && conditionals_balance(lexed);
  TopReader(lexed, out).scope(0, lexed.count() - 1, 0);
  std::sort(out.functions.begin(), out.functions.end(),
            [](const FunctionRange& a, const FunctionRange& b) { return a.open < b.open; });
  Callees callees;
  for (const Macro& m : macros(lexed))
    if (m.like_function) callees.macros.emplace(m.name);
  for (const FunctionRange& f : out.functions) {
    if (!f.reference_parameters.empty()) callees.functions[f.info.name] = f.reference_parameters;
  }
  for (std::size_t i = 0; i < out.functions.size(); ++i) read_body(lexed, static_cast<int>(i), callees, out);
  std::sort(out.points.begin(), out.points.end(), [](const Point& a, const Point& b) { return a.token < b.token; });
  std::stable_sort(out.assigns.begin(), out.assigns.end(),
                   [](const Assign& a, const Assign& b) { return a.token < b.token; });
  index_locals(out);
  return out;
}

}  // namespace lanescope::source
