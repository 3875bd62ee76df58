#include "kernels/layout/claim_line.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::layout {
namespace {

// --- parts of a line: its arrow, its remarks, the head of a row ---

struct FoundArrow {
  std::size_t at = std::string_view::npos, length = 0;
  explicit operator bool() const { return at != std::string_view::npos; }
  std::size_t end() const { return at + length; }
};

/// `<->`, `<-->`, `<=>`, and the double-headed arrows of Unicode.
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

/// A part of the line and where it begins.
struct LinePart {
  std::string_view text;
  std::size_t at = 0;
};

LinePart trimmed_part(std::string_view text, std::size_t at) {
  const std::string_view inner = trim(text, at);
  return {inner, at};
}

/// Without remarks: "(...)" at its end, what follows `//` or ` -- `, the word "unchanged"; and without a list's bullet.
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

/// The head of a row: "register", "register (r1 r0)", "warp bits w1 w0".
struct RowHead {
  std::optional<Place> place;
  LinePart bits;  ///< physical bits in it
};

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

// --- the line ---

using Kind = LineReading::Kind;

class LineReader {
 public:
  explicit LineReader(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  LineReading run(std::string_view line) {
    const LinePart whole = without_remarks(line);
    remark_ = whole.text.size() < trimmed(line).size();
    bool first = true;
    for (const LinePart& part : parts(whole)) {
      if (part.text.empty()) continue;
      const std::size_t bits = out_.bits.size(), singles = out_.single.size(), problems = out_.problems.size();
      const Kind kind = row(part);
      if (kind == Kind::none && first) return {};
      if (kind == Kind::none) {
        out_.bits.resize(bits), out_.single.resize(singles), out_.problems.resize(problems);
        problem(part.at, fmt::format("`{}` is not a row", part.text), "write remarks in parentheses");
      }
      if (kind == Kind::weak && first) out_.kind = Kind::weak;
      if (kind == Kind::rows) out_.kind = Kind::rows;
      first = false;
    }
    if (first) return {};
    if (!out_.problems.empty()) out_.kind = Kind::broken;
    return std::move(out_);
  }

 private:
  void problem(std::size_t at, std::string message, std::string remedy = {}) {
    out_.problems.push_back({.file = {},
                             .line = 1,
                             .column = static_cast<int>(at) + 1,
                             .message = std::move(message),
                             .remedy = std::move(remedy),
                             .code = DiagnosticCode::notation});
  }

  /// Between semicolons, and before further row names: "simd: k0  register: j1 j0".
  std::vector<LinePart> parts(const LinePart& whole) const {
    std::vector<LinePart> out;
    const std::string_view s = whole.text;
    std::size_t start = 0;
    int depth = 0;
    const auto cut = [&](std::size_t end, std::size_t next) {
      std::string_view text = s.substr(start, end - start);
      std::size_t at = whole.at + start;
      text = trim(text, at);
      while (text.ends_with(',') || text.ends_with('|')) text = trimmed(text.substr(0, text.size() - 1));
      out.push_back({text, at});
      start = next;
    };
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] == '(') ++depth;
      if (s[i] == ')' && depth > 0) --depth;
      if (s[i] == ';' && depth == 0) {
        cut(i, i + 1);
      } else if (depth == 0 && i > start && is_letter(s[i]) && !is_word(s[i - 1]) && row_begins(s.substr(i))) {
        if (!trimmed(s.substr(start, i - start)).empty()) cut(i, i);
      }
    }
    cut(s.size(), s.size());
    return out;
  }

  /// "warp:", "register (r1 r0):".
  bool row_begins(std::string_view s) const {
    std::size_t end = 0;
    while (end < s.size() && is_word(s[end])) ++end;
    if (!row_named(s.substr(0, end))) return false;
    while (end < s.size() && is_blank(s[end])) ++end;
    if (end < s.size() && s[end] == '(') {
      end = std::min(s.find(')', end), s.size() - 1) + 1;
      while (end < s.size() && is_blank(s[end])) ++end;
    }
    return end < s.size() && s[end] == ':' && !s.substr(end).starts_with("::");
  }

  /// The first colon that is in no bracket.
  static std::size_t plain_colon(std::string_view s) {
    int depth = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] == '(' || s[i] == '[') ++depth;
      if ((s[i] == ')' || s[i] == ']') && depth > 0) --depth;
      if (s[i] == ':' && depth == 0) return i;
    }
    return std::string_view::npos;
  }

  Kind row(const LinePart& part) {
    const FoundArrow arrow = next_arrow(part.text, 0);
    const std::size_t colon = plain_colon(part.text);
    if (colon != std::string_view::npos && (!arrow || colon < arrow.at)) {
      const RowHead head = read_head(part.text.substr(0, colon), part.at, vocabulary_);
      if (head.place) return named_row(part, head, colon, arrow);
      return Kind::none;
    }
    if (!arrow) return Kind::none;
    if (const RowHead head = read_head(part.text.substr(0, arrow.at), part.at, vocabulary_);
        head.place && !head.bits.text.empty() && !next_arrow(part.text, arrow.end()))
      return pair(head.bits, trimmed_part(part.text.substr(arrow.end()), part.at + arrow.end()), head.place);
    return chain(part);
  }

  Kind named_row(const LinePart& part, const RowHead& head, std::size_t colon, const FoundArrow& arrow) {
    if (arrow) {
      const LinePart left = trimmed_part(part.text.substr(colon + 1, arrow.at - colon - 1), part.at + colon + 1);
      const LinePart right = trimmed_part(part.text.substr(arrow.end()), part.at + arrow.end());
      if (next_arrow(right.text, 0)) return Kind::none;
      return pair(left.text.empty() ? head.bits : left, right, head.place);
    }
    const LinePart right = trimmed_part(part.text.substr(colon + 1), part.at + colon + 1);
    if (!head.bits.text.empty()) return pair(head.bits, right, head.place);
    return bare_row(part, right, *head.place);
  }

  /// "register: j3 j2". Whether that is notation or prose is the parser's rule.
  Kind bare_row(const LinePart& part, const LinePart& right, Place place) {
    if (right.text.empty() && remark_) return Kind::weak;  // "thread: (unchanged)" says nothing by itself
    const Side side = side_items(right.text == "-" ? std::string_view() : right.text, right.at);
    if (!side.problem.empty() && next_plain(part.text)) return Kind::none;
    std::vector<SideItem> items, written = side.items;
    bool spread = false;
    in_order(written);
    for (const SideItem& i : written) {
      const std::vector<SideItem> axis = whole_axis(i);
      spread = spread || axis.size() > 1;
      items.insert(items.end(), axis.begin(), axis.end());
    }
    std::string canonical = fmt::format("{}:", row_name(place));
    for (const SideItem& i : items) canonical += " " + i.text;
    if (right.text == "-") canonical += " -";
    const bool plain = !side.ranged && !spread && !vocabulary_.least_first && row_called(first_word(part.text));
    const auto read = parse_row(plain ? part.text : std::string_view(canonical));
    if (!read) return Kind::none;
    if (!side.problem.empty()) {
      problem(side.problem_at, side.problem);
      return Kind::rows;
    }
    if (!*read) {
      for (Diagnostic d : read->error()) {
        d.column = plain ? d.column + static_cast<int>(part.at) : static_cast<int>(right.at) + 1;
        out_.problems.push_back(std::move(d));
      }
      return Kind::rows;
    }
    const std::vector<Term>& terms = (*read)->second;
    if (terms.empty()) out_.single.emplace_back(place, part.at);
    if (terms.size() != items.size()) {
      if (!terms.empty()) problem(right.at, "its bits cannot be distinguished");
      return Kind::rows;
    }
    if (spread) say_spread(side);
    for (std::size_t i = 0; i < terms.size(); ++i)
      out_.bits.push_back({.bit = {place, static_cast<int>(terms.size() - 1 - i)},
                           .term = terms[terms.size() - 1 - i],
                           .logical_at = items[i].at,
                           .mark = items[i].mark,
                           .written = std::string(row_name(place))});
    return Kind::rows;
  }

  /// The bits of a row that are written without their physical bits, the most significant first.
  void in_order(std::vector<SideItem>& bits) {
    if (!vocabulary_.least_first || bits.size() < 2) return;
    std::ranges::reverse(bits);
    if (out_.assumed.empty()) out_.assumed.emplace_back("the least significant bit is first, as below a list `[..]:`");
  }

  static std::string_view first_word(std::string_view s) {
    std::size_t end = 0;
    while (end < s.size() && is_word(s[end])) ++end;
    return s.substr(0, end);
  }

  /// Words of letters only, three or more of them: prose.
  static bool next_plain(std::string_view s) {
    int words = 0;
    for (std::size_t i = 0; i < s.size();) {
      const std::string_view word = first_word(s.substr(i));
      if (word.size() > 2 && std::ranges::all_of(word, is_letter)) ++words;
      i += std::max<std::size_t>(word.size(), 1);
    }
    return words > 2;
  }

  /// "b1 b0 <-> k1 k0     r <-> i": what is between two arrows is divided.
  Kind chain(const LinePart& part) {
    std::vector<LinePart> chunks;
    std::size_t from = 0;
    for (FoundArrow a = next_arrow(part.text, 0); a; a = next_arrow(part.text, from)) {
      chunks.push_back(trimmed_part(part.text.substr(from, a.at - from), part.at + from));
      from = a.end();
    }
    chunks.push_back(trimmed_part(part.text.substr(from), part.at + from));
    if (chunks.size() == 2) return pair(chunks[0], chunks[1], std::nullopt);
    Side left = side_items(chunks[0].text, chunks[0].at);
    Kind kind = Kind::none;
    for (std::size_t n = 1; n < chunks.size(); ++n) {
      Side right = side_items(chunks[n].text, chunks[n].at);
      if (!left.problem.empty() || !right.problem.empty() || left.items.empty())
        return n == 1 ? Kind::none : unread(part);
      Side rest;
      if (n + 1 < chunks.size()) {
        const std::size_t take = taken(left, right);
        if (take == 0 || take >= right.items.size()) return n == 1 ? Kind::none : unread(part);
        rest.items.assign(right.items.begin() + static_cast<std::ptrdiff_t>(take), right.items.end());
        right.items.resize(take);
      }
      const Kind one = sides(left, right, std::nullopt, chunks[n].at);
      if (one == Kind::none) return n == 1 ? Kind::none : unread(part);
      if (n == 1 || one == Kind::rows) kind = one;
      left = std::move(rest);
    }
    return kind;
  }

  Kind unread(const LinePart& part) {
    problem(part.at, fmt::format("`{}` cannot be divided into assignments", part.text),
            "write one assignment on each line");
    return Kind::rows;
  }

  bool all_physical(const std::vector<SideItem>& items, std::optional<Place> row = {}) const {
    return !items.empty() && std::ranges::all_of(items, [&](const SideItem& i) {
      return physical(i.text, vocabulary_, row).has_value();
    });
  }
  bool whole_row(const std::vector<SideItem>& items, std::optional<Place> row = {}) const {
    if (items.size() != 1) return false;
    const auto bit = physical(items[0].text, vocabulary_, row);
    return bit && bit->index < 0 && bit->dimension < 0;
  }

  /// How many items of `middle` belong to the assignment that `left` begins.
  std::size_t taken(const Side& left, const Side& middle) const {
    const std::vector<SideItem>& items = middle.items;
    const bool forward = all_physical(left.items);
    if (forward && !whole_row(left.items)) {
      // An axis in whole stands for as many bits as it has.
      std::size_t bits = 0;
      for (std::size_t k = 0; k < items.size(); ++k) {
        if (bits + (items.size() - k) <= left.items.size()) break;
        if (bits == left.items.size()) return k;
        const std::size_t axis = whole_axis(items[k]).size();
        bits += bits + axis <= left.items.size() ? axis : 1;
      }
      return bits == left.items.size() ? items.size() : left.items.size();
    }
    if (!forward && !items.empty()) {
      const auto first = physical(items[0].text, vocabulary_, {});
      return first && first->index < 0 && first->dimension < 0 ? 1 : left.items.size();
    }
    for (std::size_t k = 1; k < items.size(); ++k)
      if (items[k].bar || items[k].gap >= 2) return k;
    std::size_t commas = 0, at_comma = 0;
    for (std::size_t k = 1; k < items.size(); ++k)
      if (items[k].comma) ++commas, at_comma = k;
    if (commas == 1) return at_comma;
    for (std::size_t k = 1; k < items.size(); ++k)
      if (physical(items[k].text, vocabulary_, {}).has_value() == forward) return k;
    return 1;
  }

  Kind pair(const LinePart& left, const LinePart& right, std::optional<Place> row) {
    const Side a = side_items(left.text, left.at);
    const Side b = side_items(right.text, right.at);
    for (const Side* side : {&a, &b}) {
      if (side->problem.empty()) continue;
      const Side& other = side == &a ? b : a;
      if (!row && !all_physical(other.items) && !all_physical(side->items)) return Kind::none;
      problem(side->problem_at, side->problem);
      return Kind::rows;
    }
    return sides(a, b, row, right.at);
  }

  bool known(const std::vector<SideItem>& items) const {
    return std::ranges::all_of(items, [&](const SideItem& i) {
      return vocabulary_.axes.contains(split_name(i.text).axis) || vocabulary_.axes.contains(i.text);
    });
  }

  Kind sides(const Side& a, const Side& b, std::optional<Place> row, std::size_t right_at) {
    const bool forward = all_physical(a.items, row), back = all_physical(b.items, row);
    if (!row) {
      if (!forward && !back) return Kind::none;
      if (forward && back) {
        if (whole_row(a.items) && whole_row(b.items)) return Kind::none;  // "r <-> s"
        const bool right_known = known(b.items), left_known = known(a.items);
        if (left_known && !right_known) return assign(b, a, row, right_at, true);
        const Kind kind = assign(a, b, row, right_at, false);
        // "exchange s0 <-> r0": both sides are bits of the hardware unless an axis has that name.
        return kind == Kind::rows && !right_known ? Kind::weak : kind;
      }
      return forward ? assign(a, b, row, right_at, false) : assign(b, a, row, right_at, true);
    }
    if (!forward && back && whole_or_numbered(b.items, *row)) return assign(b, a, row, right_at, true);
    return assign(a, b, row, right_at, false);
  }

  bool whole_or_numbered(const std::vector<SideItem>& items, Place row) const {
    return std::ranges::all_of(items, [&](const SideItem& i) {
      const auto bit = physical(i.text, vocabulary_, row);
      return bit && bit->index >= 0;
    });
  }

  /// Every bit of an axis whose extent is known and more than 2, when only its name is written.
  std::vector<SideItem> whole_axis(const SideItem& item) const {
    const auto axis = vocabulary_.axes.find(item.text);
    if (axis == vocabulary_.axes.end() || axis->second.extent <= 2) return {item};
    return bits_of(item, std::bit_width(axis->second.extent - 1));
  }
  static std::vector<SideItem> bits_of(const SideItem& item, int bits) {
    std::vector<SideItem> out;
    for (int i = bits - 1; i >= 0; --i) {
      SideItem one = item;
      one.text = fmt::format("{}{}", item.text, i);
      out.push_back(std::move(one));
    }
    return out;
  }
  void say_spread(const Side& side) {
    for (const SideItem& i : side.items) {
      const std::vector<SideItem> axis = whole_axis(i);
      if (axis.size() > 1)
        out_.assumed.push_back(fmt::format("`{}` is read as {} to {}, all bits of that axis", i.text, axis.front().text,
                                           axis.back().text));
    }
  }

  Kind assign(const Side& physical_side, const Side& logical_side, std::optional<Place> row, std::size_t right_at,
              bool reversed) {
    const std::vector<SideItem>& left = physical_side.items;
    const bool whole = whole_row(left, row);
    std::vector<SideItem> right = logical_side.items;
    if (right.empty()) return Kind::none;
    if (whole) in_order(right);
    if (left.empty()) {
      problem(right_at,
              fmt::format("{} row: there are no physical bits beside the arrow", row ? row_name(*row) : "this"),
              "write one for each logical bit");
      return Kind::rows;
    }
    std::vector<SideItem> wide;
    for (const SideItem& i : right) {
      const std::vector<SideItem> axis = whole_axis(i);
      wide.insert(wide.end(), axis.begin(), axis.end());
    }
    if (!looks_logical(right, whole, reversed || !row)) return Kind::none;
    if (wide.size() != right.size() && (whole || right.size() != left.size())) {
      right = std::move(wide);
      say_spread(logical_side);
    }
    std::vector<Physical> bits;
    for (const SideItem& i : left) {
      const auto bit = physical(i.text, vocabulary_, row);
      if (!bit || (bit->index < 0 && bit->dimension < 0 && !whole)) {
        problem(i.at, fmt::format("{} row: `{}` is not a bit of this row", row ? row_name(*row) : "this", i.text),
                row ? fmt::format("name its bits {0}0, {0}1, ...", row_letter(*row)) : std::string());
        return Kind::rows;
      }
      bits.push_back(*bit);
    }
    if (whole) {
      const Physical one = bits[0];
      if (one.place == Place::thread && right.size() == 1 && std::ranges::all_of(right[0].text, is_letter) &&
          !vocabulary_.axes.contains(right[0].text)) {
        out_.assumed.push_back(
            fmt::format("`{0}` is read as {0}4 to {0}0, a bit for each of the lane's", right[0].text));
        right = bits_of(SideItem(right[0]), 5);
      }
      bits.clear();
      for (std::size_t i = right.size(); i > 0; --i) {
        bits.push_back(one);
        bits.back().index = static_cast<int>(i) - 1;
      }
    }
    if (bits.size() != right.size()) {
      if (!row && prose_among(right)) return Kind::none;
      problem(reversed ? right_at : left.front().at,
              fmt::format("{} row: {} physical bits, {} logical bits", row_name(bits.front().place), bits.size(),
                          right.size()),
              "write one for each");
      return Kind::rows;
    }
    std::string joined;
    for (const SideItem& i : right) joined += i.text + ", ";
    const std::vector<Word> words = read_words(joined, 0);
    if (words.size() != right.size()) return Kind::none;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!words[i].term) {
        const std::size_t inside = words[i].bad_offset - words[i].offset;
        problem(right[i].at + (right[i].written ? inside : 0),
                fmt::format("{} row: {}", row_name(bits[i].place), words[i].problem), words[i].remedy);
        continue;
      }
      const SideItem& from = whole ? left[0] : left[i];
      LineBit bit{.bit = {bits[i].place, std::max(bits[i].index, 0)},
                  .term = *words[i].term,
                  .physical_at = from.at,
                  .logical_at = right[i].at,
                  .bare_b = bits[i].bare_b,
                  .dimension = bits[i].dimension,
                  .mark = from.mark != '\0' ? from.mark : right[i].mark,
                  .written = from.text};
      if (from.mark != '\0') bit.written += from.mark;
      out_.bits.push_back(std::move(bit));
    }
    const bool letter = std::ranges::any_of(bits, [](const Physical& p) { return p.letter; });
    return whole && !row && letter ? Kind::weak : Kind::rows;
  }

  bool prose_among(const std::vector<SideItem>& items) const {
    return std::ranges::any_of(items, [&](const SideItem& i) {
      return i.text.size() > 2 && std::ranges::all_of(i.text, is_letter) && !vocabulary_.axes.contains(i.text);
    });
  }

  /// Whether the words of a side can be logical bits. Where the other side is one letter, or the sides are exchanged, or
  /// no row's name stands before them, plain English must not pass.
  bool looks_logical(const std::vector<SideItem>& items, bool whole, bool unnamed) const {
    if (!unnamed && !whole) return true;
    std::string joined;
    for (const SideItem& i : items) joined += i.text + ", ";
    std::size_t notation = 0;
    for (const Word& w : read_words(joined, 0)) {
      const bool axis = vocabulary_.axes.contains(w.text);
      if (w.look == Word::Look::english && !axis) return false;
      if (w.look == Word::Look::prose && w.term && !axis && whole) return false;
      notation += w.look == Word::Look::notation || axis ? 1 : 0;
    }
    return whole || notation > 0 || items.size() <= 2;
  }

  const Vocabulary& vocabulary_;
  LineReading out_;
  bool remark_ = false;
};

}  // namespace

LineReading read_line(std::string_view line, const Vocabulary& vocabulary) {
  if (line.size() > longest_line) return {};
  return LineReader(vocabulary).run(line);
}

}  // namespace lanescope::layout
