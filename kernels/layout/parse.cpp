#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/layout/assignment.h"
#include "kernels/layout/claim_line.h"

namespace lanescope::layout {
namespace {

using Row = std::pair<Place, std::vector<Term>>;

/// Whether the text is known to be an assignment, or a comment line that may be plain English.
enum class Strictness { known_notation, found_in_comment };

struct Alias {
  std::string_view name;
  Place place;
};
constexpr Alias aliases[] = {{"simd", Place::simd},      {"register", Place::reg}, {"registers", Place::reg},
                             {"reg", Place::reg},        {"regs", Place::reg},     {"thread", Place::thread},
                             {"threads", Place::thread}, {"lane", Place::thread},  {"lanes", Place::thread},
                             {"warp", Place::warp},      {"warps", Place::warp},   {"block", Place::block},
                             {"blocks", Place::block},   {"simds", Place::simd}};

/// A line without its comment markers, closing `*/`, and remarks. Offsets are into the line.
struct Stripped {
  std::string_view text;
  std::size_t offset = 0;
  bool comment = false;  ///< it had a marker
  bool remark = false;   ///< it had a "(...)" at its end
};

Stripped strip(std::string_view line) {
  Stripped s{.text = line};
  s.text = trim(s.text, s.offset);
  const auto drop = [&](std::size_t n) {
    s.text.remove_prefix(n);
    s.offset += n;
    s.text = trim(s.text, s.offset);
    s.comment = true;
  };
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view marker : {"//", "/*", "/", "*", "!"}) {
      const bool inner = marker == "/" || marker == "!";
      if (again || !s.text.starts_with(marker) || (inner && !s.comment)) continue;
      drop(marker.size());
      again = true;
    }
  }
  if (const std::size_t note = s.text.find("//"); note != std::string_view::npos) s.text = s.text.substr(0, note);
  std::size_t ignored = 0;
  s.text = trim(s.text, ignored);
  if (s.text.ends_with("*/")) s.text = trim(s.text.substr(0, s.text.size() - 2), ignored);
  while (s.text.ends_with(")")) {
    const std::size_t open = s.text.rfind('(');
    if (open == std::string_view::npos) break;
    s.text = trim(s.text.substr(0, open), ignored);
    s.remark = true;
  }
  return s;
}

struct Arrow {
  std::size_t at = std::string_view::npos;
  std::size_t length = 0;
  explicit operator bool() const { return at != std::string_view::npos; }
};

Arrow find_any(std::string_view s, std::initializer_list<std::string_view> spellings) {
  for (const std::string_view a : spellings)
    if (const std::size_t at = s.find(a); at != std::string_view::npos) return {at, a.size()};
  return {};
}

Arrow find_arrow(std::string_view s) { return find_any(s, {"<->", "<=>", "\u2194", "\u21d4"}); }

/// A row split into its parts, before anything is judged.
struct Parts {
  Place place = Place::simd;
  std::string_view left;
  std::size_t left_offset = 0;
  std::string_view right;
  std::size_t right_offset = 0;
  bool has_left = false;
  bool remark = false;
};

/// "r2" in a register row is bit 2; `l` stands for the lane's `t` as well. -1 otherwise.
int physical_index(std::string_view word, Place place) {
  if (word.size() < 2 || word.size() > 3) return -1;
  const std::string_view letter = word.substr(0, 1);
  const bool right_letter = same_word(letter, std::string_view(&"srtwb"[static_cast<std::size_t>(place)], 1)) ||
                            (place == Place::thread && same_word(letter, "l"));
  int index = 0;
  for (const char c : word.substr(1)) {
    if (c < '0' || c > '9') return -1;
    index = index * 10 + (c - '0');
  }
  return right_letter && index < 64 ? index : -1;
}

std::optional<Place> place_of_left_side(std::string_view left) {
  std::size_t end = 0;
  while (end < left.size() && !is_blank(left[end]) && left[end] != ',') ++end;
  for (int p = 0; p < place_count; ++p)
    if (physical_index(left.substr(0, end), static_cast<Place>(p)) >= 0) return static_cast<Place>(p);
  return std::nullopt;
}

