#include "kernels/layout/claim_line.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::layout {
namespace {

constexpr std::string_view ellipsis = "\u2026";
constexpr std::string_view right_quote = "\u2019", dagger = "\u2020";

std::size_t dots_at(std::string_view s, std::size_t i) {
  if (s.substr(i).starts_with(ellipsis)) return ellipsis.size();
  std::size_t n = 0;
  while (i + n < s.size() && s[i + n] == '.') ++n;
  return n >= 2 ? n : 0;
}

/// "[unused]" and what was meant as it, but not "[r1 r0]".
bool role_bracket(std::string_view s, std::size_t i, std::size_t close) {
  std::size_t ignored = 0;
  const std::string_view inside = trim(s.substr(i + 1, close - i - 1), ignored);
  return inside.size() > 2 && std::ranges::all_of(inside, is_letter);
}

int number(std::string_view digits) {
  int value = -1;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return problem == std::errc{} && end == digits.data() + digits.size() && digits.size() < 4 ? value : -1;
}

class SideReader {
 public:
  SideReader(std::string_view side, std::size_t offset) : s_(side), offset_(offset) {}

  Side run() {
    while (at_ < s_.size() && out_.problem.empty()) {
      const char c = s_[at_];
      if (is_blank(c)) {
        ++gap_, ++at_;
      } else if (c == ',' || c == '|') {
        (c == ',' ? comma_ : bar_) = true;
        ++at_;
      } else if (c == '(' || c == ')' || c == '{' || c == '}' || c == ']') {
        out_.ranged = true, ++at_;
      } else if (const std::size_t n = dots_at(s_, at_); n > 0) {
        dots();
        at_ += n;
      } else if (c == '[' && !role_bracket(s_, at_, std::min(s_.find(']', at_), s_.size()))) {
        out_.ranged = true, ++at_;
      } else {
        item();
      }
    }
    if (range_open_ && out_.problem.empty()) fail(offset_ + range_at_, "the range has no end");
    return std::move(out_);
  }

 private:
  void fail(std::size_t at, std::string problem) {
    out_.problem = std::move(problem);
    out_.problem_at = at;
  }

  void dots() {
    if (out_.items.empty() || range_open_) return fail(offset_ + at_, "the range has no begin");
    range_open_ = true, range_at_ = at_, out_.ranged = true;
    comma_ = false, gap_ = 0;
  }

  std::size_t end_of_item() const {
    std::size_t end = at_;
    if (s_[at_] == '[') return std::min(s_.find(']', at_), s_.size() - 1) + 1;
    while (end < s_.size()) {
      const char c = s_[end];
      if (c == ',' || c == '|' || c == '(' || c == ')' || c == '{' || c == '}' || c == ']' || dots_at(s_, end) > 0)
        break;
      if (c == '[') {
        const std::size_t close = s_.find(']', end);
        if (close == std::string_view::npos || end == at_) break;
        end = close + 1;
        continue;
      }
      if (is_blank(c)) {  // ends the item unless a plus is on either side
        std::size_t next = end;
        while (next < s_.size() && is_blank(s_[next])) ++next;
        const auto plus = [](char x) { return x == '+' || x == '^'; };
        if (next >= s_.size() || !(plus(s_[next]) || plus(s_[end - 1]))) break;
        end = next;
        continue;
      }
      ++end;
    }
    return end;
  }

  char take_mark(std::string_view& text) {
    for (const std::string_view long_mark : {right_quote, dagger}) {
      if (!text.ends_with(long_mark) || text.size() == long_mark.size()) continue;
      text.remove_suffix(long_mark.size());
      return long_mark == dagger ? '+' : '\'';
    }
    if (text.size() < 2 || (text.back() != '*' && text.back() != '\'')) return '\0';
    const char mark = text.back();
    if (!is_word(text[text.size() - 2])) return '\0';
    text.remove_suffix(1);
    return mark;
  }

  void item() {
    const std::size_t begin = at_;
    at_ = std::max(end_of_item(), begin + 1);
    std::string_view text = s_.substr(begin, at_ - begin);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    SideItem made{.text = {},
                  .at = offset_ + begin,
                  .gap = gap_,
                  .comma = comma_,
                  .bar = bar_,
                  .mark = take_mark(text),
                  .written = true};
    gap_ = 0, comma_ = bar_ = false;
    if (made.mark != '\0') out_.ranged = true;
    const std::size_t open = text.find('[');
    if (open != std::string_view::npos && open > 0) return indexed(made, text, open);
    if (range_open_) return range_to(made, text);
    made.text = text;
    push(std::move(made));
  }

  void push(SideItem made) {
    if (out_.items.size() >= most_items) return fail(made.at, "more than 64 bits");
    out_.items.push_back(std::move(made));
  }

  /// "t[4:0]", "t[4]".
  void indexed(const SideItem& like, std::string_view text, std::size_t open) {
    const std::string_view stem = text.substr(0, open), inside = text.substr(open + 1, text.size() - open - 2);
    const std::size_t colon = inside.find(':');
    const int first = number(inside.substr(0, colon));
    const int last = colon == std::string_view::npos ? first : number(inside.substr(colon + 1));
    if (range_open_ || first < 0 || last < 0 || text.back() != ']')
      return fail(like.at, fmt::format("`{}` is not a bit", text));
    out_.ranged = true;
    fill(stem, first, last, like, like.at);
  }

