#include "kernels/source/notation/next_writes.h"

#include <algorithm>
#include <string_view>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::string_view forward =
    "becomes|become|will be|will have|will hold|into the following|to the following|transpose away|"
    "transposes away|swap away|after the next|after the following|after this step|after that|afterwards|we want|"
    "want to have|needs to be|to obtain|to get|next step|next transpose|the target|target assignment|desired|"
    "the goal|is to be|shall be|shall have|leads to|turns into|transforms into|converts into|which gives|"
    "obtaining|yielding|giving|resulting in|arriving at|ending up|which yields|which makes|to produce|to yield|"
    "to arrive at|to reach";
/// A sentence that begins with one of these says what the code below it does, unless it says that something is so.
constexpr std::string_view orders =
    "gather|load|read|fetch|shuffle|exchange|swap|transpose|permute|rotate|convert|unpack|pack|move|bring|"
    "redistribute|rearrange|reorder|collect|scatter|transfer|combine|split|interleave|deinterleave|broadcast";
constexpr std::string_view states = "has|have|is|are|holds|hold|contains|contain|had|was|were|lies|lie";
constexpr std::string_view result_words = "return|on output|on exit|output:|the result|when done|afterwards|leaves";

/// The entry of the list that is this word; empty: none.
std::string_view entry_of(std::string_view list, std::string_view word) {
  const std::size_t at = find_word(list, word);
  return at == std::string_view::npos || word.empty() ? std::string_view() : list.substr(at, word.size());
}

/// The verb of a sentence such as "Gather from shared memory:", "Now load a tile:"; empty where there is none.
std::string_view order_in(std::string_view sentence) {
  const Words words = plain_words_of(sentence);
  std::string_view order;
  bool first = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].low;
    if (word == "so" && !order.empty() && i + 1 < words.size() && words[i + 1].low == "that") break;
    if (order.empty() && first) order = entry_of(orders, word);
    first = first && one_of(word, {"now", "next", "then", "finally", "first", "we", "here"});
    if (!entry_of(states, word).empty()) return {};
  }
  return order;
}

/// Whether lines (before, after) hold something else than preprocessor lines: an empty line or a comment.
bool gap(const Lexed& lexed, int before, int after) {
  int between = after - before - 1;
  if (between <= 0) return false;
  const auto first =
      std::ranges::partition_point(lexed.directives, [&](const Directive& d) { return d.line <= before; });
  for (auto d = first; d != lexed.directives.end() && d->line < after; ++d) {
    const std::string_view text = lexed.text.substr(d->offset, d->length);
    between -= 1 + static_cast<int>(std::ranges::count(text, '\n'));
  }
  return between > 0;
}

}  // namespace

std::string forward_words(const std::vector<std::string>& sentences) {
  constexpr std::size_t near = 2;  // sentences
  for (std::size_t n = sentences.size(); n > 0 && sentences.size() - n < near; --n) {
    const std::string_view w = entry_in(forward, lower(sentences[n - 1]), true);
    if (!w.empty()) return std::string(w);
  }
  if (sentences.empty()) return {};
  // "Shuffle the pairs: this puts x into"
  const bool two = sentences.size() > 1 && sentences[sentences.size() - 2].ends_with(':');
  return std::string(order_in(two ? sentences[sentences.size() - 2] + " " + sentences.back() : sentences.back()));
}

std::string step_words(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  const Words words = plain_words_of(sentences.back());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::string_view verb = words[i + 1].low;
    const bool of_step = one_of(words[i].low, {"this", "that", "it", "which"}) && verb.ends_with('s');
    for (; of_step && verb.size() + 2 >= words[i + 1].low.size(); verb.remove_suffix(1))
      if (verb != words[i + 1].low && !entry_of(orders, verb).empty()) return words[i].low + " " + words[i + 1].low;
    if (words[i].low == "the" && words[i + 1].low == "result") return "the result";
  }
  return {};
}

bool speaks_of_result(const std::vector<std::string>& sentences) {
  return std::ranges::any_of(sentences, [](const std::string& s) {
    const std::string words = lower(s);
    return !entry_in(result_words, words, true).empty() || words.find("return") != std::string::npos;
  });
}

std::vector<const Point*> next_writes(const Lexed& lexed, const Outline& outline, int from, int limit,
                                      const std::function<bool(int, int)>& writes) {
  constexpr int most_statements = 200;
  std::vector<const Point*> out;
  const int home = outline.block_at(from);
  if (home < 0) return out;
  const int end = std::min(limit, outline.blocks[static_cast<std::size_t>(home)].close);
  int before = from, left = most_statements;
  const auto first = std::ranges::partition_point(outline.points, [&](const Point& p) { return p.token <= from; });
  for (auto p = first; p != outline.points.end() && p->token < end; ++p) {
    if (p->block != home) continue;
    if (--left == 0) break;
    if (!out.empty() && gap(lexed, lexed.token(before).line, lexed.token(p->statement).line)) break;
    if (writes(before, p->token)) out.push_back(&*p);
    before = p->token;
  }
  if (out.size() > most_later_points) out.erase(out.begin() + most_later_points - 1, out.end() - 1);
  return out;
}

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
