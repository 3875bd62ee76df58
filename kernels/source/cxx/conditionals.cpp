#include "kernels/source/cxx/conditionals.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/cxx/constant_expression.h"
#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

bool is(const MacroTokens& tokens, std::size_t i, std::string_view word) {
  return i < tokens.size() && tokens[i].text == word;
}

MacroToken answer(bool yes) { return {.kind = TokenKind::number, .text = yes ? "1" : "0", .spaced = true}; }

std::optional<IncludeName> include_of(const MacroTokens& tokens, std::size_t first, std::size_t after) {
  if (first >= after) return std::nullopt;
  const std::string& word = tokens[first].text;
  if (tokens[first].kind == TokenKind::string && word.size() > 2 && word.front() == '"' && word.back() == '"')
    return IncludeName{.name = word.substr(1, word.size() - 2), .quoted = true};
  if (word != "<") return std::nullopt;
  IncludeName out;
  for (std::size_t i = first + 1; i < after && tokens[i].text != ">"; ++i) {
    if (tokens[i].spaced && !out.name.empty()) out.name += ' ';
    out.name += tokens[i].text;
  }
  return out.name.empty() ? std::nullopt : std::optional(out);
}

/// The value of __has_cpp_attribute as NVRTC 13.0 has it: the standard's for C++17, a year and a month.
int attribute_value(const MacroTokens& tokens, std::size_t first, std::size_t after, const MacroTable& macros) {
  static constexpr struct {
    std::string_view name;
    int value;
  } known[] = {{"nodiscard", 201907},   {"maybe_unused", 201603},       {"deprecated", 201309},
               {"fallthrough", 201603}, {"noreturn", 200809},           {"likely", 201803},
               {"unlikely", 201803},    {"carries_dependency", 200809}, {"__nodiscard__", 201907}};
  if (after != first + 1) return 0;  // of a namespace: none is known
  const std::string& name = tokens[first].text;
  // The table of macros has the number as the compiler gets it; before 2020 this attribute is none.
  const auto standard = macros.find("__cplusplus");
  const bool of_2020 =
      standard != macros.end() && !standard->second.body.empty() && standard->second.body.front().text >= "202002L";
  if (name == "no_unique_address") return of_2020 ? 201803 : 0;
  for (const auto& k : known)
    if (k.name == name) return k.value;
  return 0;
}

/// `defined X`, `__has_include(...)` and `__has_cpp_attribute(...)` answered; nothing when one of them is not well formed,
/// or is a question that only the compiler can answer.
std::optional<MacroTokens> asked(const MacroTokens& tokens, const MacroTable& macros, const HasInclude& has_include) {
  MacroTokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& word = tokens[i].text;
    const bool name = tokens[i].kind == TokenKind::identifier;
    if (name && word == "defined") {
      const bool bracket = is(tokens, i + 1, "(");
      const std::size_t at = i + (bracket ? 2 : 1);
      if (at >= tokens.size() || tokens[at].kind != TokenKind::identifier || (bracket && !is(tokens, at + 1, ")")))
        return std::nullopt;
      out.push_back(answer(is_defined(tokens[at].text, macros)));
      i = at + (bracket ? 1 : 0);
    } else if (name && word.starts_with("__has_") && is(tokens, i + 1, "(")) {
      std::size_t close = i + 1;
      for (int depth = 0; close < tokens.size(); ++close) {
        depth += tokens[close].text == "(" ? 1 : tokens[close].text == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      if (close >= tokens.size()) return std::nullopt;
      if (word == "__has_cpp_attribute") {
        out.push_back(answer(false));
        out.back().text = std::to_string(attribute_value(tokens, i + 2, close, macros));
        i = close;
        continue;
      }
      if (!word.starts_with("__has_include")) return std::nullopt;
      bool yes = false;
      {
        std::optional<IncludeName> asked_for = include_of(tokens, i + 2, close);
        if (!asked_for) {
          const MacroTokens inside(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                                   tokens.begin() + static_cast<std::ptrdiff_t>(close));
          if (const auto e = expanded(macros, inside)) asked_for = include_of(*e, 0, e->size());
        }
        yes = asked_for && has_include && has_include(asked_for->name, asked_for->quoted);
      }
      out.push_back(answer(yes));
      i = close;
    } else {
      out.push_back(tokens[i]);
    }
  }
  return out;
}

}  // namespace

bool is_defined(std::string_view name, const MacroTable& macros) {
  return macros.contains(name) ||
         one_of(name, {"__has_include", "__has_include_next", "__has_cpp_attribute", "__has_attribute", "__has_builtin",
                       "__has_feature", "__has_extension", "__FILE__", "__LINE__", "__DATE__", "__TIME__",
                       "__INCLUDE_LEVEL__", "__BASE_FILE__"});
}

