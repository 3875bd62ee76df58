#include "kernels/source/notation/vocabulary.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/layout/claim_words.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_saying = 300;  ///< characters of a line that says what a name means
constexpr int most_bits = 32;

struct SayingToken {
  std::string_view text;  ///< a word, a number, or one other character
  std::size_t at = 0;
  bool word = false;
};

std::vector<SayingToken> saying_tokens(std::string_view s) {
  std::vector<SayingToken> out;
  for (std::size_t i = 0; i < s.size();) {
    if (is_blank(s[i])) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    const bool word = is_word(s[i]);
    while (word && end < s.size() && is_word(s[end])) ++end;
    out.push_back({s.substr(i, end - i), i, word});
    i = end;
  }
  return out;
}

std::uint64_t value_of(std::string_view s) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(s.data(), s.data() + s.size(), value);
  return problem == std::errc{} && end == s.data() + s.size() && !s.empty() ? value : ~std::uint64_t{0};
}
bool is_value(std::string_view s) { return value_of(s) < (std::uint64_t{1} << 40); }
bool names_something(const SayingToken& t) { return t.word && !is_digit(t.text.front()); }

class SayingReader {
 public:
  SayingReader(const std::vector<CommentLine>& lines, const Header& header) : lines_(lines) {
    for (const BufferSpec& b : header.buffers) {
      for (const Axis& a : b.axes) {
        layout::KnownAxis& known = out_.axes[a.name];
        known.extent = std::max(known.extent, a.extent);
        known.element_bits = known.element_bits == 0 ? b.element_bits : std::min(known.element_bits, b.element_bits);
        known.in_header = true;
      }
    }
    if (!header.launches.empty() && header.launches.front().places.block.line > 0)
      out_.block = header.launches.front().block;
    if (!header.launches.empty() && header.launches.front().places.grid.line > 0) {
      const auto& grid = header.launches.front().grid;
      out_.blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
    }
  }

  layout::Vocabulary run() {
    for (const CommentLine& l : lines_) {
      if (l.text.size() > longest_saying || l.text.size() < 4) continue;
      line_ = &l;
      tokens_ = saying_tokens(l.text);
      letters();
      marks();
      equation();
      split();
      alias();
      extents();
    }
    return std::move(out_);
  }

 private:
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is(std::size_t i, std::string_view what) const { return lower(text(i)) == what; }
  bool any(std::size_t i, std::initializer_list<std::string_view> words) const { return one_of(lower(text(i)), words); }
  bool in_header(std::string_view axis) const {
    const auto known = out_.axes.find(axis);
    return known != out_.axes.end() && known->second.in_header;
  }

  // --- letters ---

  /// "lane", "the warp index", "bit within the register", up to the end of the saying. nullopt: no row is meant.
  std::optional<layout::Place> meant_at(std::size_t i) const {
    while (any(i, {"the", "a", "an", "bit", "bits", "number", "index"}) && !within(i + 1)) {
      ++i;
      if (is(i, "of")) ++i;
    }
    if (within(i + 1)) {
      if (!any(i, {"bit", "bits", "byte", "bytes", "nibble", "nibbles", "part", "parts", "position", "element"}))
        return row_then_end(i);
      std::size_t k = i + 2;
      while (any(k, {"the", "a", "each", "one", "32", "-", "bit"})) ++k;
      return any(k, {"register", "registers", "word", "words"}) && ends(k + 1) ? std::optional(layout::Place::simd)
                                                                               : std::nullopt;
    }
    return row_then_end(i);
  }
  bool within(std::size_t i) const { return any(i, {"within", "in", "inside", "of"}); }
  bool ends(std::size_t i) const { return i >= tokens_.size() || any(i, {",", ";", ".", ")", "and", "|", "]"}); }
  std::optional<layout::Place> row_then_end(std::size_t i) const {
    const std::optional<layout::Place> place = layout::row_named(text(i));
    if (!place) return std::nullopt;
    ++i;
    while (any(i, {"index", "indices", "id", "number", "bits", "bit"})) ++i;
    if (within(i)) {
      ++i;
      while (any(i, {"the", "a", "each"})) ++i;
      if (!any(i, {"warp", "block", "grid", "cta", "thread"})) return std::nullopt;
      ++i;
    }
    return ends(i) ? place : std::nullopt;
  }

