#include "kernels/source/notation/output_names.h"

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_naming_line = 300, most_names = 1000;

std::string_view word_at(std::string_view s, std::size_t& at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  const std::size_t first = at;
  while (at < s.size() && is_word(s[at])) ++at;
  return s.substr(first, at - first);
}

bool is_name(std::string_view w) { return !w.empty() && is_word_start(w.front()) && (w.size() == 1 || !is_english(w)); }

/// Behind "y" the indices "[f]" or "(f)" of an array.
bool indices_at(std::string_view s, std::size_t& at) {
  if (at >= s.size() || (s[at] != '[' && s[at] != '(')) return false;
  const std::size_t close = s.find(s[at] == '[' ? ']' : ')', at);
  if (close == std::string_view::npos) return false;
  at = close + 1;
  return true;
}

/// "call it y[f]", "call the result y", "call acc c[i,j]".
bool called(const CommentLine& l, std::size_t call, OutputName& out) {
  std::size_t at = call + 5;
  std::string_view first = word_at(l.text, at);
  const std::string low = lower(first);
  bool it = one_of(low, {"it", "this", "them", "these"});
  if (low == "the") {
    const std::string noun = lower(word_at(l.text, at));
    it = one_of(noun, {"result", "results", "output", "outputs", "sum", "product"});
    if (!it) return false;
  }
  std::string_view name = it ? word_at(l.text, at) : std::string_view();
  if (!it) {
    if (!is_name(first)) return false;
    name = word_at(l.text, at);
    out.of = first;
  }
  if (!is_name(name) || one_of(lower(name), {"with", "from", "again", "once", "a", "by"})) return false;
  std::size_t end = at;
  const bool indexed = indices_at(l.text, end);
  if (!it && !indexed) return false;  // "call f once"
  if (!indexed && !trimmed(l.text.substr(at)).empty() && l.text[at] != '.' && l.text[at] != ',' && l.text[at] != ':')
    return false;
  out.name = name;
  return true;
}

/// "y[f] = sum over t of w[f,t] x[t]", "y[f] = FFT of x".
bool summed(const CommentLine& l, OutputName& out) {
  std::size_t at = 0;
  const std::string_view name = word_at(l.text, at);
  if (!is_name(name) || !indices_at(l.text, at)) return false;
  while (at < l.text.size() && is_blank(l.text[at])) ++at;
  if (at >= l.text.size() || l.text[at] != '=') return false;
  const std::string rest = lower(trimmed(l.text.substr(at + 1)));
  if (!rest.starts_with("sum") && !rest.starts_with("\u03a3") && !rest.starts_with("\u2211") &&
      !rest.starts_with("fft"))
    return false;
  out.name = name;
  return true;
}

}  // namespace

bool speaks_of(const std::string& sentence, const std::string& name) {
  for (std::size_t at = sentence.find(name); at != std::string::npos; at = sentence.find(name, at + 1)) {
    if (at > 0 && is_word(sentence[at - 1])) continue;
    std::size_t end = at + name.size();
    if (end < sentence.size() && is_word(sentence[end])) continue;
    if (end < sentence.size() && sentence[end] == '[') end = std::min(sentence.find(']', end), sentence.size() - 1) + 1;
    const std::string_view behind = std::string_view(sentence).substr(end),
                           before = std::string_view(sentence).substr(0, at);
    if (behind.starts_with(" has") || behind.starts_with(" now has") || behind.starts_with(":") ||
        before.ends_with("of ") || before.ends_with("`") || before.ends_with("'"))
      return true;
  }
  return false;
}

std::vector<OutputName> output_names(const std::vector<CommentLine>& lines) {
  std::vector<OutputName> out;
  for (const CommentLine& l : lines) {
    if (l.text.size() > longest_naming_line || out.size() >= most_names) continue;
    OutputName name{.name = {}, .of = {}, .offset = l.offset, .line = l.line};
    const std::string low = lower(l.text);
    const std::size_t call = low.find("call ");
    const bool begins = call != std::string::npos && (call == 0 || !is_word(low[call - 1]));
    if ((begins && called(l, call, name)) || summed(l, name)) out.push_back(std::move(name));
  }
  return out;
}

}  // namespace lanescope::source