  void fill(std::string_view stem, int first, int last, const SideItem& like, std::size_t last_at) {
    const int step = first <= last ? 1 : -1;
    for (int i = first;; i += step) {
      SideItem made = like;
      made.text = fmt::format("{}{}", stem, i);
      made.written = i == first || i == last;
      if (i != first) made.gap = 1, made.comma = made.bar = false;
      if (i == last) made.at = last_at;
      push(std::move(made));
      if (i == last || !out_.problem.empty()) break;
    }
  }

  /// The end of "j4 ... j0".
  void range_to(const SideItem& end, std::string_view text) {
    const SideItem begin = out_.items.back();
    const std::string_view stem = without_trailing_digits(begin.text);
    const std::string_view end_stem = without_trailing_digits(text);
    const int first = number(std::string_view(begin.text).substr(stem.size()));
    const int last = number(text.substr(end_stem.size()));
    if (first < 0 || last < 0 || (end_stem != stem && !end_stem.empty()) || begin.mark != '\0' || end.mark != '\0')
      return fail(begin.at, fmt::format("`{} ... {}` is not a range", begin.text, text));
    range_open_ = false;
    const std::string name(stem);
    out_.items.pop_back();
    const std::size_t from = out_.items.size();
    fill(name, first, last, begin, end.at);
    for (std::size_t i = from + 1; i + 1 < out_.items.size(); ++i) out_.items[i].at = offset_ + range_at_;
  }

  std::string_view s_;
  std::size_t offset_ = 0, at_ = 0, gap_ = 0, range_at_ = 0;
  bool comma_ = false, bar_ = false, range_open_ = false;
  Side out_;
};

constexpr std::string_view letters_of_rows = "srtwb";

/// "V01": the bit that chooses between V0 and V1; "V3": bit 3.
int register_index(std::string_view digits) {
  if (digits.size() == 2 && digits[0] < digits[1]) {
    const unsigned flips = static_cast<unsigned>(digits[0] - '0') ^ static_cast<unsigned>(digits[1] - '0');
    return std::has_single_bit(flips) ? std::countr_zero(flips) : -1;
  }
  return number(digits);
}

}  // namespace

Side side_items(std::string_view side, std::size_t offset) { return SideReader(side, offset).run(); }

std::optional<Place> row_named(std::string_view word) {
  static constexpr std::pair<std::string_view, Place> others[] = {
      {"byte", Place::simd},     {"bytes", Place::simd},       {"laneid", Place::thread}, {"lane_id", Place::thread},
      {"warpid", Place::warp},   {"warp_id", Place::warp},     {"cta", Place::block},     {"ctas", Place::block},
      {"blockid", Place::block}, {"threadblock", Place::block}};
  if (const std::optional<Place> known = row_called(word)) return known;
  for (const auto& [name, place] : others)
    if (same_word(name, word)) return place;
  return std::nullopt;
}

std::optional<Physical> physical(std::string_view word, const Vocabulary& vocabulary, std::optional<Place> row) {
  std::string_view stem = without_trailing_digits(word);
  const std::string_view digits = word.substr(stem.size());
  if (stem.empty() || digits.size() > 2 || !std::ranges::all_of(stem, is_word)) return std::nullopt;
  if (!digits.empty() && stem.size() > 1 && stem.ends_with('_')) stem.remove_suffix(1);
  const int index = digits.empty() ? -1 : number(digits);
  if (index >= 64) return std::nullopt;
  const auto made = [&](Place place) {
    return Physical{.place = place, .index = index, .dimension = -1, .bare_b = false, .letter = stem.size() == 1};
  };
  const auto fits = [&](Place place) { return !row || *row == place; };
  if (const auto said = vocabulary.letters.find(stem); said != vocabulary.letters.end()) {
    Physical p = made(said->second.place);
    p.bare_b = stem == "b" && p.place == Place::simd;
    return fits(said->second.place) ? std::optional(p) : std::nullopt;
  }
  if (!vocabulary.register_letter.empty() && stem == vocabulary.register_letter && !digits.empty() &&
      fits(Place::reg)) {
    Physical p = made(Place::reg);
    p.index = register_index(digits);
    return p.index < 0 ? std::nullopt : std::optional(p);
  }
  if (stem.size() == 1) {
    const char letter = lower(stem.front());
    if (letter == 'l') return fits(Place::thread) ? std::optional(made(Place::thread)) : std::nullopt;
    const std::size_t at = letters_of_rows.find(letter);
    if (at == std::string_view::npos) return std::nullopt;
    const auto place = static_cast<Place>(at);
    if (place == Place::block) {
      if (row == Place::simd) return made(Place::simd);  // bytes in a row of that name
      Physical p = made(Place::block);
      p.bare_b = !row;
      return fits(Place::block) ? std::optional(p) : std::nullopt;
    }
    return fits(place) ? std::optional(made(place)) : std::nullopt;
  }
  if (stem.size() == 2 && stem.front() == 'w' && stem.back() >= 'x' && stem.back() <= 'z' && fits(Place::warp)) {
    Physical p = made(Place::warp);
    p.dimension = stem.back() - 'x';
    return p;
  }
  const std::optional<Place> named = row_named(stem);
  return named && fits(*named) ? std::optional(made(*named)) : std::nullopt;
}

}  // namespace lanescope::layout