  void letters() {
    for (std::size_t i = 0; i + 2 < tokens_.size() + 1; ++i) {
      const SayingToken& t = tokens_[i];
      if (!names_something(t) || t.text.size() > 2 || is_english(t.text) || in_header(t.text)) continue;
      std::size_t k = i + 1;
      if (any(k, {"'", "`", "\"", ")"})) ++k;
      if (any(k, {"=", ":", "is", "are", "for", "denotes", "denote", "means", "marks"})) {
        ++k;
      } else if (any(k, {"stands", "stand"}) && is(k + 1, "for")) {
        k += 2;
      } else {
        continue;
      }
      if (const std::optional<layout::Place> place = meant_at(k))
        out_.letters.try_emplace(std::string(t.text), layout::SaidLetter{.place = *place, .line = line_->line});
    }
  }

  // --- marks ---

  void marks() {
    const std::string words = lower(line_->text);
    layout::MarkMeaning meaning{
        .spectator = words.find("spectator") != std::string::npos, .counts_to = 0, .line = line_->line};
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (any(i, {"counts", "count", "counting", "runs"}) && any(i + 1, {"to", "over"}) && is_value(text(i + 2)) &&
          value_of(text(i + 2)) <= 4096)
        meaning.counts_to = static_cast<int>(value_of(text(i + 2)));
      if (is_value(text(i)) && is(i + 1, "values") && value_of(text(i)) <= 4096)
        meaning.counts_to = static_cast<int>(value_of(text(i)));
    }
    if (!meaning.spectator && meaning.counts_to == 0) return;
    const auto say = [&](char mark) { out_.marks.try_emplace(mark, meaning); };
    for (const std::string_view word : {"starred", "star ", "asterisk"})
      if (words.find(word) != std::string::npos) say('*');
    if (words.find("primed") != std::string::npos || words.find("prime ") != std::string::npos) say('\'');
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != '*' && words[i] != '\'') continue;
      const char before = i > 0 ? words[i - 1] : ' ', after = i + 1 < words.size() ? words[i + 1] : ' ';
      const bool behind_bit = is_digit(before) && !is_word(after);
      const bool alone = words[i] == '*' && !is_word(before) && !is_word(after);
      if (behind_bit || alone) say(words[i]);
    }
  }

  // --- other names ---

  void rename(const std::string& other, const std::string& bit) {
    // The header's axes keep their names; where it has the new names only, the old ones are renamed.
    const bool known_new = in_header(layout::split_name(other).axis),
               known_old = in_header(layout::split_name(bit).axis);
    if (known_new && known_old) return;
    if (known_new) {
      out_.renamed.try_emplace(bit, layout::Renamed{.bits = layout::sum_of({other}), .from_line = line_->line});
    } else {
      out_.renamed.try_emplace(other, layout::Renamed{.bits = layout::sum_of({bit}), .from_line = line_->line});
    }
  }

  struct AxisPart {
    std::string name;
    int lowest = 0;  ///< its bit 0 is this bit of the whole
  };

  /// `parts`: the highest first.
  void rename_parts(const std::string& whole, const std::vector<AxisPart>& parts) {
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const int end = n == 0 ? most_bits : parts[n - 1].lowest;
      for (int bit = parts[n].lowest; bit < end; ++bit) {
        rename(fmt::format("{}{}", parts[n].name, bit - parts[n].lowest), fmt::format("{}{}", whole, bit));
        // Its bit 0 may be written without a number.
        if (bit == parts[n].lowest) rename(parts[n].name, fmt::format("{}{}", whole, bit));
      }
    }
  }

  /// "write e = 2*eo + ei".
  void equation() {
    std::size_t is_at = 0;
    while (is_at < tokens_.size() && text(is_at) != "=") ++is_at;
    if (is_at == 0 || is_at + 3 >= tokens_.size() || !names_something(tokens_[is_at - 1])) return;
    bool announced = false;
    for (std::size_t i = 0; i + 1 < is_at; ++i)
      announced = announced || any(i, {"write", "writing", "let", "split", "splits", "with", "where"});
    const std::string whole(text(is_at - 1));
    std::vector<std::pair<std::uint64_t, std::string>> terms;
    std::size_t i = is_at + 1;
    for (;; ++i) {
      std::uint64_t factor = 1;
      if (is_value(text(i)) && text(i + 1) == "*") {
        factor = value_of(text(i));
        i += 2;
      }
      if (i >= tokens_.size() || !names_something(tokens_[i]) || !std::has_single_bit(factor)) return;
      std::string name(text(i));
      if (factor == 1 && text(i + 1) == "*" && is_value(text(i + 2))) {
        factor = value_of(text(i + 2));
        if (!std::has_single_bit(factor)) return;
        i += 2;
      }
      terms.emplace_back(factor, std::move(name));
      if (text(i + 1) != "+") break;
      ++i;
    }
    if (!ends(i + 1) || terms.size() < 2 || terms.size() > 8) return;
    const bool named =
        in_header(whole) || std::ranges::all_of(terms, [&](const auto& t) { return in_header(t.second); });
    if (!announced && !named) return;
    std::ranges::sort(terms, std::greater<>());
    std::vector<AxisPart> parts;
    std::set<std::string> names{whole};
    for (const auto& [factor, name] : terms) {
      if (!names.insert(name).second) return;
      parts.push_back({name, std::countr_zero(factor)});
      if (parts.size() > 1 && parts[parts.size() - 2].lowest == parts.back().lowest) return;
    }
    if (parts.back().lowest == 0) rename_parts(whole, parts);
  }

  /// The bits of an axis by its extent, else by the bits that comments name.
  int width_of(const std::string& axis) const {
    if (const auto known = out_.axes.find(axis); known != out_.axes.end() && known->second.extent > 0)
      return std::bit_width(known->second.extent - 1);
    int most = 0;
    for (const CommentLine& l : lines_) {
      for (std::size_t at = l.text.find(axis); at != std::string_view::npos; at = l.text.find(axis, at + 1)) {
        if (at > 0 && is_word(l.text[at - 1])) continue;
        std::size_t end = at + axis.size();
        while (end < l.text.size() && is_digit(l.text[end])) ++end;
        const std::uint64_t bit = value_of(l.text.substr(at + axis.size(), end - at - axis.size()));
        if (bit < most_bits && (end == l.text.size() || !is_word(l.text[end])))
          most = std::max(most, static_cast<int>(bit) + 1);
      }
    }
    return std::max(most, 1);
  }

  /// "from here e splits into eo ei".
  void split() {
    for (std::size_t i = 1; i + 3 < tokens_.size(); ++i) {
      std::string whole;
      std::size_t k = 0;
      if (any(i, {"splits", "split"}) && is(i + 1, "into") && names_something(tokens_[i - 1])) {
        whole = is(i - 1, "is") && i > 1 ? text(i - 2) : text(i - 1);
        k = i + 2;
      } else if (any(i - 1, {"split", "splitting"}) && names_something(tokens_[i]) && is(i + 1, "into")) {
        whole = text(i);
        k = i + 2;
      } else {
        continue;
      }
      if (whole.size() > 8 || is_english(whole)) continue;
      std::vector<std::string> names;
      for (; k < tokens_.size() && names.size() < 8; ++k) {
        if (any(k, {",", "and", "(", ")"})) continue;
        if (!names_something(tokens_[k]) || tokens_[k].text.size() > 8 || is_english(tokens_[k].text)) break;
        names.emplace_back(text(k));
      }
      const bool whole_ends = k >= tokens_.size() || any(k, {".", ":", ";"});
      if (names.size() < 2 || !whole_ends) continue;
      std::vector<AxisPart> parts(names.size());
      int lowest = 0;
      for (std::size_t n = names.size(); n-- > 0;) {
        parts[n] = {names[n], lowest};
        lowest += width_of(names[n]);
      }
      if (lowest <= most_bits) rename_parts(whole, parts);
    }
  }

  /// "call j4..j2 m2..m0", "j4..j2 are called m2..m0".
  void alias() {
    const std::string words = lower(line_->text);
    for (const std::string_view verb : {"call ", "are called ", "is called ", "rename "}) {
      const std::size_t at = words.find(verb);
      if (at == std::string::npos || (at > 0 && is_word(words[at - 1]))) continue;
      const bool between = verb.starts_with("are") || verb.starts_with("is");
      std::string_view list = line_->text.substr(between ? 0 : at + verb.size());
      std::string made(list.substr(0, list.find_first_of(";:")));
      if (const std::size_t stop = made.find(". "); stop != std::string::npos) made.resize(stop);
      while (made.ends_with('.')) made.pop_back();
      for (const std::string_view word : {" are called ", " is called ", " to ", " as ", " and "})
        if (const std::size_t w = made.find(word); w != std::string::npos) made.replace(w, word.size(), ", ");
      const layout::Side side = layout::side_items(made, 0);
      const std::size_t n = side.items.size() / 2;
      if (!side.problem.empty() || n == 0 || side.items.size() % 2 != 0) continue;
      const bool bits = std::ranges::all_of(side.items, [](const layout::SideItem& i) {
        return is_digit(i.text.back()) && is_letter(i.text.front()) && std::ranges::all_of(i.text, is_word);
      });
      if (!bits) continue;
      for (std::size_t i = 0; i < n; ++i) rename(side.items[n + i].text, side.items[i].text);
      return;
    }
  }

  // --- extents ---

  void extent(std::string_view axis, std::uint64_t extent, std::size_t at) {
    if (extent < 2 || extent > (std::uint64_t{1} << most_bits) || is_english(axis) || axis.size() > 12) return;
    if (in_header(axis)) return;
    layout::KnownAxis& known = out_.axes[std::string(axis)];
    if (known.extent != 0) return;
    known = {.extent = extent,
             .element_bits = 0,
             .line = line_->line,
             .column = line_->column + static_cast<int>(at),
             .in_header = false};
  }

  void extents() {
    const std::string words = lower(line_->text);
    const bool lists = words.find("assig") != std::string::npos || words.find("axes") != std::string::npos ||
                       words.find("axis") != std::string::npos || words.find("extent") != std::string::npos;
    int depth = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const SayingToken& t = tokens_[i];
      if (t.text == "(") ++depth;
      if (t.text == ")" && depth > 0) --depth;
      if (!names_something(t)) continue;
      if (text(i + 1) == ":" && is_value(text(i + 2)) && tokens_[i + 2].at == t.at + t.text.size() + 1 &&
          (lists || depth > 0)) {
        extent(t.text, value_of(text(i + 2)), t.at);
      } else if ((is(i + 1, "in") || text(i + 1) == "=") && is_value(text(i + 2)) && text(i + 3) == "." &&
                 text(i + 4) == ".") {
        std::size_t k = i + 5;
        if (text(k) == ".") ++k;
        if (value_of(text(i + 2)) == 0 && is_value(text(k))) extent(t.text, value_of(text(k)) + 1, t.at);
      } else if (is(i + 1, "in") && any(i + 2, {"[", "{"}) && text(i + 3) == "0" && text(i + 4) == ",") {
        std::size_t k = i + 5;
        std::uint64_t last = ~std::uint64_t{0};
        for (; k < tokens_.size() && (is_value(text(k)) || any(k, {",", "."})); ++k)
          if (is_value(text(k))) last = value_of(text(k));
        if (last < (std::uint64_t{1} << most_bits) && any(k, {")", "}", "]"}))
          extent(t.text, text(k) == ")" ? last : last + 1, t.at);
      } else if (i >= 3 && text(i - 1) == "=" && text(i - 2) == "<" && text(i - 3) == "0" && text(i + 1) == "<" &&
                 is_value(text(i + 2))) {
        extent(t.text, value_of(text(i + 2)), t.at);
      }
    }
  }

  const std::vector<CommentLine>& lines_;
  const CommentLine* line_ = nullptr;
  std::vector<SayingToken> tokens_;
  layout::Vocabulary out_;
};

}  // namespace

layout::Vocabulary read_vocabulary(const std::vector<CommentLine>& lines, const Header& header) {
  return SayingReader(lines, header).run();
}

}  // namespace lanescope::source
