#include "kernels/source/cxx/structural_macros.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_qualifier(std::string_view w) {
  return one_of(w, {"__device__", "__global__", "__host__", "__constant__", "__shared__", "__managed__",
                    "__launch_bounds__", "__forceinline__", "template", "namespace", "extern"});
}

/// Whether the body of a macro alone says so.
bool is_structural(const MacroDefinition& macro) {
  if (macro.body.empty()) return !macro.like_function;
  std::vector<std::size_t> open;
  std::size_t last_open = 0;  // of the bracket that the last word closes
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    const std::string& w = macro.body[i].text;
    if (macro.body[i].kind == TokenKind::identifier && is_qualifier(w)) return true;
    if (macro.body[i].kind != TokenKind::punctuator) continue;
    if (w == "(" || w == "[" || w == "{") open.push_back(i);
    if (w != ")" && w != "]" && w != "}") continue;
    if (open.empty()) return true;
    last_open = open.back();
    open.pop_back();
  }
  if (!open.empty()) return true;
  const std::string& last = macro.body.back().text;
  if (last == "else" || last == "do") return true;
  return last == ")" && last_open > 0 &&
         one_of(macro.body[last_open - 1].text, {"for", "while", "if", "switch", "constexpr"});
}

/// The macros that any definition makes structural, by their bodies or by what these name.
Names structural_names(const Lexed& lexed, const MacroTable& known) {
  std::vector<MacroDefinition> all;
  for (const Directive& d : lexed.directives) {
    const auto [word, rest] = directive_text(lexed, d);
    if (word != "define") continue;
    if (auto m = read_definition(rest)) all.push_back(std::move(*m));
  }
  Names out;
  std::map<std::string, std::vector<const MacroDefinition*>, std::less<>>
      named_by;  // name -> macros whose bodies have it
  std::vector<const MacroDefinition*> found;
  const auto look = [&](const MacroDefinition& m) {
    if (is_structural(m)) found.push_back(&m);
    for (const MacroToken& t : m.body)
      if (t.kind == TokenKind::identifier) named_by[t.text].push_back(&m);
  };
  for (const MacroDefinition& m : all) look(m);
  for (const auto& [name, m] : known)
    if (!is_qualifier(name)) look(m);
  while (!found.empty()) {
    const MacroDefinition* m = found.back();
    found.pop_back();
    if (!out.insert(m->name).second || m->body.empty()) continue;
    if (const auto users = named_by.find(m->name); users != named_by.end())
      found.insert(found.end(), users->second.begin(), users->second.end());
  }
  return out;
}

class Replacer {
 public:
  Replacer(Lexed& lexed, const Names& names, MacroTable table)
      : lexed_(lexed), names_(names), table_(std::move(table)) {
    // The qualifiers themselves are macros of the compiler's: here they are words.
    std::erase_if(table_, [](const auto& m) { return is_qualifier(m.first) || m.first == "__noinline__"; });
  }

  void run() {
    spellings_ = lexed_.spellings;
    auto directive = lexed_.directives.begin();
    for (int i = 0; i < lexed_.count(); ++i) {
      for (; directive != lexed_.directives.end() && directive->offset < lexed_.token(i).offset; ++directive)
        follow(*directive);
      const int after = replaced(i);
      if (after == i)
        tokens_.push_back(lexed_.token(i));
      else
        i = after - 1;
    }
    lexed_.tokens = std::move(tokens_);
    lexed_.spellings = std::move(spellings_);
  }

 private:
  void follow(const Directive& d) {
    const auto [word, rest] = directive_text(lexed_, d);
    if (word == "define") {
      if (auto m = read_definition(rest)) table_.insert_or_assign(m->name, std::move(*m));
    } else if (word == "undef") {
      const MacroTokens name = macro_tokens(rest);
      if (!name.empty()) table_.erase(name.front().text);
    }
  }

  /// The token after the macro's use at `i`, whose words were added; `i` when there is none.
  int replaced(int i) {
    if (lexed_.token(i).kind != TokenKind::identifier) return i;
    const auto name = names_.find(lexed_.of(i));
    const auto macro = name == names_.end() ? table_.end() : table_.find(*name);
    if (macro == table_.end()) return i;
    int last = i;
    if (macro->second.like_function) {
      if (!lexed_.is(i + 1, "(") || lexed_.partner(i + 1) < 0) return i;
      last = lexed_.partner(i + 1);
      if (last - i > static_cast<int>(most_expanded)) return i;
    }
    MacroTokens use;
    for (int t = i; t <= last; ++t) {
      const bool spaced = t > i && lexed_.token(t).offset > lexed_.token(t - 1).end();
      use.push_back({.kind = lexed_.token(t).kind, .text = std::string(lexed_.of(t)), .spaced = spaced});
    }
    const std::optional<MacroTokens> words = expanded(table_, use);
    if (!words || spellings_.size() + words->size() > most_brought) {
      table_.erase(macro);  // too long once, too long again
      return i;
    }
    Token place = lexed_.token(i);
    place.length = lexed_.token(last).end() - place.offset;
    const bool lines = lexed_.token(last).line > place.line;
    for (std::size_t w = 0; w < words->size(); ++w) {
      place.kind = (*words)[w].kind;
      place.spelling = static_cast<int>(spellings_.size());
      place.inner = lines || w + 1 < words->size();
      spellings_.push_back((*words)[w].text);
      tokens_.push_back(place);
    }
    return last + 1;
  }

  Lexed& lexed_;
  const Names& names_;
  MacroTable table_;
  std::vector<Token> tokens_;
  std::vector<std::string> spellings_;
};

}  // namespace

Lexed lex(std::string_view text, const MacroTable& known) {
  Lexed out = lex_plainly(text);
  const Names names = structural_names(out, known);
  if (names.empty()) return out;
  Replacer(out, names, known).run();
  pair_brackets(out);
  return out;
}

Lexed lex(std::string_view text) { return lex(text, {}); }

Lexed lex(std::string_view text, std::span<const TextPart> parts, const MacroTable& known) {
  Lexed out{.text = text};
  for (const TextPart& part : parts) {
    Lexed one = lex(text.substr(part.begin, part.end - part.begin), known);
    const int tokens = out.count(), lines = part.first_line - 1;
    const auto shift = [&](auto& all, auto& into) {
      for (auto& thing : all) {
        thing.offset += part.begin;
        thing.line += lines;
        into.push_back(thing);
      }
    };
    for (Token& t : one.tokens)
      if (t.spelling >= 0) t.spelling += static_cast<int>(out.spellings.size());
    std::ranges::move(one.spellings, std::back_inserter(out.spellings));
    shift(one.tokens, out.tokens);
    shift(one.comments, out.comments);
    shift(one.directives, out.directives);
    for (const int partner : one.match) out.match.push_back(partner < 0 ? partner : partner + tokens);
    out.balanced = out.balanced && one.balanced;
    if (out.too_deep < 0 && one.too_deep >= 0) out.too_deep = one.too_deep + tokens;
    for (Diagnostic& d : one.mistakes) {
      d.line += lines;
      out.mistakes.push_back(std::move(d));
    }
  }
  return out;
}

}  // namespace lanescope::source
