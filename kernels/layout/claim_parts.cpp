#include "kernels/layout/claim_parts.h"

#include "kernels/base/text.h"
#include "kernels/layout/words.h"

namespace lanescope::layout {

FoundArrow next_arrow(std::string_view s, std::size_t from) {
  for (std::size_t i = from; i < s.size(); ++i) {
    for (const std::string_view a : {"\u2194", "\u21d4", "\u27f7"})
      if (s.substr(i).starts_with(a)) return {i, a.size()};
    if (s[i] != '<' || i + 2 >= s.size() || (s[i + 1] != '-' && s[i + 1] != '=')) continue;
    std::size_t end = i + 1;
    while (end < s.size() && s[end] == s[i + 1]) ++end;
    if (end < s.size() && s[end] == '>') return {i, end + 1 - i};
  }
  return {};
}

LinePart trimmed_part(std::string_view text, std::size_t at) {
  const std::string_view inner = trim(text, at);
  return {inner, at};
}

LinePart without_remarks(std::string_view line) {
  LinePart p = trimmed_part(line, 0);
  for (const std::string_view bullet : {"- ", "* ", "\u2022 "}) {
    if (!p.text.starts_with(bullet)) continue;
    p = trimmed_part(p.text.substr(bullet.size()), p.at + bullet.size());
    break;
  }
  for (const std::string_view note : {"//", " -- "})
    if (const std::size_t at = p.text.find(note); at != std::string_view::npos) p.text = trimmed(p.text.substr(0, at));
  if (p.text.ends_with("*/")) p.text = trimmed(p.text.substr(0, p.text.size() - 2));
  for (bool again = true; again;) {
    again = false;
    if (p.text.ends_with(" unchanged")) {
      p.text = trimmed(p.text.substr(0, p.text.size() - 10));
      again = true;
    }
    const std::size_t open = p.text.rfind('(');
    if (!p.text.ends_with(')') || open == std::string_view::npos) continue;
    const std::string_view before = trimmed(p.text.substr(0, open));
    const bool content = before.ends_with('>') || before.ends_with("\u2194") || before.ends_with("\u21d4");
    if (content) break;
    p.text = before;
    again = true;
  }
  return p;
}

RowHead read_head(std::string_view text, std::size_t at, const Vocabulary& vocabulary) {
  LinePart p = trimmed_part(text, at);
  std::size_t end = 0;
  while (end < p.text.size() && (is_word(p.text[end]))) ++end;
  RowHead out;
  const std::optional<Place> place = row_named(p.text.substr(0, end));
  if (!place) return out;
  p = trimmed_part(p.text.substr(end), p.at + end);
  for (const std::string_view more : {"bits", "bit", "index", "idx", "id", "number", "lane"}) {
    if (!p.text.starts_with(more) || (p.text.size() > more.size() && is_word(p.text[more.size()]))) continue;
    p = trimmed_part(p.text.substr(more.size()), p.at + more.size());
    break;
  }
  const Side side = side_items(p.text, p.at);
  if (!side.problem.empty()) return out;
  for (const SideItem& i : side.items)
    if (const auto bit = physical(i.text, vocabulary, place); !bit || bit->index < 0) return out;
  out.place = place;
  out.bits = p;
  return out;
}

}  // namespace lanescope::layout