/// nullopt: neither "row name:" nor "r1 r0 <->" stands at its start.
std::optional<Parts> split_row(const Stripped& s) {
  Parts parts{.remark = s.remark};
  std::size_t end = 0;
  while (end < s.text.size() && is_letter(s.text[end])) ++end;
  std::size_t colon = end;
  while (colon < s.text.size() && is_blank(s.text[colon])) ++colon;
  std::string_view body = s.text;
  std::size_t offset = s.offset;
  const std::optional<Place> named = row_called(s.text.substr(0, end));
  const bool has_name = named && colon < s.text.size() && s.text[colon] == ':';
  if (has_name) {
    parts.place = *named;
    body = s.text.substr(colon + 1);
    offset += colon + 1;
  }
  const Arrow arrow = find_arrow(body);
  if (!has_name) {
    const std::optional<Place> place = arrow ? place_of_left_side(body.substr(0, arrow.at)) : std::nullopt;
    if (!place) return std::nullopt;
    parts.place = *place;
  }
  if (arrow) {
    parts.has_left = true;
    parts.left_offset = offset;
    parts.left = trim(body.substr(0, arrow.at), parts.left_offset);
    offset += arrow.at + arrow.length;
    body = body.substr(arrow.at + arrow.length);
  }
  parts.right_offset = offset;
  parts.right = trim(body, parts.right_offset);
  return parts;
}

Diagnostic at(const Parts& parts, std::size_t offset, std::string_view problem, std::string remedy) {
  return {.file = {},
          .line = 1,
          .column = static_cast<int>(offset) + 1,
          .message = fmt::format("{} row: {}", row_name(parts.place), problem),
          .remedy = std::move(remedy),
          .code = DiagnosticCode::notation};
}

struct LeftWord {
  std::string_view text;
  std::size_t offset = 0;
};

std::vector<LeftWord> left_words(const Parts& parts) {
  std::vector<LeftWord> words;
  for (const Word& w : read_words(parts.left, parts.left_offset)) words.push_back({w.text, w.offset});
  return words;
}

/// The physical bit that each word of the right side fills; the left side decides the order.
Expected<std::vector<int>> positions(const Parts& parts, std::size_t count) {
  std::vector<int> bits;
  if (!parts.has_left) {
    for (std::size_t i = count; i > 0; --i) bits.push_back(static_cast<int>(i) - 1);
    return bits;
  }
  const std::vector<LeftWord> words = left_words(parts);
  const char letter = row_letter(parts.place);
  for (const LeftWord& w : words) {
    const int index = physical_index(w.text, parts.place);
    if (index < 0)
      return failure(at(parts, w.offset, fmt::format("`{}` is not a bit of this row", w.text),
                        fmt::format("name its bits {}0, {}1, ...", letter, letter)));
    if (std::find(bits.begin(), bits.end(), index) != bits.end())
      return failure(at(parts, w.offset, fmt::format("{}{} occurs twice", letter, index), "name each bit once"));
    bits.push_back(index);
  }
  if (bits.size() != count)
    return failure(at(parts, parts.left_offset,
                      fmt::format("{} physical bits on the left, {} logical bits on the right", bits.size(), count),
                      "write one for each"));
  for (int i = 0; i < static_cast<int>(count); ++i) {
    if (std::find(bits.begin(), bits.end(), i) != bits.end()) continue;
    return failure(at(parts, parts.left_offset, fmt::format("{}{} is missing", letter, i),
                      "a row names all its bits from 0 up, in any order"));
  }
  return bits;
}

/// Whether words beside a row name are meant as notation. See `parse_row` in the header for the rule in words.
bool meant_as_notation(const Parts& parts, const std::vector<Word>& words) {
  if (words.empty()) return !parts.remark || parts.has_left;
  if (parts.has_left) {
    const std::vector<LeftWord> left = left_words(parts);
    const auto fits = [&](const LeftWord& w) { return physical_index(w.text, parts.place) >= 0; };
    if (!left.empty() && std::all_of(left.begin(), left.end(), fits)) return true;
  }
  const auto count = [&](Word::Look look) {
    return std::count_if(words.begin(), words.end(), [&](const Word& w) { return w.look == look; });
  };
  if (count(Word::Look::english) > 0) return false;
  const auto notation = count(Word::Look::notation);
  const auto perhaps = count(Word::Look::perhaps);
  const auto prose = count(Word::Look::prose);
  if (prose == 0) return notation >= perhaps || words.size() == 1;
  const auto typos = std::count_if(words.begin(), words.end(),
                                   [](const Word& w) { return w.look == Word::Look::prose && w.misspelt; });
  return notation > 0 && notation + typos >= perhaps + prose;
}

