#include "kernels/source/notation/index_formula.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_text = 700, most_lines = 8, most_separate = 64, deepest_definition = 6;

struct Definition {
  std::string name, text;
};

bool is_numbered(std::string_view w) {
  const std::string_view base = without_trailing_digits(w);
  return !base.empty() && base.size() < w.size() && w.size() < 24 && is_word_start(w.front()) &&
         std::ranges::all_of(w, is_word);
}

/// The word before the first `=`, where nothing else is before it but words such as "Output:" and "where".
std::string_view word_before(std::string_view s) {
  s = trimmed(s);
  std::size_t begin = s.size();
  while (begin > 0 && is_word(s[begin - 1])) --begin;
  return s.substr(begin);
}

/// The formula of an index with the definitions put in; nullopt: it is none.
std::optional<IndexFormula> with_definitions(std::string_view text, const std::vector<Definition>& definitions) {
  std::string s(text);
  for (std::size_t depth = 0; depth < deepest_definition; ++depth) {
    bool again = false;
    for (const Definition& d : definitions)
      for (std::size_t at = find_word(s, d.name); at != std::string::npos; at = find_word(s, d.name, at + 1)) {
        if (s.size() + d.text.size() > 200) continue;
        s.replace(at, d.name.size(), "(" + d.text + ")");
        at += d.text.size() + 1;
        again = true;
      }
    if (!again) return IndexFormula::read(s);
  }
  return std::nullopt;
}

/// A formula and the words after it in brackets: "row0+8 (within the tile)".
std::string_view without_remark(std::string_view s) {
  s = trimmed(s);
  while (s.ends_with('.')) s.remove_suffix(1);
  if (s.ends_with(')'))
    if (const std::size_t open = s.rfind(" ("); open != std::string_view::npos && open > 0 && is_word(s[open - 1])) {
      const std::string_view inside = s.substr(open + 2);
      if (inside.find(' ') != std::string_view::npos && inside.find_first_of("+*/%&<>") == std::string_view::npos)
        s = trimmed(s.substr(0, open));
    }
  return s;
}

class SeparateReader {
 public:
  explicit SeparateReader(std::string_view text) : text_(text) {}

  std::optional<SeparateRegisters> run() {
    for (const std::string_view part : parts_between(text_, ",;"))
      if (!of_element(part)) definition(part);
    if (out_.names.empty()) by_groups();
    if (out_.names.size() < 2 || out_.names.size() > most_separate || !std::has_single_bit(out_.names.size()))
      return {};
    const std::string_view base = without_trailing_digits(out_.names.front());
    for (std::size_t n = 0; n < out_.names.size(); ++n)
      if (out_.names[n] != fmt::format("{}{}", base, n)) return {};
    for (std::size_t n = 0; n < indices_.size(); ++n) {
      auto& at = out_.at.emplace_back();
      for (const auto& [index, choice] : indices_[n]) {
        auto formula = with_definitions(index, definitions_);
        if (!formula || (formula->choices() > 1 && choice < 0)) return {};
        at.push_back({std::move(*formula), std::max(choice, 0)});
      }
      if (at.size() != indices_.front().size()) return {};
    }
    if (out_.axes.empty())
      out_.axes =
          indices_.front().size() == 2 ? std::vector<std::string>{"row", "col"} : std::vector<std::string>{"element"};
    return out_.axes.size() == indices_.front().size() ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  /// "d0=C[row0,col0]", "d0 -> (row, col)".
  bool of_element(std::string_view part) {
    std::size_t sign = part.find('='), width = 1;
    if (const std::size_t arrow = part.find("->"); arrow != std::string_view::npos && arrow < sign)
      sign = arrow, width = 2;
    if (sign == std::string_view::npos) return false;
    const std::string_view name = word_before(part.substr(0, sign));
    if (!is_numbered(name)) return false;
    std::string_view right = trimmed(part.substr(sign + width));
    std::size_t at = 0;
    while (at < right.size() && is_word(right[at])) ++at;
    if (at >= right.size() || (right[at] != '[' && right[at] != '(') || is_digit(right.front())) return false;
    const bool named = at > 0;
    std::vector<std::pair<std::string, int>> indices;
    while (at < right.size() && (right[at] == '[' || (right[at] == '(' && indices.empty()))) {
      const auto inside = bracket_at(right, at);
      if (!inside) return false;
      for (const std::string_view i : parts_between(*inside, ",")) indices.emplace_back(std::string(i), -1);
    }
    if (indices.empty() || indices.size() > 3 || (!named && indices.size() < 2)) return false;
    if (!trimmed(right.substr(at)).empty() && trimmed(right.substr(at)) != ".") return false;
    out_.names.emplace_back(name);
    indices_.push_back(std::move(indices));
    return true;
  }

  void definition(std::string_view part) {
    for (const std::string_view word : {"where ", "with ", "and "})
      if (const std::size_t at = part.find(word); at != std::string_view::npos)
        part = trimmed(part.substr(at + word.size()));
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos || sign == 0) return;
    const std::string_view name = word_before(part.substr(0, sign)), text = without_remark(part.substr(sign + 1));
    if (name.empty() || !IndexFormula::read(text)) return;
    for (const Definition& d : definitions_)
      if (d.name == name) return;
    definitions_.push_back({std::string(name), std::string(text)});
  }

