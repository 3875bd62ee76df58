#include "kernels/source/notation/stored_orders.h"

#include <algorithm>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_order_line = 300;

/// One comment line in a function.
class OrderReader {
 public:
  OrderReader(const StoringText& text, const CommentLine& l, int f)
      : text_(text), lexed_(text.lexed), l_(l), f_(f), behind_code_(after_code(lexed_, l)), low_(lower(l.text)) {}

  std::optional<StoredOrder> run() const {
    auto order = transposed();
    return order || behind_code_ ? order : major();
  }

  std::optional<StoredOrder> transposed() const {
    const std::size_t at = low_.find("transpose");
    if (at == std::string::npos || low_.size() > longest_order_line) return std::nullopt;
    const std::string words = " " + low_ + " ";
    constexpr std::string_view others =
        " not |n't | no |before|without|avoid| if | or |untransposed|non-transposed|back|instead|again";
    if (!entry_in(others, words).empty() || entry_in("shared|global", words) == "global") return std::nullopt;
    const SharedArray* array = nullptr;
    bool axes_written = false;
    std::vector<std::string> parts = {"col", "row"};
    const std::string_view rest = std::string_view(low_).substr(at);
    const bool past = rest.starts_with("transposed");
    if (behind_code_) {
      const bool plain =
          at == 0 && std::ranges::all_of(trimmed(rest.substr(past ? 10 : 9)), [](char c) { return is_word(c); });
      if (plain) array = stored_on();
    } else if (at == 0 && !past) {
      const Words w = words_of(l_.text);
      if (const auto m = comment_phrases().at("transposing", w)) array = array_of(m->text("NAME", w));
    } else if (past && (rest.size() == 10 || !is_letter(rest[10]))) {
      array = with_axes(at, parts);
      axes_written = array != nullptr;
      if (array == nullptr) array = by_sentence(at);
      if (array == nullptr) array = written_next(rest);
    }
    if (array == nullptr) return std::nullopt;
    std::vector<std::int64_t> extents = extents_apart(*array);
    if (array->pointer || extents.size() < 2 || extents.size() > 3 || (array->flat && array->factors.empty()))
      return std::nullopt;
    if (array->line == l_.line && !axes_written) return std::nullopt;
    if (array->flat && !axes_written && !in_stored_order(*array, extents)) return std::nullopt;
    return StoredOrder{array, std::move(parts), std::move(extents)};
  }