std::optional<bool> condition(std::string_view text, const MacroTable& macros, const HasInclude& has_include) {
  std::optional<MacroTokens> tokens = asked(macro_tokens(text), macros, has_include);
  if (!tokens) return std::nullopt;
  tokens = expanded(macros, *tokens);
  if (!tokens) return std::nullopt;
  tokens = asked(*tokens, macros, has_include);  // a macro may have brought further questions
  if (!tokens) return std::nullopt;
  std::string words;
  for (const MacroToken& t : *tokens) words += (t.text == ">" && !t.spaced ? "" : " ") + t.text;
  const ConstantValue value = preprocessor_value(words);
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<IncludeName> include_name(std::string_view text, const MacroTable& macros) {
  text = without_indent(text);
  if (text.starts_with('"') || text.starts_with('<')) {
    const std::size_t close = text.find(text.front() == '"' ? '"' : '>', 1);
    if (close == std::string_view::npos || close < 2) return std::nullopt;
    return IncludeName{.name = std::string(text.substr(1, close - 1)), .quoted = text.front() == '"'};
  }
  const std::optional<MacroTokens> tokens = expanded(macros, macro_tokens(text));
  return tokens ? include_of(*tokens, 0, tokens->size()) : std::nullopt;
}

namespace {

/// Macros that programs query of a system header that is not read.
struct SystemMacro {
  std::string_view header, definition;
};
constexpr SystemMacro system_macros[] = {{"unistd.h", "_POSIX_VERSION=200809L"}, {"unistd.h", "_POSIX_TIMERS=200809L"}};

constexpr std::size_t most_included_bytes = std::size_t{16} << 20;

void blank_range(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && i < text.size(); ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

/// One #if with all that belongs to it.
struct Chain {
  std::vector<std::size_t> directives;
  bool outer = true;    ///< what is around it is active
  bool active = false;  ///< the branch that is being read
  bool taken = false;   ///< some branch was
  bool kept = false;    ///< its lines stay for the compiler
  bool guard = false;   ///< around the whole file
};

class Preprocessor {
 public:
  Preprocessor(MacroTable macros, const ReadInclude& read_include) : read_include_(read_include) {
    out_.macros = std::move(macros);
  }

  void file(const std::string& name, std::string_view text, int depth) {
    const auto [place, is_new] = places_.emplace(name, out_.files.size());
    const std::size_t at = place->second;
    if (is_new) out_.files.push_back({.file = name, .text = {}, .includes = {}});
    std::string active = Reading(*this, at, text, depth).run();
    std::string& known = out_.files[at].text;
    if (known.size() != active.size()) {
      known = std::move(active);
      return;
    }
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] == ' ') known[i] = active[i];
  }

  Conditionals result() { return std::move(out_); }

 private:
  /// One time through one text.
  class Reading {
   public:
    Reading(Preprocessor& all, std::size_t file, std::string_view text, int depth)
        : all_(all), file_(file), depth_(depth), text_(text), lexed_(lex_plainly(text_)), active_text_(text) {}

    std::string run() {
      std::size_t inactive_from = std::string::npos;
      for (std::size_t i = 0; i < lexed_.directives.size(); ++i) {
        const Directive& d = lexed_.directives[i];
        const bool before = active();
        const auto [word, rest] = directive_text(lexed_, d);
        if (is_conditional(word))
          conditional(i, word, rest);
        else if (before)
          plain(d, word, rest);
        if (before && !active()) inactive_from = d.offset + d.length;
        if (!before && active() && inactive_from != std::string::npos) {
          blank_range(active_text_, inactive_from, d.offset);
          inactive_from = std::string::npos;
        }
      }
      if (!active()) blank_range(active_text_, inactive_from, active_text_.size());
      for (Chain& c : chains_) c.kept = true, finish(c);
      restore();
      return std::move(active_text_);
    }

   private:
    bool active() const { return chains_.empty() || chains_.back().active; }

    static bool is_conditional(std::string_view w) {
      return one_of(w, {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"});
    }

    std::optional<bool> holds(std::string_view word, std::string_view rest) {
      if (word == "if" || word == "elif")
        return condition(rest, all_.out_.macros, [&](std::string_view name, bool quoted) {
          return all_.read_include_ && all_.read_include_(name, quoted, all_.out_.files[file_].file).has_value();
        });
      const MacroTokens tokens = macro_tokens(rest);
      if (tokens.empty() || tokens.front().kind != TokenKind::identifier) return std::nullopt;
      // #ifdef, #elifdef, or one of the two with an n
      const bool wants = !word.ends_with("ndef");
      return is_defined(tokens.front().text, all_.out_.macros) == wants;
    }

    void conditional(std::size_t directive, std::string_view word, std::string_view rest) {
      if (word.starts_with("if")) {
        Chain c{.outer = active()};
        c.directives.push_back(directive);
        c.guard = c.outer && is_guard(directive);
        if (c.outer) {
          const std::optional<bool> yes = holds(word, rest);
          c.kept = !yes.has_value();
          c.taken = c.active = yes.value_or(false);
        }
        chains_.push_back(std::move(c));
        return;
      }
      if (chains_.empty()) return;  // it belongs to nothing: the compiler says so
      Chain& c = chains_.back();
      c.directives.push_back(directive);
      if (word == "endif") {
        Chain done = std::move(c);
        chains_.pop_back();
        finish(done);
      } else if (word == "else") {
        c.active = c.outer && !c.taken;
        c.taken = true;
      } else if (c.outer && !c.taken) {
        const std::optional<bool> yes = holds(word, rest);
        c.kept = c.kept || !yes.has_value();
        c.taken = c.active = yes.value_or(false);
      } else {
        c.active = false;
      }
    }

    /// `#ifndef X`, `#define X`, before and after which there is nothing.
    bool is_guard(std::size_t directive) const {
      if (!chains_.empty() || directive + 2 >= lexed_.directives.size()) return false;
      for (std::size_t i = 0; i < directive; ++i)
        if (directive_text(lexed_, lexed_.directives[i]).word != "pragma") return false;
      const auto [word, rest] = directive_text(lexed_, lexed_.directives[directive]);
      const auto [next_word, next_rest] = directive_text(lexed_, lexed_.directives[directive + 1]);
      if (next_word != "define" || !(word == "ifndef" || word == "if")) return false;
      const MacroTokens asked = macro_tokens(rest), defined = macro_tokens(next_rest);
      if (asked.empty() || defined.empty()) return false;
      if (word == "if") {
        const bool negated = asked.size() >= 3 && asked[0].text == "!" && asked[1].text == "defined";
        const std::size_t name = asked.size() == 5 ? 3 : 2;
        if (!negated || name >= asked.size() || asked[name].text != defined.front().text) return false;
      } else if (asked.front().text != defined.front().text) {
        return false;
      }
      return lexed_.count() == 0 || lexed_.token(0).offset > lexed_.directives[directive].offset;
    }

    void finish(const Chain& c) {
      if (!c.outer) return;  // blank already
      const Directive& last = lexed_.directives[c.directives.back()];
      const bool whole = c.guard && c.directives.size() == 2 && c.taken &&
                         last.offset == lexed_.directives.back().offset &&
                         (lexed_.count() == 0 || lexed_.token(lexed_.count() - 1).offset < last.offset);
      for (const std::size_t i : c.directives) {
        const Directive& d = lexed_.directives[i];
        if (c.kept || whole)
          restored_.push_back(i);
        else
          blank_range(active_text_, d.offset, d.offset + d.length);
      }
    }

    /// Lines that stay, within parts that were left out, too.
    void restore() {
      for (const std::size_t i : restored_) {
        const Directive& d = lexed_.directives[i];
        active_text_.replace(d.offset, d.length, text_.substr(d.offset, d.length));
      }
    }

    void plain(const Directive& d, std::string_view word, std::string_view rest) {
      MacroTable& macros = all_.out_.macros;
      if (word == "define") {
        if (std::optional<MacroDefinition> m = read_definition(rest)) macros.insert_or_assign(m->name, std::move(*m));
      } else if (word == "undef") {
        const MacroTokens tokens = macro_tokens(rest);
        if (!tokens.empty()) macros.erase(tokens.front().text);
      } else if (word == "pragma") {
        if (trimmed(rest) == "once") all_.once_.insert(all_.out_.files[file_].file);
      } else if (word == "include" || word == "include_next" || word == "import") {
        include(d, rest);
      }
    }

    void include(const Directive& d, std::string_view rest) {
      const std::optional<IncludeName> name = include_name(rest, all_.out_.macros);
      if (!name) return;
      std::optional<IncludedText> read;
      const std::string includer = all_.out_.files[file_].file;
      if (all_.read_include_) read = all_.read_include_(name->name, name->quoted, includer);
      std::vector<ActiveInclude>& known = all_.out_.files[file_].includes;
      const auto place = std::lower_bound(known.begin(), known.end(), d.offset,
                                          [](const ActiveInclude& i, std::uint32_t at) { return i.offset < at; });
      if (place == known.end() || place->offset != d.offset)
        known.insert(place, {.line = d.line,
                             .column = d.column,
                             .offset = d.offset,
                             .length = d.length,
                             .name = name->name,
                             .quoted = name->quoted,
                             .file = read ? read->file : std::string()});
      if (read) return all_.include(*read, depth_ + 1);
      for (const SystemMacro& m : system_macros)
        if (name->name == m.header) define(all_.out_.macros, m.definition);
    }

    Preprocessor& all_;
    std::size_t file_;
    int depth_;
    std::string text_;
    Lexed lexed_;
    std::string active_text_;
    std::vector<Chain> chains_;
    std::vector<std::size_t> restored_;
  };

  void include(const IncludedText& read, int depth) {
    if (depth > deepest_include || ++visits_ > most_includes || once_.contains(read.file)) return;
    bytes_ += read.text.size();
    if (bytes_ <= most_included_bytes) file(read.file, read.text, depth);
  }

  const ReadInclude& read_include_;
  Conditionals out_;
  std::map<std::string, std::size_t> places_;
  std::set<std::string> once_;
  int visits_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Conditionals evaluate_conditionals(std::string_view file, std::string_view text, MacroTable macros,
                                   const ReadInclude& read_include) {
  Preprocessor all(std::move(macros), read_include);
  all.file(std::string(file), text, 0);
  return all.result();
}

}  // namespace lanescope::source
