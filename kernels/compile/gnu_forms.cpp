#include "kernels/compile/texts.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

constexpr std::size_t none = std::string_view::npos;

/// After a comment or a literal that begins at `at`; `at` itself where none does.
std::size_t after_opaque(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == none ? text.size() : end + 2;
  }
  const bool separator = rest.front() == '\'' && at > 0 && is_word(text[at - 1]);  // 1'000
  if ((rest.front() != '"' && rest.front() != '\'') || separator) return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == rest.front())
      return i + 1;
  }
  return at + 1;
}

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\'; }

/// `#define NAME ` is all that the line has before `at`.
bool begins_macro(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 200;  // a file of one long line is passed over once
  std::string_view head = text.substr(0, at);
  if (head.size() > longest) head.remove_prefix(head.size() - longest);
  head.remove_prefix(head.rfind('\n') + 1);
  const auto skip_gap = [&] { head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size())); };
  skip_gap();
  if (!head.starts_with('#')) return false;
  head.remove_prefix(1), skip_gap();
  if (!head.starts_with("define")) return false;
  head.remove_prefix(6), skip_gap();
  while (!head.empty() && is_word(head.front())) head.remove_prefix(1);
  const bool gap = !head.empty();
  skip_gap();
  return gap && head.empty();
}

/// `(float2){a, b}`, a literal of a type with one name: the place of its `)`. `at`: of the `(`.
std::size_t end_of_literal_type(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (is_word(text[end]) || text[end] == ':')) ++end;
  if (end == at + 1 || end == text.size() || text[end] != ')') return none;
  const std::size_t brace = text.find_first_not_of(" \t", end + 1);
  if (brace == none || text[brace] != '{') return none;
  std::size_t before = at;
  while (before > 0 && is_gap(text[before - 1])) --before;
  const bool returned =
      before >= 6 && text.substr(before - 6, 6) == "return" && (before == 6 || !is_word(text[before - 7]));
  const bool operand = before > 0 && std::string_view("=,(+-*/<>&|!?:").find(text[before - 1]) != none;
  return returned || operand || begins_macro(text, at) ? end : none;
}

constexpr std::string_view builtin = "__builtin_";
/// GNU builtins that nvcc takes in device code and NVRTC does not, without `builtin`, and CUDA's own name.
constexpr std::pair<std::string_view, std::string_view> builtins[] = {{"popcount", "__popc"},
                                                                      {"popcountl", "__popcll"},
                                                                      {"popcountll", "__popcll"},
                                                                      {"clz", "__clz"},
                                                                      {"clzl", "__clzll"},
                                                                      {"clzll", "__clzll"},
                                                                      {"ffs", "__ffs"},
                                                                      {"ffsl", "__ffsll"},
                                                                      {"ffsll", "__ffsll"},
                                                                      {"memcpy", "memcpy"},
                                                                      {"memmove", "memmove"},
                                                                      {"memset", "memset"},
                                                                      {"sqrt", "sqrt"},
                                                                      {"sqrtf", "sqrtf"},
                                                                      {"fabs", "fabs"},
                                                                      {"fabsf", "fabsf"},
                                                                      {"fma", "fma"},
                                                                      {"fmaf", "fmaf"},
                                                                      {"fmin", "fmin"},
                                                                      {"fminf", "fminf"},
                                                                      {"fmax", "fmax"},
                                                                      {"fmaxf", "fmaxf"},
                                                                      {"floor", "floor"},
                                                                      {"floorf", "floorf"},
                                                                      {"ceil", "ceil"},
                                                                      {"ceilf", "ceilf"},
                                                                      {"exp", "exp"},
                                                                      {"expf", "expf"},
                                                                      {"log", "log"},
                                                                      {"logf", "logf"},
                                                                      {"sin", "sin"},
                                                                      {"sinf", "sinf"},
                                                                      {"cos", "cos"},
                                                                      {"cosf", "cosf"},
                                                                      {"pow", "pow"},
                                                                      {"powf", "powf"},
                                                                      {"abs", "abs"},
                                                                      {"trunc", "trunc"},
                                                                      {"truncf", "truncf"},
                                                                      {"rint", "rint"},
                                                                      {"rintf", "rintf"}};

/// CUDA's name for the builtin at `at`; empty: none is there.
std::string_view cuda_name(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(builtin)) return {};
  std::size_t end = at + builtin.size();
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view name = text.substr(at + builtin.size(), end - at - builtin.size());
  const auto found = std::ranges::find(builtins, name, [](const auto& row) { return row.first; });
  return found == std::end(builtins) ? std::string_view() : found->second;
}

struct Block {
  std::size_t brace = 0;   ///< of `{`
  std::size_t depth = 0;   ///< of braces and brackets inside of it
  std::size_t before = 0;  ///< where the last statement begins
  bool ended = true;       ///< with a `;` or not begun, and nothing after it
  bool begun = false;
};

}  // namespace

