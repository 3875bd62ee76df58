#include "kernels/source/notation/output_names.h"

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/notation/comment_phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_naming_line = 300, most_names = 1000;

bool may_name(std::string_view w) { return w.size() == 1 || !is_english(w); }

/// "call it y[f]", "call the result y", "call acc c[i,j]"; "y[f] = sum over t of w[f,t] x[t]", "y[f] = FFT of x".
bool named(const Words& words, OutputName& out) {
  if (const auto m = comment_phrases().in("called", words)) {
    out.name = m->text("NAME", words);
    out.of = m->text("OF", words);
    // "call f once" gives no name.
    const bool stands = m->has("INDICES") || (m->has("IT") && m->has("END"));
    if (stands && may_name(out.name) && (m->has("IT") || may_name(out.of)) &&
        !comment_phrases().is("no_name", out.name))
      return true;
    out.of.clear();
  }
  const auto m = comment_phrases().at("summed", words);
  if (m) out.name = m->text("NAME", words);
  return m && may_name(out.name);
}

}  // namespace

bool speaks_of(const std::string& sentence, const std::string& name) {
  for (std::size_t at = find_word(sentence, name); at != std::string::npos; at = find_word(sentence, name, at + 1)) {
    std::size_t end = at + name.size();
    if (end < sentence.size() && sentence[end] == '[') end = std::min(sentence.find(']', end), sentence.size() - 1) + 1;
    const std::string_view after = std::string_view(sentence).substr(end),
                           before = std::string_view(sentence).substr(0, at);
    if (after.starts_with(" has") || after.starts_with(" now has") || after.starts_with(":") ||
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
    if (named(words_of(l.text), name)) out.push_back(std::move(name));
  }
  return out;
}

}  // namespace lanescope::source
