#include "kernels/source/notation/comment_readers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/layout/claim_line.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_saying = 300;  ///< characters of a line that says what a name means
constexpr int most_bits = 32;

std::uint64_t value_of(std::string_view s) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(s.data(), s.data() + s.size(), value);
  return problem == std::errc{} && end == s.data() + s.size() && !s.empty() ? value : ~std::uint64_t{0};
}

class SayingReader {
 public:
  SayingReader(const std::vector<CommentLine>& lines, const Header& header) : lines_(lines) {
    for (const BufferSpec& b : header.buffers)
      for (const Axis& a : b.axes) {
        layout::KnownAxis& known = out_.axes[a.name];
        known.extent = std::max(known.extent, a.extent);
        known.element_bits = known.element_bits == 0 ? b.element_bits : std::min(known.element_bits, b.element_bits);
        known.in_header = true;
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
      words_ = words_of(l.text);
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
  bool in_header(std::string_view axis) const {
    const auto known = out_.axes.find(axis);
    return known != out_.axes.end() && known->second.in_header;
  }

  /// "l = lane", "b: bit within the register".
  void letters() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto m = words_[i].text.size() > 2 ? std::nullopt : table_.at("letter", words_, i);
      if (!m || is_english(words_[i].text) || in_header(words_[i].text)) continue;
      const auto place =
          m->has("PART") ? std::optional(layout::Place::simd) : layout::row_named(m->text("ROW", words_));
      if (place)
        out_.letters.try_emplace(std::string(words_[i].text), layout::SaidLetter{.place = *place, .line = line_->line});
    }
  }

  // --- marks ---

  void marks() {
    const std::string words = lower(line_->text);
    layout::MarkMeaning meaning{
        .spectator = words.find("spectator") != std::string::npos, .counts_to = 0, .line = line_->line};
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (const auto m = table_.at("counts", words_, i))
        if (const std::uint64_t count = value_of(m->text("COUNT", words_)); count <= 4096)
          meaning.counts_to = static_cast<int>(count);
    if (!meaning.spectator && meaning.counts_to == 0) return;
    const auto say = [&](char mark) { out_.marks.try_emplace(mark, meaning); };
    for (const std::string_view word : {"starred", "star ", "asterisk"})
      if (words.find(word) != std::string::npos) say('*');
    if (words.find("primed") != std::string::npos || words.find("prime ") != std::string::npos) say('\'');
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != '*' && words[i] != '\'') continue;
      const char before = i > 0 ? words[i - 1] : ' ', after = i + 1 < words.size() ? words[i + 1] : ' ';
      const bool after_bit = is_digit(before) && !is_word(after);
      const bool alone = words[i] == '*' && !is_word(before) && !is_word(after);
      if (after_bit || alone) say(words[i]);
    }
  }

  // --- other names ---

  void rename(const std::string& other, const std::string& bit) {
    // The header's axes keep their names; where it has the new names only, the old ones are renamed.
    const bool known_new = in_header(layout::split_name(other).axis),
               known_old = in_header(layout::split_name(bit).axis);
    if (known_new && known_old) return;
    if (known_new)
      out_.renamed.try_emplace(bit, layout::Renamed{.bits = layout::sum_of({other}), .from_line = line_->line});
    else
      out_.renamed.try_emplace(other, layout::Renamed{.bits = layout::sum_of({bit}), .from_line = line_->line});
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
    const auto is_at = static_cast<std::size_t>(std::ranges::find(words_, "=", &Word::text) - words_.begin());
    const auto m = is_at == 0 ? std::nullopt : table_.at("equation", words_, is_at - 1);
    if (!m) return;
    bool announced = false;
    for (std::size_t i = 0; i + 1 < is_at; ++i) announced = announced || table_.is("announces", words_, i);
    const std::string whole(m->text("WHOLE", words_));
    std::vector<std::pair<std::uint64_t, std::string>> terms;
    for (const Phrases::Tag& t : m->tags) {
      if (t.name != "TERM") continue;
      auto& [factor, name] = terms.emplace_back(1, "");
      for (std::size_t i = t.first; i < t.end; i += 2)
        if (is_digit(words_[i].text.front()))
          factor = value_of(words_[i].text);
        else
          name = words_[i].text;
      if (!std::has_single_bit(factor) || factor > (std::uint64_t{1} << 40)) return;
    }
    if (terms.size() > 8) return;
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
    for (const CommentLine& l : lines_)
      for (std::size_t at = l.text.find(axis); at != std::string_view::npos; at = l.text.find(axis, at + 1)) {
        if (at > 0 && is_word(l.text[at - 1])) continue;
        std::size_t end = at + axis.size();
        while (end < l.text.size() && is_digit(l.text[end])) ++end;
        const std::uint64_t bit = value_of(l.text.substr(at + axis.size(), end - at - axis.size()));
        if (bit < most_bits && (end == l.text.size() || !is_word(l.text[end])))
          most = std::max(most, static_cast<int>(bit) + 1);
      }
    return std::max(most, 1);
  }

  /// "from here e splits into eo ei".
  void split() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto m = table_.at("split", words_, i);
      if (!m) continue;
      const std::string whole(m->text("WHOLE", words_));
      std::vector<std::string> names;
      for (const Phrases::Tag& t : m->tags)
        if (t.name == "PART") names.emplace_back(words_[t.first].text);
      const auto no_axis = [](const std::string& name) { return name.size() > 8 || is_english(name); };
      if (no_axis(whole) || names.size() < 2 || names.size() > 8 || std::ranges::any_of(names, no_axis)) continue;
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
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].text == "(") ++depth;
      if (words_[i].text == ")" && depth > 0) --depth;
      for (const std::string_view form : {"axis_count", "axis_range", "axis_set", "axis_bound"}) {
        const auto m = table_.at(form, words_, i);
        if (!m || (form == "axis_count" && depth == 0 && !lists)) continue;
        const Word& name = words_[m->find("NAME")->first];
        if (form == "axis_count" && words_[i + 2].at != name.end() + 1) continue;
        const std::string_view count = m->text("COUNT", words_);
        std::uint64_t last = value_of(count);
        for (const Phrases::Tag& t : m->tags)
          if (t.name == "LAST") last = value_of(words_[t.first].text);
        if (last < (std::uint64_t{1} << 40))
          extent(name.text, count.empty() && !m->has("COUNTED") ? last + 1 : last, name.at);
        break;
      }
    }
  }

  const std::vector<CommentLine>& lines_;
  const CommentLine* line_ = nullptr;
  const Phrases& table_ = comment_phrases();
  Words words_;  ///< of the line
  layout::Vocabulary out_;
};

}  // namespace

layout::Vocabulary read_vocabulary(const std::vector<CommentLine>& lines, const Header& header) {
  return SayingReader(lines, header).run();
}

}  // namespace lanescope::source