std::optional<Expected<Row>> read_row(const Stripped& s, Strictness strictness) {
  const std::optional<Parts> parts = split_row(s);
  if (!parts) return std::nullopt;
  const bool dash = parts->right == "-";
  std::vector<Word> words;
  if (!dash) words = read_words(parts->right, parts->right_offset);
  const bool found = strictness == Strictness::found_in_comment;
  if (!dash && found && !meant_as_notation(*parts, words)) return std::nullopt;

  Diagnostics problems;
  for (const Word& w : words) {
    if (!w.term) {
      problems.push_back(at(*parts, w.bad_offset, w.problem, w.remedy));
    } else if (found && !parts->has_left && w.look == Word::Look::prose) {
      problems.push_back(at(*parts, w.offset, fmt::format("`{}` does not look like a logical bit", w.text),
                            "write remarks in parentheses, or the physical bits on the left of <->"));
    }
  }
  const Arrow other = parts->has_left ? Arrow{} : find_any(parts->right, {"->", "<-", "=>", "\u2192", "="});
  if (other && !problems.empty()) {
    const std::string_view written = parts->right.substr(other.at, other.length);
    problems = {
        at(*parts, parts->right_offset + other.at, fmt::format("`{}` separates the sides", written), "write <->")};
  }
  if (!problems.empty()) return tl::unexpected<Diagnostics>(std::move(problems));

  const std::vector<int> order = LS_TRY(positions(*parts, words.size()));
  if (words.size() > 32) return failure(at(*parts, parts->right_offset, "more than 32 bits", "a row has at most 32"));
  Row row{parts->place, std::vector<Term>(words.size())};
  for (std::size_t i = 0; i < words.size(); ++i)
    row.second[static_cast<std::size_t>(order[i])] = std::move(*words[i].term);
  return row;
}

}  // namespace

std::optional<Place> row_called(std::string_view name) {
  for (const Alias& a : aliases)
    if (same_word(a.name, name)) return a.place;
  return std::nullopt;
}

std::optional<Expected<Row>> parse_row(std::string_view line) {
  return read_row(strip(line), Strictness::found_in_comment);
}

/// How many words are of letters only, three or more: of these prose has many and rows have few.
static std::size_t plain_words(std::string_view text) {
  std::size_t words = 0, letters = 0;
  bool plain = true;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (is_blank(c)) {
      words += plain && letters > 2 ? 1 : 0;
      letters = 0;
      plain = true;
    } else {
      plain = plain && is_letter(c);
      ++letters;
    }
  }
  return words;
}

/// "register: ", "warp bits w1 w0 =", "thread (t1 t0) ->", "register j3 j2".
static bool begins_as_row(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  if (!row_named(text.substr(0, end))) return false;
  std::size_t ignored = 0;
  std::string_view rest = trim(text.substr(end), ignored);
  for (const std::string_view more : {"bits", "bit", "index", "idx", "id", "number"})
    if (rest.starts_with(more) && (rest.size() == more.size() || !is_word(rest[more.size()])))
      rest = trim(rest.substr(more.size()), ignored);
  if (rest.empty() || rest.starts_with("::")) return false;
  const std::size_t sign = std::min({rest.find(':'), rest.find('='), rest.find("->")});
  return plain_words(rest.substr(0, sign)) == 0;
}

RowLook look_of_row(std::string_view line) {
  const Stripped s = strip(line);
  if (s.text.starts_with('(')) return RowLook::none;  // a remark
  if (const Arrow arrow = find_arrow(s.text)) {
    if (std::string_view(".:!?,").find(s.text.back()) != std::string_view::npos) return RowLook::none;  // a sentence
    const std::size_t before = plain_words(s.text.substr(0, arrow.at));
    return before > 1 || before + plain_words(s.text.substr(arrow.at)) > 3 ? RowLook::none : RowLook::arrow;
  }
  return begins_as_row(s.text) ? RowLook::name : RowLook::none;
}

bool reads_as_prose(std::string_view line) {
  const std::string_view text = strip(line).text;
  const std::string_view after = text.substr(std::min(text.find_first_of(" :=-("), text.size()));
  return plain_words(after) > 2 && std::ranges::none_of(line, is_digit);
}

