#include "kernels/source/notation/next_writes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

constexpr std::array<std::string_view, 34> forward = {
    "becomes",          "become",          "will be",         "will have",      "will hold",      "into the following",
    "to the following", "transpose away",  "transposes away", "swap away",      "after the next", "after the following",
    "after this step",  "after that",      "afterwards",      "we want",        "want to have",   "wants to be",
    "to obtain",        "to get",          "next step",       "next transpose", "the target",     "target assignment",
    "desired",          "the goal",        "is to be",        "shall be",       "shall have",     "leads to",
    "turns into",       "transforms into", "converts into",   "which gives"};
constexpr std::array<std::string_view, 8> result_words = {
    "return", "on output", "on exit", "output:", "the result", "when done", "afterwards", "leaves"};

std::string_view found_in(const std::string& sentence, std::span<const std::string_view> words) {
  const std::string text = lower(sentence);
  for (const std::string_view w : words) {
    for (std::size_t at = 0; (at = text.find(w, at)) != std::string::npos; ++at) {
      const bool left = at == 0 || !is_word(text[at - 1]);
      const bool right = at + w.size() >= text.size() || !is_word(text[at + w.size()]) || w == "return";
      if (left && right) return w;
    }
  }
  return {};
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
    const std::string_view w = found_in(sentences[n - 1], forward);
    if (!w.empty()) return std::string(w);
  }
  return {};
}

bool speaks_of_result(const std::vector<std::string>& sentences) {
  return std::ranges::any_of(sentences, [](const std::string& s) { return !found_in(s, result_words).empty(); });
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

}  // namespace lanescope::source