std::string without_gnu_forms(std::string_view text) {
  struct Change {
    std::size_t at = 0, length = 0;
    std::string words;
  };
  std::vector<Change> changes;
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t after = after_opaque(text, i); after > i) {
      i = after;
      continue;
    }
    const char c = text[i];
    if (is_word(c) && (i == 0 || !is_word(text[i - 1]))) {
      for (const std::string_view word : {"__typeof__", "__typeof"})
        if (text.substr(i).starts_with(word) && (i + word.size() == text.size() || !is_word(text[i + word.size()]))) {
          changes.push_back({i, word.size(), std::string(std::string_view("decltype  ").substr(0, word.size()))});
          break;
        }
      if (const std::string_view name = cuda_name(text, i); !name.empty()) {
        std::size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        std::string words(name);
        words.resize(end - i, ' ');  // columns stay
        changes.push_back({i, end - i, std::move(words)});
      }
    }
    if (!is_gap(c) && !blocks.empty() && blocks.back().ended && c != '}') {
      Block& b = blocks.back();
      b.before = i, b.ended = false, b.begun = true;
    }
    if (c == '(') {
      if (const std::size_t close = end_of_literal_type(text, i); close != none) {
        changes.push_back({i, 1, " "});
        changes.push_back({close, 1, " "});
        i = close + 1;
        continue;
      }
      std::size_t next = i + 1;
      while (next < text.size() && is_gap(text[next])) ++next;
      if (next < text.size() && text[next] == '{') {
        if (!blocks.empty()) ++blocks.back().depth;
        blocks.push_back({.brace = next, .before = next + 1});
        i = next + 1;
        continue;
      }
    }
    if (!blocks.empty()) {
      Block& b = blocks.back();
      if (c == '(' || c == '[' || c == '{') ++b.depth;
      if (c == ';' && b.depth == 0) b.ended = true;
      if (c == '}' && b.depth == 0) {
        std::size_t close = i + 1;
        while (close < text.size() && is_gap(text[close])) ++close;
        const bool whole = b.begun && b.ended && close < text.size() && text[close] == ')';
        if (whole) {
          changes.push_back({b.brace, 0, "[&]()"});
          changes.push_back({b.before, 0, "return "});
          changes.push_back({i + 1, 0, "()"});
        }
        blocks.pop_back();
        if (!blocks.empty() && blocks.back().depth > 0) --blocks.back().depth;
        i = whole ? close + 1 : i + 1;
        continue;
      }
      if ((c == ')' || c == ']' || c == '}') && b.depth > 0) {
        --b.depth;
        if (c == '}' && b.depth == 0) b.ended = true;  // of an `if`, say
      }
    }
    ++i;
  }
  std::ranges::stable_sort(changes, {}, &Change::at);
  std::string out;
  std::size_t done = 0;
  for (const Change& change : changes) {
    out += text.substr(done, change.at - done);
    out += change.words;
    done = change.at + change.length;
  }
  return out + std::string(text.substr(done));
}

bool replace_gnu_forms(Texts& texts) {
  bool changed = false;
  const auto replace = [&](std::string& text) {
    if (text.find('{') == std::string::npos) return;
    std::string plain = without_gnu_forms(text);
    changed = changed || plain != text;
    text = std::move(plain);
  };
  replace(texts.main);
  for (std::string& text : texts.headers) replace(text);
  return changed;
}

namespace {

/// Where the file of an error stands among the texts of a source: 0 is its own, nothing is none of them.
std::optional<std::size_t> file_of(const Diagnostic& error, const source::Source& source) {
  if (error.file == source.file) return 0;
  for (std::size_t k = 0; k < source.headers.size(); ++k)
    if (source.lines.files[k + 1].path == error.file) return k + 1;
  return std::nullopt;
}

std::size_t begin_of_line(std::string_view text, int wanted) {
  std::size_t at = 0;
  for (int line = 1; line < wanted && at != none; ++line) {
    at = text.find('\n', at);
    if (at != none) ++at;
  }
  return at;
}

}  // namespace

bool make_class_constants(Texts& texts, const Diagnostics& errors, const source::Source& source) {
  bool changed = false;
  for (const Diagnostic& error : errors) {
    const bool floating = error.message.starts_with("a member of type \"const float\"") ||
                          error.message.starts_with("a member of type \"const double\"");
    if (error.severity != Severity::error || !floating) continue;  // of other types none is taken by nvcc either
    const auto file = file_of(error, source);
    if (!file) continue;
    std::string& text = texts.of(*file);
    const std::size_t line = begin_of_line(text, error.line);
    if (line == none) continue;
    const std::size_t end = std::min(text.find('\n', line), text.size());
    // The declaration may begin on a line before; its `const` is the last one in front of the initialiser.
    const std::size_t equals = std::min(text.find('=', line), end);
    const std::size_t before = text.find_last_of(";{}", equals == 0 ? 0 : equals - 1);
    const std::size_t first = before == none ? 0 : before + 1;
    for (std::size_t at = text.rfind("const", equals); at != none && at >= first;
         at = at == 0 ? none : text.rfind("const", at - 1)) {
      const bool word = (at == 0 || !is_word(text[at - 1])) && (at + 5 >= text.size() || !is_word(text[at + 5]));
      if (!word) continue;
      text.replace(at, 5, "constexpr");
      changed = true;
      break;
    }
  }
  return changed;
}

bool is_at_designator(const Diagnostic& error, const source::Source& source) {
  if (error.severity != Severity::error || error.line <= 0 || error.column <= 0) return false;
  const auto file = file_of(error, source);
  if (!file) return false;
  const std::string_view text = *file == 0 ? source.device_text : source.headers[*file - 1].device_text;
  std::size_t at = begin_of_line(text, error.line);
  if (at == none) return false;
  at += static_cast<std::size_t>(error.column) - 1;
  if (at + 1 >= text.size() || text[at] != '.' || !is_word(text[at + 1])) return false;
  while (++at < text.size() && is_word(text[at])) {}
  while (at < text.size() && is_gap(text[at])) ++at;
  return at < text.size() && (text[at] == '=' || text[at] == '{');
}

}  // namespace lanescope::compile