  /// "store it in col major s_a[BK][BM]".
  std::optional<StoredOrder> major() const {
    for (const SharedArray& a : text_.arrays) {
      if (a.pointer || a.flat || a.extents.size() != 2 || !seen(a)) continue;
      std::size_t at = l_.text.find(a.name + "[");
      if (at == std::string_view::npos) continue;
      const std::string_view before = trimmed(std::string_view(low_).substr(0, at));
      const auto ends = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](std::string_view w) { return before.ends_with(w); });
      };
      const bool columns = ends({"in col major", "in column major", "in column-major", "in col-major"});
      const bool rows = ends({"in row major", "in row-major"});
      if (columns == rows || before.find("not ") != std::string_view::npos ||
          before.find("stor") == std::string_view::npos)
        continue;
      at += a.name.size();
      const std::vector<std::string> written = list_of(l_.text, at);
      if (written.size() != 2 || trimmed(l_.text.substr(at)).size() > 1) continue;
      return StoredOrder{&a, columns ? std::vector<std::string>{"col", "row"} : std::vector<std::string>{"row", "col"},
                         a.extents};
    }
    return std::nullopt;
  }

  const SharedArray* in_statement() const {
    const int first = lexed_.last_before(l_.offset) + (behind_code_ ? 0 : 1);
    const SharedArray* out = nullptr;
    for (int k = first; behind_code_ && k >= 0 && lexed_.token(k).line == l_.line; --k)
      if (const SharedArray* a = called(lexed_.of(k))) out = a;
    for (int k = first; !behind_code_ && out == nullptr && k < lexed_.count() && lexed_.token(k).line <= l_.line + 3 &&
                        !lexed_.is(k, ";");
         ++k)
      out = called(lexed_.of(k));
    return out;
  }

 private:
  bool seen(const SharedArray& a) const { return a.function < 0 || a.function == f_; }
  const SharedArray* called(std::string_view name) const {
    const auto a = std::ranges::find_if(text_.arrays, [&](const SharedArray& x) { return x.name == name && seen(x); });
    return a == text_.arrays.end() ? nullptr : &*a;
  }

  /// "TRANSPOSED write into shared mem:" before the statement that stores to an array.
  const SharedArray* written_next(std::string_view rest) const {
    if (!comment_phrases().is("written", words_of(rest), 0) || entry_in("shared|smem", rest).empty()) return nullptr;
    const int first = lexed_.last_before(l_.offset) + 1;
    return first < lexed_.count() && lexed_.token(first).line <= l_.line + 3 ? stored_from(first) : nullptr;
  }

  /// A shared array of the function that is called so, or that holds a part of the parameter of this name.
  const SharedArray* array_of(std::string_view name) const {
    if (const SharedArray* a = called(name)) return a;
    const auto& parameters = text_.outline.functions[static_cast<std::size_t>(f_)].info.parameters;
    if (std::ranges::find(parameters, name, &Parameter::name) == parameters.end()) return nullptr;
    const SharedArray* out = nullptr;
    for (const SharedArray& a : text_.arrays) {
      if (a.pointer || !seen(a) || core_of(a.name) != lower(name)) continue;
      if (out != nullptr) return nullptr;
      out = &a;
    }
    return out;
  }

  /// The extents of `As[BM * BK]` in the order in which the stores `As[k * BM + m] = ...` use them.
  bool in_stored_order(const SharedArray& a, std::vector<std::int64_t>& extents) const {
    const FunctionRange& in = text_.outline.functions[static_cast<std::size_t>(f_)];
    std::int64_t& outer = extents[extents.size() - 2];
    std::int64_t& inner = extents.back();
    if (outer == inner) return true;
    std::optional<std::int64_t> step;
    for (int k = in.open + 1; k < in.close; ++k) {
      if (!lexed_.is(k, a.name) || !lexed_.is(k + 1, "[") || !lexed_.is(lexed_.partner(k + 1) + 1, "=")) continue;
      int star = -1;
      for (int t = k + 2; t < lexed_.partner(k + 1); t = std::max(t + 1, lexed_.partner(t) + 1))
        if (lexed_.is(t, "*")) star = t;
      if (star < 0) return false;
      const ConstantValue v = evaluate(lexed_.of(star + 1), text_.values);
      if (!v || (step && *step != *v)) return false;
      step = *v;
    }
    if (!step || (*step != outer && *step != inner)) return false;
    if (*step == outer) std::swap(outer, inner);
    return true;
  }

  /// The array that the statement on the comment's line stores to: `As[...] = ...`.
  const SharedArray* stored_on() const {
    int first = lexed_.last_before(l_.offset);
    while (first > 0 && lexed_.token(first - 1).line == l_.line) --first;
    return stored_from(first);
  }

  /// The array that the statement from token `first` on stores to.
  const SharedArray* stored_from(int first) const {
    int k = first + 1;
    while (lexed_.is(k, "[") && lexed_.partner(k) > k) k = lexed_.partner(k) + 1;
    if (k == first + 1 || !lexed_.is(k, "=")) return nullptr;
    const SharedArray* out = nullptr;
    for (const SharedArray& a : text_.arrays)
      if (lexed_.is(first, a.name) && seen(a)) out = &a;
    return out;
  }

  static bool are_axes(const std::vector<std::string>& names) {
    if (names.size() != 2) return false;
    constexpr std::string_view sizes[] = {"m", "k", "n"}, axes[] = {"row", "col", "column", "i", "j"};
    return (names[0] != names[1] && one_of(names[0], sizes) && one_of(names[1], sizes)) ||
           (one_of(lower(names[0]), axes) && one_of(lower(names[1]), axes));
  }

  /// "transposed ... As[k][m]": an array of the function with axes that have names as axes do.
  const SharedArray* with_axes(std::size_t from, std::vector<std::string>& parts) const {
    for (const SharedArray& a : text_.arrays) {
      if (!seen(a)) continue;
      for (std::size_t at = find_word(l_.text, a.name, from); at != std::string_view::npos;
           at = find_word(l_.text, a.name, at + 1)) {
        std::size_t end = at + a.name.size();
        if (end >= l_.text.size() || l_.text[end] != '[') continue;
        std::vector<std::string> named = list_of(l_.text, end);
        if (!are_axes(named)) continue;
        parts = std::move(named);
        return &a;
      }
    }
    return nullptr;
  }

  /// "As is (stored) transposed", "A is transposed while being stored (in shared memory)".
  const SharedArray* by_sentence(std::size_t at) const {
    const Words w = words_of(l_.text);
    const auto m = comment_phrases().in("transposed", w);
    if (!m || w[m->find("END")->first].at != at) return nullptr;
    const std::string_view name = m->text("NAME", w);
    if (const SharedArray* a = called(name)) return a;
    return entry_in("stor|load|shared|smem", std::string_view(low_).substr(at + 10)).empty() ? nullptr : array_of(name);
  }

  /// "a" of As, sA, s_a, smem_A, A_shared, a_tile.
  static std::string core_of(std::string_view name) {
    std::string n = lower(name);
    for (const std::string_view w : {"shared", "smem", "sram", "tile", "_sub", "sub"})
      if (const std::size_t at = n.find(w); at != std::string::npos) n.erase(at, w.size());
    while (n.starts_with("_")) n.erase(0, 1);
    while (n.ends_with("_")) n.pop_back();
    if (n.starts_with("s_")) n.erase(0, 2);
    if (n.ends_with("_s")) n.resize(n.size() - 2);
    if (n.size() == 2 && n.front() == 's') n.erase(0, 1);
    if (n.size() == 2 && n.back() == 's') n.pop_back();
    return n;
  }

  const StoringText& text_;
  const Lexed& lexed_;
  const CommentLine& l_;
  int f_;
  bool behind_code_;
  std::string low_;  ///< the line in lower case
};

}  // namespace