  /// "c0,c1: row = groupID, col = 2*tig + {0,1}; c2,c3: ..."
  void by_groups() {
    for (const std::string_view group : parts_between(text_, ";")) {
      const std::size_t colon = std::min(group.find(':'), group.find("->"));
      if (colon == std::string_view::npos) continue;
      std::vector<std::string> names;
      std::string_view left = trimmed(group.substr(0, colon));
      if (left.starts_with('{') && left.ends_with('}')) left = left.substr(1, left.size() - 2);
      for (const std::string_view n : parts_between(left, ",")) names.emplace_back(word_before(n));
      if (names.empty() || !std::ranges::all_of(names, is_numbered)) continue;
      std::vector<std::string> axes;
      std::vector<std::string> formulas;
      for (const std::string_view e : parts_between(group.substr(colon + (group[colon] == ':' ? 1 : 2)), ",")) {
        const std::size_t sign = e.find('=');
        if (sign == std::string_view::npos) return clear();
        axes.emplace_back(word_before(e.substr(0, sign)));
        formulas.emplace_back(without_remark(e.substr(sign + 1)));
      }
      if (axes.empty() || (!out_.axes.empty() && axes != out_.axes)) return clear();
      out_.axes = axes;
      for (std::size_t n = 0; n < names.size(); ++n) {
        auto& indices = indices_.emplace_back();
        for (const std::string& f : formulas) {
          const auto formula = IndexFormula::read(f);
          const bool chooses = formula && formula->choices() == static_cast<int>(names.size());
          indices.emplace_back(f, chooses ? static_cast<int>(n) : -1);
        }
        out_.names.push_back(names[n]);
      }
    }
  }
  void clear() {
    out_ = {};
    indices_.clear();
  }

  std::string_view text_;
  SeparateRegisters out_;
  std::vector<std::vector<std::pair<std::string, int>>> indices_;  ///< [register][axis]: text, choice
  std::vector<Definition> definitions_;
};

}  // namespace

std::optional<SeparateRegisters> separate_registers(const std::vector<CommentLine>& lines, std::size_t i) {
  const std::string_view first = lines[i].text;
  const std::size_t sign = std::min({first.find('='), first.find(':'), first.find("->")});
  if (sign == std::string_view::npos || first.size() > longest_text) return std::nullopt;
  // A numbered name has to be near the beginning: most lines have none.
  bool numbered = false;
  for (std::size_t k = 1; k < first.size() && k < 60 && !numbered; ++k)
    numbered = is_digit(first[k]) && is_letter(first[k - 1]) && (k + 1 >= first.size() || !is_word(first[k + 1]));
  if (!numbered) return std::nullopt;
  std::string text(first);
  std::size_t end = i + 1;
  for (; end < lines.size() && end < i + most_lines && lines[end].group == lines[i].group &&
         lines[end].line == lines[end - 1].line + 1 && !lines[end].text.empty() &&
         text.size() + lines[end].text.size() < longest_text;
       ++end) {
    const bool goes_on = text.ends_with(',') || text.ends_with(';') || lines[end].text.starts_with("where") ||
                         lines[end].text.starts_with("with ");
    const std::size_t colon = lines[end].text.find(':');
    const bool group =
        colon != std::string_view::npos && colon < 24 && is_digit(lines[end].text[colon > 0 ? colon - 1 : 0]);
    if (!goes_on && !group) break;
    text += goes_on ? " " : "; ";
    if (lines[end].text.starts_with("where")) text += ", ";
    text += lines[end].text;
  }
  auto out = SeparateReader(text).run();
  if (!out) return std::nullopt;
  out->lines = end - i;
  const std::string words = lower(text.substr(0, std::min<std::size_t>(text.size(), 40)));
  out->output = words.find("output") != std::string::npos || words.find("result") != std::string::npos;
  return out;
}

}  // namespace lanescope::source
