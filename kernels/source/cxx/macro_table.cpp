#include "kernels/source/cxx/macro_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr int deepest_arguments = 60;  ///< calls within arguments of calls

/// Lines continued with a backslash in one piece.
std::string without_continuations(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::string_view after = text.substr(i + 1, 2);
      if (after.starts_with('\n')) {
        i += 1;
        continue;
      }
      if (after == "\r\n") {
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

bool is_mark(const MacroToken& t, std::string_view mark) { return t.kind == TokenKind::punctuator && t.text == mark; }

MacroToken stringized(const MacroTokens& argument) {
  std::string text = "\"";
  for (const MacroToken& t : argument) {
    if (t.spaced && text.size() > 1) text += ' ';
    for (const char c : t.text) {
      const bool quoted = t.kind == TokenKind::string || t.kind == TokenKind::character;
      if (quoted && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
  }
  return {.kind = TokenKind::string, .text = text + '"', .spaced = true};
}

void paste(MacroTokens& out, const MacroToken& right) {
  if (out.empty()) {
    out.push_back(right);
    return;
  }
  const bool spaced = out.back().spaced;
  MacroTokens both = macro_tokens(out.back().text + right.text);
  out.pop_back();
  if (!both.empty()) both.front().spaced = spaced;
  out.insert(out.end(), both.begin(), both.end());
}

/// One pass over the tokens that are left to read. An expanded macro is read again, with a mark at its end:
/// before the mark its name is not expanded.
class Expansion {
 public:
  Expansion(const MacroTable& table, std::size_t& budget, int depth) : table_(table), budget_(budget), depth_(depth) {}

  std::optional<MacroTokens> run(const MacroTokens& tokens, std::set<std::string, std::less<>> active) {
    active_ = std::move(active);
    push(tokens);
    MacroTokens out;
    while (!left_.empty()) {
      Item item = take();
      if (item.ends) {
        active_.erase(item.token.text);
        continue;
      }
      if (budget_ == 0) return std::nullopt;
      --budget_;
      const auto found =
          item.token.kind == TokenKind::identifier && !item.token.fixed ? table_.find(item.token.text) : table_.end();
      if (found == table_.end()) {
        out.push_back(std::move(item.token));
      } else if (active_.contains(item.token.text)) {
        item.token.fixed = true;
        out.push_back(std::move(item.token));
      } else if (!replace(found->second, item.token, out)) {
        return std::nullopt;
      }
    }
    return out;
  }

 private:
  struct Item {
    MacroToken token;
    bool ends = false;  ///< here ends what the macro of this name became
  };

  void push(const MacroTokens& tokens) {
    for (auto t = tokens.rbegin(); t != tokens.rend(); ++t) left_.push_back({*t, false});
  }
  Item take() {
    Item out = std::move(left_.back());
    left_.pop_back();
    return out;
  }

  bool replace(const MacroDefinition& macro, const MacroToken& name, MacroTokens& out) {
    MacroTokens body;
    if (!macro.like_function) {
      body = substituted(macro, {}, {});
    } else {
      std::size_t next = left_.size();
      while (next > 0 && left_[next - 1].ends) --next;
      if (next == 0 || !is_mark(left_[next - 1].token, "(")) {
        out.push_back(name);
        return true;
      }
      MacroTokens call;  // what is left, up to its closing bracket
      int open = 0;
      while (!left_.empty()) {
        Item item = take();
        if (item.ends) {
          active_.erase(item.token.text);
          continue;
        }
        if (budget_ == 0) return false;
        --budget_;
        open += is_mark(item.token, "(") ? 1 : is_mark(item.token, ")") ? -1 : 0;
        call.push_back(std::move(item.token));
        if (open == 0) break;
      }
      std::size_t close = 0;
      const auto arguments = macro_arguments(macro, call, 0, close);
      if (!arguments || depth_ >= deepest_arguments) return false;
      std::vector<MacroTokens> expanded_arguments;
      for (const MacroTokens& a : *arguments) {
        auto e = Expansion(table_, budget_, depth_ + 1).run(a, active_);
        if (!e) return false;
        expanded_arguments.push_back(std::move(*e));
      }
      body = substituted(macro, *arguments, expanded_arguments);
    }
    if (body.size() > budget_) return false;
    if (!body.empty()) body.front().spaced = name.spaced;
    left_.push_back({{.kind = TokenKind::identifier, .text = macro.name}, true});
    active_.insert(macro.name);
    push(body);
    return true;
  }

  const MacroTable& table_;
  std::size_t& budget_;
  int depth_;
  std::set<std::string, std::less<>> active_;
  std::vector<Item> left_;  ///< the next one last
};

}  // namespace

MacroTokens macro_tokens(std::string_view text) {
  // A semicolon first: `#` at the beginning of a text would be a directive.
  const std::string words = ";" + without_continuations(text);
  const Lexed lexed = lex_plainly(words);
  MacroTokens out;
  for (int i = 1; i < lexed.count(); ++i) {
    const bool spaced = lexed.token(i).offset > lexed.token(i - 1).end();
    out.push_back({.kind = lexed.token(i).kind, .text = std::string(lexed.of(i)), .spaced = spaced});
  }
  return out;
}

std::optional<MacroDefinition> read_definition(std::string_view text) {
  const std::string plain = without_continuations(text);
  std::string_view rest = without_indent(plain);
  while (rest.starts_with("/*")) {
    const std::size_t end = rest.find("*/", 2);
    if (end == std::string_view::npos) return std::nullopt;
    rest = without_indent(rest.substr(end + 2));
  }
  std::size_t length = 0;
  while (length < rest.size() && is_word(rest[length])) ++length;
  if (length == 0 || is_digit(rest.front())) return std::nullopt;
  MacroDefinition out{.name = std::string(rest.substr(0, length)),
                      .like_function = rest.substr(length).starts_with('(')};
  MacroTokens tokens = macro_tokens(rest.substr(length));
  std::size_t at = 0;
  if (out.like_function) {
    for (at = 1; at < tokens.size() && !is_mark(tokens[at], ")"); ++at) {
      if (is_mark(tokens[at], "...")) {
        out.variadic = true;
        if (at > 1 && tokens[at - 1].kind == TokenKind::identifier) continue;  // `args...` has a name already
        out.parameters.emplace_back("__VA_ARGS__");
      } else if (tokens[at].kind == TokenKind::identifier) {
        out.parameters.push_back(tokens[at].text);
      }
    }
    if (at == tokens.size()) return std::nullopt;
    ++at;
  }
  out.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
  if (!out.body.empty()) out.body.front().spaced = false;
  return out;
}

namespace {

/// "N 4" of "N=4", "N 1" of "N".
std::string definition_of(std::string_view option) {
  const std::size_t equals = option.find('=');
  std::string text(option.substr(0, equals));
  text += ' ';
  text += equals == std::string_view::npos ? std::string_view("1") : option.substr(equals + 1);
  return text;
}

/// The definition of an option about a macro; moves `i` to its last word. `word` is empty where it is none.
struct MacroOption {
  bool defines = false, undefines = false;
  std::string_view word;
};
MacroOption macro_option(std::span<const std::string> options, std::size_t& i) {
  std::string_view o = options[i];
  for (const std::string_view word : {"--define-macro", "--undefine-macro", "-D", "-U"}) {
    if (!o.starts_with(word)) continue;
    o.remove_prefix(word.size());
    if (o.empty() && i + 1 < options.size()) o = options[++i];
    if (word.size() > 2 && o.starts_with('=')) o.remove_prefix(1);
    const bool defines = one_of(word, {"-D", "--define-macro"});
    return {.defines = defines, .undefines = !defines, .word = o};
  }
  return {};
}

}  // namespace

void define(MacroTable& table, std::string_view option) {
  if (std::optional<MacroDefinition> d = read_definition(definition_of(option)))
    table.insert_or_assign(d->name, std::move(*d));
}

std::vector<std::string> option_definitions(std::span<const std::string> options) {
  std::vector<std::string> out;
  const auto name_of = [](std::string_view text) { return text.substr(0, text.find_first_of(" (")); };
  for (std::size_t i = 0; i < options.size(); ++i) {
    const MacroOption o = macro_option(options, i);
    if (o.word.empty()) continue;
    const std::string_view name = o.word.substr(0, o.word.find_first_of("=("));
    std::erase_if(out, [&](const std::string& known) { return name_of(known) == name; });
    if (o.defines) out.push_back(definition_of(o.word));
  }
  return out;
}

void apply_options(MacroTable& table, std::span<const std::string> options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view o = options[i];
    const MacroOption macro = macro_option(options, i);
    if (macro.defines) define(table, macro.word);
    if (macro.undefines)
      if (const auto known = table.find(macro.word); known != table.end()) table.erase(known);
    if (macro.defines || macro.undefines) continue;
    constexpr std::pair<std::string_view, std::string_view> standards[] = {
        {"11", "201103L"}, {"14", "201402L"}, {"17", "201703L"}, {"20", "202002L"}, {"23", "202302L"}};
    if (!o.starts_with("-std") && !o.starts_with("--std")) continue;
    if (o == "-std" || o == "--std") o = i + 1 < options.size() ? options[++i] : o;
    for (const auto& [year, value] : standards)
      if (o.ends_with("++" + std::string(year))) define(table, "__cplusplus=" + std::string(value));
  }
}

std::optional<std::vector<MacroTokens>> macro_arguments(const MacroDefinition& macro,
                                                        std::span<const MacroToken> tokens, std::size_t open,
                                                        std::size_t& close) {
  std::vector<MacroTokens> out(1);
  int depth = 0;
  for (close = open; close < tokens.size(); ++close) {
    const MacroToken& t = tokens[close];
    const bool opens = is_mark(t, "("), closes = is_mark(t, ")");
    if (closes && --depth == 0) break;
    if (opens && depth++ == 0) continue;
    const bool rest = macro.variadic && out.size() >= macro.parameters.size();
    if (depth == 1 && is_mark(t, ",") && !rest)
      out.emplace_back();
    else
      out.back().push_back(t);
  }
  if (close >= tokens.size()) return std::nullopt;
  for (MacroTokens& a : out)
    if (!a.empty()) a.front().spaced = false;
  if (macro.parameters.empty() && out.size() == 1 && out.front().empty()) return std::vector<MacroTokens>{};
  if (macro.variadic && out.size() + 1 == macro.parameters.size()) out.emplace_back();
  if (out.size() != macro.parameters.size()) return std::nullopt;
  return out;
}

MacroTokens substituted(const MacroDefinition& macro, const std::vector<MacroTokens>& arguments,
                        const std::vector<MacroTokens>& expanded_arguments) {
  MacroTokens out;
  const auto parameter = [&](std::size_t i) -> int {
    if (i >= macro.body.size() || macro.body[i].kind != TokenKind::identifier) return -1;
    for (std::size_t p = 0; p < macro.parameters.size() && p < arguments.size(); ++p)
      if (macro.parameters[p] == macro.body[i].text) return static_cast<int>(p);
    return -1;
  };
  const auto pasted = [&](std::size_t i) { return i < macro.body.size() && is_mark(macro.body[i], "##"); };
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    const MacroToken& t = macro.body[i];
    if (macro.like_function && is_mark(t, "#") && parameter(i + 1) >= 0) {
      out.push_back(stringized(arguments[static_cast<std::size_t>(parameter(i + 1))]));
      ++i;
    } else if (pasted(i) && i + 1 < macro.body.size() && i > 0) {
      const int p = parameter(i + 1);
      const MacroTokens right = p >= 0 ? arguments[static_cast<std::size_t>(p)] : MacroTokens{macro.body[i + 1]};
      // `, ##__VA_ARGS__`: the comma goes where there are no further arguments, and is not pasted to them.
      const bool comma = p >= 0 && macro.variadic && static_cast<std::size_t>(p) + 1 == macro.parameters.size() &&
                         !out.empty() && is_mark(out.back(), ",");
      if (comma && right.empty()) {
        out.pop_back();
      } else if (comma) {
        const MacroTokens& e = expanded_arguments[static_cast<std::size_t>(p)];
        out.insert(out.end(), e.begin(), e.end());
      } else if (!right.empty()) {
        paste(out, right.front());
        out.insert(out.end(), right.begin() + 1, right.end());
      }
      ++i;
    } else if (const int p = parameter(i); p >= 0) {
      const MacroTokens& a =
          pasted(i + 1) ? arguments[static_cast<std::size_t>(p)] : expanded_arguments[static_cast<std::size_t>(p)];
      const std::size_t from = out.size();
      out.insert(out.end(), a.begin(), a.end());
      if (out.size() > from) out[from].spaced = t.spaced;
    } else {
      out.push_back(t);
    }
  }
  return out;
}

std::optional<MacroTokens> expanded(const MacroTable& table, const MacroTokens& tokens) {
  std::size_t budget = most_expanded;
  return Expansion(table, budget, 0).run(tokens, {});
}

MacroTable device_macros(const DeviceTarget& target) {
  MacroTable out;
  const std::string arch = std::to_string(target.architecture * 10);
  const int runtime = target.cuda_major * 1000 + target.cuda_minor * 10;
  for (const std::string_view d :
       listed_words("__CUDACC__ __CUDACC_RTC__ __CUDACC_VER_BUILD__=0 __STDC__ __STDC_HOSTED__ __LP64__ NULL=0 __EDG__ "
                    "__EXCEPTIONS __NVCC_DIAG_PRAGMA_SUPPORT__ __CUDACC_DEVICE_ATOMIC_BUILTINS__ __CUDA_RUNTIME_H__= "
                    "__DRIVER_TYPES_H__= __CUDA_FTZ=0 __CUDA_PREC_DIV __USE_FAST_MATH__=0 __cpp_constexpr=201603L "
                    "__cpp_if_constexpr=201606L __cpp_lambdas=200907L __host__=__attribute__((host)) "
                    "__device__=__attribute__((device)) __global__=__attribute__((global)) "
                    "__noinline__=__attribute__((noinline))"))
    define(out, d);
  for (const std::string& d :
       {"__CUDA_ARCH__=" + arch, "__CUDA_ARCH_LIST__=" + arch, "__CUDA_MINIMUM_ARCH__=" + arch,
        fmt::format("__CUDACC_VER_MAJOR__={}", target.cuda_major),
        fmt::format("__CUDACC_VER_MINOR__={}", target.cuda_minor),
        fmt::format("__CUDA_API_VER_MAJOR__={}", target.cuda_major),
        fmt::format("__CUDA_API_VER_MINOR__={}", target.cuda_minor), fmt::format("CUDART_VERSION={}", runtime),
        fmt::format("__cplusplus={}L", target.cplusplus),
        std::string("__forceinline__=__inline__ __attribute__((always_inline))")})
    define(out, d);
  // Macros of their own names: a text that requests whether they are defined is reported so.
  for (const char* name : {"__launch_bounds__", "__align__", "assert"})
    out.insert_or_assign(name, MacroDefinition{.name = name, .body = {{.kind = TokenKind::identifier, .text = name}}});
  return out;
}

}  // namespace lanescope::source