std::optional<StoredOrder> stored_order(const StoringText& text, const CommentLine& line, int f) {
  return f < 0 ? std::nullopt : OrderReader(text, line, f).run();
}

const SharedArray* array_in_statement(const StoringText& text, const CommentLine& line, int f) {
  return OrderReader(text, line, f).in_statement();
}

namespace {

constexpr std::size_t longest_swizzle_line = 300;
constexpr std::int64_t most_swizzled_places = std::int64_t{1} << 16;

bool is_name(std::string_view s) { return !s.empty() && !is_digit(s.front()) && std::ranges::all_of(s, is_word); }

/// The two parts of "(a, b)" that opens at `at`.
std::vector<std::string_view> pair_at(std::string_view s, std::size_t at) {
  const auto inside = bracket_at(s, at);
  std::vector<std::string_view> parts = inside ? parts_between(*inside, ",") : std::vector<std::string_view>();
  return parts.size() == 2 ? parts : std::vector<std::string_view>();
}

struct Coordinates {
  std::string_view row, col;
  std::size_t at = 0;
};

/// "(row=x, col=y)": all of them in the line.
std::vector<Coordinates> named_coordinates(std::string_view s) {
  std::vector<Coordinates> out;
  for (std::size_t at = s.find('('); at != std::string_view::npos; at = s.find('(', at + 1)) {
    const auto parts = pair_at(s, at);
    if (parts.empty()) continue;
    const auto value = [](std::string_view part, std::initializer_list<std::string_view> names) {
      const std::size_t equals = part.find('=');
      const std::string name = lower(trimmed(part.substr(0, equals)));
      const bool known = equals != std::string_view::npos && one_of(name, names);
      return known ? trimmed(part.substr(equals + 1)) : std::string_view();
    };
    const std::string_view row = value(parts[0], {"row", "r"}), col = value(parts[1], {"col", "column", "c"});
    if (!row.empty() && !col.empty()) out.push_back({row, col, at});
  }
  return out;
}

std::optional<SwizzleStatement> stated(std::string_view row, std::string_view col, std::string_view physical_row,
                                       std::string_view physical_col) {
  if (!is_name(row) || !is_name(col) || row == col) return std::nullopt;
  const auto r = IndexFormula::read(physical_row), c = IndexFormula::read(physical_col);
  if (!r || !c || r->choices() != 1 || c->choices() != 1) return std::nullopt;
  for (const IndexFormula* f : {&*r, &*c})
    for (const std::string& n : f->names())
      if (n != row && n != col) return std::nullopt;
  const bool exchanges =
      physical_row.find('^') != std::string_view::npos || physical_col.find('^') != std::string_view::npos;
  if (!exchanges) return std::nullopt;
  return SwizzleStatement{.row = std::string(row), .col = std::string(col), .physical_row = *r, .physical_col = *c};
}

/// "(row, col) -> (row, col ^ row)"
std::optional<SwizzleStatement> by_arrow(std::string_view line) {
  const std::size_t arrow = line.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view left = trimmed(line.substr(0, arrow)), right = trimmed(line.substr(arrow + 2));
  const std::size_t open = left.rfind('(');
  if (open == std::string_view::npos || !left.ends_with(')') || !right.starts_with('(')) return std::nullopt;
  const auto logical = pair_at(left, open), physical = pair_at(right, 0);
  if (logical.empty() || physical.empty()) return std::nullopt;
  return stated(logical[0], logical[1], physical[0], physical[1]);
}

/// "swizzled col = col ^ (row & 7)": the formula is the rest of the line.
std::optional<SwizzleStatement> by_equation(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || line.find('=', equals + 1) != std::string_view::npos) return std::nullopt;
  const std::string left = lower(trimmed(line.substr(0, equals)));
  for (const std::string_view word : {"physical col", "physical_col", "phys_col", "swizzled col", "swizzled_col",
                                      "swizzled column", "physical column"}) {
    if (!left.ends_with(word)) continue;
    const std::string_view before = trimmed(std::string_view(left).substr(0, left.size() - word.size()));
    if (!before.empty() && !before.ends_with(':')) continue;
    return stated("row", "col", "row", trimmed(line.substr(equals + 1)));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::int32_t> SwizzleStatement::logical_of_place(std::int64_t rows, std::int64_t columns) const {
  if (rows <= 0 || columns <= 0 || rows * columns > most_swizzled_places) return {};
  std::vector<std::int32_t> out(static_cast<std::size_t>(rows * columns), -1);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::map<std::string, std::int64_t, std::less<>> at = {{row, r}, {col, c}};
      const auto pr = physical_row.value(at, 0), pc = physical_col.value(at, 0);
      if (!pr || !pc || *pr >= rows || *pc >= columns) return {};
      std::int32_t& place = out[static_cast<std::size_t>(*pr * columns + *pc)];
      if (place >= 0) return {};
      place = static_cast<std::int32_t>(r * columns + c);
    }
  return out;
}

std::optional<SwizzleStatement> swizzle_statement(std::string_view before, std::string_view line) {
  if (line.size() > longest_swizzle_line || before.size() > longest_swizzle_line) return std::nullopt;
  if (line.find('^') == std::string_view::npos) return std::nullopt;
  const std::string words = lower(line);
  if (!entry_in(" not |n't |without|instead| no | if ", " " + words + " ").empty()) return std::nullopt;
  const bool of_places = !entry_in("physical|swizz|stored|物理|映射|xor", words).empty();
  const std::vector<Coordinates> here = named_coordinates(line), earlier = named_coordinates(before);
  if (here.size() == 2 && of_places) return stated(here[0].row, here[0].col, here[1].row, here[1].col);
  if (here.size() == 1 && earlier.size() == 1 && of_places)
    return stated(earlier[0].row, earlier[0].col, here[0].row, here[0].col);
  if (!here.empty()) return std::nullopt;
  if (auto s = by_equation(line)) return s;
  return by_arrow(line);
}

}  // namespace lanescope::source
