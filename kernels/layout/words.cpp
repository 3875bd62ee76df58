#include "kernels/layout/claim_line.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"

namespace lanescope::layout {
namespace {

/// The digit that a letter is mistaken for; '\0': none.
char digit_like(char letter) {
  if (std::string_view("oO").find(letter) != std::string_view::npos) return '0';
  return std::string_view("lI|").find(letter) != std::string_view::npos ? '1' : '\0';
}

bool is_plus(char c) { return c == '+' || c == '^'; }

Word::Look look_of(std::string_view name) {
  if (is_digit(name.back())) return Word::Look::notation;
  const bool capital_inside = std::any_of(name.begin() + 1, name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const bool small_inside = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (capital_inside && small_inside) return Word::Look::notation;
  if (is_english(name)) return Word::Look::english;
  return name.size() <= 3 ? Word::Look::perhaps : Word::Look::prose;
}

/// `meant`: the word that was probably meant; empty: none, then `remedy` is.
void refuse(Word& w, std::string_view part, std::string problem, std::string_view meant, std::string remedy = {}) {
  w.term.reset();
  w.bad_offset = w.offset + static_cast<std::size_t>(part.data() - w.text.data());
  w.problem = std::move(problem);
  w.misspelt = !meant.empty();
  w.remedy = w.misspelt ? fmt::format("did you mean `{}`?", meant) : std::move(remedy);
}

void read_bracket(Word& w) {
  const std::string_view inside = w.text.substr(1, w.text.size() - (w.text.back() == ']' ? 2 : 1));
  std::size_t ignored = 0;
  const std::string_view name = trim(inside, ignored);
  w.look = Word::Look::notation;
  if (w.text.back() == ']' && same_word(name, "unused")) {
    w.term = Term{.role = Term::Role::unused, .names = {}, .constant = false};
  } else if (w.text.back() == ']' && same_word(name, "junk")) {
    w.term = Term{.role = Term::Role::junk, .names = {}, .constant = false};
  } else if (w.text.back() == ']' && same_word(name, "any")) {
    w.term = Term{.role = Term::Role::unsaid, .names = {}, .constant = false};
  } else {
    const bool junk = edit_distance(name, "junk") < edit_distance(name, "unused");
    refuse(w, w.text, fmt::format("`{}` is not a bit", w.text), junk ? "[junk]" : "[unused]");
  }
}

/// For a word that is not a name: 1 is easily typed for i or l, and letter and digit are easily exchanged. Empty: none.
std::string name_meant(std::string_view part) {
  const auto all_digits = std::all_of(part.begin(), part.end(), is_digit);
  if (all_digits && part.size() >= 2 && part[0] == '1') return fmt::format("i{}", part.substr(1));
  if (!all_digits && part.size() == 2 && is_digit(part[0]) && is_word(part[1])) return {part[1], part[0]};
  return {};
}

constexpr const char* write_marks =
    "write [junk] where places with this bit set hold nothing, [unused] for a broadcast";

/// One summand: `~`* then a name or a constant. False when the word has been refused.
bool read_summand(Word& w, std::string_view part, std::vector<std::string>& names, bool& constant) {
  std::size_t offset = 0;
  std::string_view name = trim(part, offset);
  while (!name.empty() && (name[0] == '~' || name[0] == '!')) {
    constant = !constant;
    name = trim(name.substr(1), offset);
  }
  if ((name == "0" || name == "1") && part.size() != w.text.size()) {
    constant ^= name == "1";
    return true;
  }
  const bool is_name =
      !name.empty() && is_word(name[0]) && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), is_word);
  if (!is_name) {
    refuse(w, name.empty() ? part : name, fmt::format("`{}` is not a logical bit", name.empty() ? w.text : name),
           name_meant(name), name == "0" ? write_marks : "a logical bit is an axis and a bit number, such as `i3`");
    return false;
  }
  if (same_word(name, "unused") || same_word(name, "junk")) {
    w.look = Word::Look::prose;
    refuse(w, name, fmt::format("`{}` is not a logical bit", name), fmt::format("[{}]", name));
    return false;
  }
  const std::string axis = split_name(name).axis;
  if (axis.size() != name.size() && name[axis.size()] == '0' && name.size() > axis.size() + 1) {
    w.look = Word::Look::notation;
    refuse(w, name, fmt::format("`{}` has a leading zero", name), fmt::format("{}{}", axis, split_name(name).bit));
    return false;
  }
  if (names.empty() || look_of(name) > w.look) w.look = look_of(name);
  names.emplace_back(name);
  return true;
}

void read_sum(Word& w) {
  std::vector<std::string> names;
  bool constant = false;
  std::size_t at = 0;
  while (at <= w.text.size()) {
    std::size_t end = at;
    while (end < w.text.size() && !is_plus(w.text[end])) ++end;
    if (!read_summand(w, w.text.substr(at, end - at), names, constant)) return;
    at = end + 1;
  }
  w.term = sum_of(std::move(names), constant);
  if (w.term->names.empty())
    refuse(w, w.text, fmt::format("`{}` cancels to {}: no logical bit is left", w.text, constant ? 1 : 0), {},
           write_marks);
}

/// `jo` beside `j1`: a letter that reads like a digit, on an axis that the row names.
void refuse_letters_for_digits(std::vector<Word>& words) {
  std::set<std::string> axes;
  for (const Word& w : words) {
    if (!w.term) continue;
    for (const std::string& name : w.term->names)
      if (split_name(name).axis != name) axes.insert(split_name(name).axis);
  }
  for (Word& w : words) {
    if (!w.term) continue;
    for (const std::string& name : w.term->names) {
      const char digit = digit_like(name.back());
      if (digit == '\0') continue;
      const std::string meant = name.substr(0, name.size() - 1) + digit;
      if (!axes.contains(split_name(meant).axis)) continue;
      const std::string written = name;
      w.look = Word::Look::notation;
      refuse(w, w.text.substr(w.text.find(written)), fmt::format("`{}` is not a logical bit", written), meant);
      break;
    }
  }
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view s, std::size_t& offset) {
  offset += s.size() - without_indent(s).size();
  return trimmed(s);
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<Word> read_words(std::string_view side, std::size_t offset) {
  const auto separates = [](char c) { return is_blank(c) || c == ','; };
  std::vector<Word> words;
  std::size_t at = 0;
  while (at < side.size()) {
    if (separates(side[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    if (side[at] == '[') {
      end = std::min(side.find(']', at), side.size() - 1) + 1;
    } else {
      // Blanks end the word unless a plus stands on either side of them.
      bool open = true;
      while (end < side.size() && open) {
        std::size_t next = end;
        while (next < side.size() && is_blank(side[next])) ++next;
        open = next == end || (next < side.size() && (is_plus(side[next]) || is_plus(side[end - 1])));
        if (open) end = next + 1;
        if (end < side.size() && side[end] == ',') open = false;
      }
    }
    words.push_back(
        {.text = side.substr(at, end - at), .offset = offset + at, .term = {}, .problem = {}, .remedy = {}});
    at = end;
  }
  for (Word& w : words) w.text[0] == '[' ? read_bracket(w) : read_sum(w);
  refuse_letters_for_digits(words);
  return words;
}

}  // namespace lanescope::layout