namespace {

/// One row's text with its place in what the user gave us.
struct Segment {
  std::string_view text;
  int line = 1;
  int column = 1;
  bool comment = false;  ///< an earlier part of the same line had a comment marker
};

/// Lines, and parts of lines between semicolons that stand outside parentheses.
std::vector<Segment> segments(std::string_view text) {
  std::vector<Segment> out;
  int line = 1;
  std::size_t line_start = 0;
  std::size_t start = 0;
  int depth = 0;
  bool comment = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (c != '\n' && (c != ';' || depth > 0)) continue;
    const Segment s{text.substr(start, i - start), line, static_cast<int>(start - line_start) + 1, comment};
    out.push_back(s);
    comment = comment || strip(s.text).comment;
    start = i + 1;
    if (c != '\n') continue;
    ++line;
    line_start = start;
    depth = 0;
    comment = false;
  }
  return out;
}

/// The error of a segment that is not a row; nullopt for prose inside a pasted comment.
std::optional<LineMistake> not_a_row(const Segment& segment, const Stripped& s) {
  Diagnostic d{.line = segment.line, .column = segment.column + static_cast<int>(s.offset)};
  const std::string_view word = s.text.substr(0, s.text.find_first_of(" \t:"));
  std::size_t ignored = 0;
  const bool labelled = trim(s.text.substr(word.size()), ignored).starts_with(":");
  const auto nearest = std::min_element(std::begin(aliases), std::end(aliases), [&](const Alias& a, const Alias& b) {
    return edit_distance(a.name, word) < edit_distance(b.name, word);
  });
  const bool near = labelled && edit_distance(nearest->name, word) <= 2;
  if ((segment.comment || s.comment) && !near && !find_arrow(s.text)) return std::nullopt;
  d.code = near ? DiagnosticCode::misspelt_row : DiagnosticCode::not_a_row;
  d.message = fmt::format("`{}` is not a row", labelled ? word : s.text.substr(0, 40));
  d.remedy = near ? fmt::format("did you mean `{}`?", nearest->name)
                  : "write rows such as `register: r1 r0 <-> j3 j2`; row names are simd, register, thread, warp, block";
  return LineMistake{near ? LineMistake::What::misspelt : LineMistake::What::no_row, std::move(d)};
}

/// `first`: what the first problem is.
Expected<Assignment> parse_rows(std::string_view text, LineMistake::What& first) {
  Assignment a;
  Diagnostics problems;
  bool any = false;
  for (const Segment& segment : segments(text)) {
    const Stripped s = strip(segment.text);
    if (s.text.empty()) continue;
    std::optional<Expected<Row>> row = read_row(s, Strictness::known_notation);
    if (!row) {
      if (std::optional<LineMistake> m = not_a_row(segment, s)) {
        if (problems.empty()) first = m->what;
        problems.push_back(std::move(m->diagnostic));
      }
      continue;
    }
    any = true;
    if (!*row) {
      for (Diagnostic d : row->error()) {
        d.line = segment.line;
        d.column += segment.column - 1;
        problems.push_back(std::move(d));
      }
      continue;
    }
    // "thread: (unchanged)" says nothing by itself: the row stays absent.
    if ((*row)->second.empty() && s.remark && !s.text.ends_with('-')) continue;
    std::optional<std::vector<Term>>& slot = a.row((*row)->first);
    if (slot) {
      problems.push_back({.file = {},
                          .line = segment.line,
                          .column = segment.column + static_cast<int>(s.offset),
                          .message = fmt::format("there are two {} rows", row_name((*row)->first)),
                          .remedy = "keep one",
                          .code = DiagnosticCode::notation});
      continue;
    }
    slot = std::move((*row)->second);
  }
  if (!problems.empty()) return tl::unexpected<Diagnostics>(std::move(problems));
  if (!any) {
    first = LineMistake::What::no_row;
    return failure(Diagnostic{.file = {},
                              .line = 1,
                              .column = 1,
                              .message = "this is not a row of a register assignment",
                              .remedy = "write rows such as `register: r1 r0 <-> j3 j2`",
                              .code = DiagnosticCode::not_a_row});
  }
  return a;
}

}  // namespace

Expected<Assignment> parse(std::string_view text) {
  auto first = LineMistake::What::broken;
  return parse_rows(text, first);
}

std::optional<LineMistake> mistake_in(std::string_view line) {
  auto first = LineMistake::What::broken;
  constexpr std::string_view marker = "// ";  // of a comment, in which prose is no mistake
  Expected<Assignment> read = parse_rows(std::string(marker) + std::string(line), first);
  if (read) return std::nullopt;
  Diagnostic& d = read.error().front();
  d.column = std::max(d.column - static_cast<int>(marker.size()), 1);
  return LineMistake{first, std::move(d)};
}

}  // namespace lanescope::layout
