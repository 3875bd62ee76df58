#include "kernels/source/notation/comment_readers.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/notation/stated_array.h"
#include "kernels/source/notation/stored_orders.h"

namespace lanescope::source {
namespace {

using Space = ArrayLayout::Space;
constexpr std::size_t longest_layout_line = 300;

bool is_axis_name(std::string_view s) {
  return !s.empty() && !is_digit(s.front()) && std::ranges::all_of(s, is_word) && !is_english(s);
}

/// "time:32" or "time=32" apart; the extent stays empty where none is written.
std::pair<std::string, std::string> name_and_extent(std::string_view part) {
  const std::size_t at = part.find_first_of(":=");
  if (at == std::string_view::npos) return {std::string(part), {}};
  return {std::string(trimmed(part.substr(0, at))), std::string(trimmed(part.substr(at + 1)))};
}

constexpr std::string_view any_axis = "*";

bool is_mark_of_name(char c) { return c == '_' || is_digit(c) || (c >= 'A' && c <= 'Z'); }

class LayoutReader {
 public:
  LayoutReader(const Lexed& lexed, const Outline& outline, const Values& values, const Header& header)
      : lexed_(lexed),
        outline_(outline),
        values_(values),
        header_(header),
        arrays_(shared_arrays(lexed, outline, values)) {}

  std::vector<Claim> run() {
    std::string_view before;
    int before_line = -1;
    for (const CommentLine& l : comment_lines(lexed_)) {
      const std::string_view above = l.line == before_line + 1 ? before : std::string_view();
      before = l.text;
      before_line = l.line;
      if (l.text.size() > longest_layout_line || swizzled(above, l)) continue;
      if (!declaration_with_axes(l) && !layout_of(l) && !stored_in_order(l)) beside_declaration(l);
    }
    for (std::size_t i = 0; i < out_.size(); ++i) {
      for (std::size_t k = i + 1; k < out_.size() && layout(out_[i]).end_line == 0; ++k)
        if (out_[k].variable == out_[i].variable && out_[k].function == out_[i].function)
          layout(out_[i]).end_line = out_[k].first_line;
      if (out_[i].variable.empty()) out_[i].variable = "layout";
    }
    return std::move(out_);
  }

 private:
  int function_of(const CommentLine& l) const {
    const int anchor = lexed_.last_before(l.offset);
    return anchor >= 0 ? outline_.function_at(anchor) : -1;
  }

  static ArrayLayout& layout(Claim& claim) { return std::get<ArrayLayout>(claim.about); }

  Claim begun(const CommentLine& l, Space space) const {
    Claim claim = claim_at({l.line, l.column}, std::string(l.text));
    claim.about = ArrayLayout{.space = space};
    if (const int f = function_of(l); f >= 0)
      claim.function = outline_.functions[static_cast<std::size_t>(f)].info.name;
    return claim;
  }

  static std::optional<Space> space_of(std::string_view word) {
    const Word one[] = {{word, lower(word), 0}};
    const auto m = comment_phrases().at("space", one);
    if (!m) return std::nullopt;
    return m->has("SHARED") ? Space::shared : Space::global;
  }

  /// "shared: uint E[32][256], (time, ns)".
  bool declaration_with_axes(const CommentLine& l) {
    const Words words = words_of(l.text);
    const auto m = comment_phrases().at("declared", words);
    if (!m) return false;
    std::size_t at = words[m->end - 1].end();
    const std::vector<std::string> extents = list_of(l.text, at);
    const Words after = words_of(l.text, at);
    std::size_t k = 0;
    comment_phrases().skip("axes_lead", after, k);
    if (k == after.size()) return false;
    at = after[k].at;
    const std::vector<std::string> axes = list_of(l.text, at);
    if (axes.empty() || !std::ranges::all_of(axes, is_axis_name)) return false;
    Claim claim = begun(l, m->has("SHARED") ? Space::shared : Space::global);
    claim.variable = m->text("NAME", words);
    layout(claim).element_type = m->text("TYPE", words);
    if (axes.size() != extents.size())
      claim.unchecked_reason = coded<Why::extents_unlike_axes>(extents.size(), axes.size());
    for (std::size_t i = 0; i < axes.size() && i < extents.size(); ++i) {
      const ConstantValue extent = evaluate(extents[i], values_);
      if (!extent || *extent <= 0) {
        claim.unchecked_reason = coded<Why::wrong_extent>(
            extent ? fmt::format("the extent `{}` is {}", extents[i], *extent) : extent.error());
        break;
      }
      layout(claim).axes.push_back(
          {.name = axes[i], .extent = static_cast<std::uint64_t>(*extent), .stride_elements = 0});
    }
    finish(std::move(claim), l);
    return true;
  }

  /// "E layout: [time][ns]", "smem layout is (j, i)", "layout of E: (32,8):(1,32)".
  bool layout_of(const CommentLine& l) {
    const std::string_view s = l.text;
    const Words words = words_of(s);
    std::size_t k = 0;
    while (k < words.size() && words[k].low.find("layout") == std::string::npos) ++k;
    const auto m = comment_phrases().at("layout", words, k);
    if (!m) return false;
    std::string name(m->text("OF", words));
    if (name.empty()) {
      while (k > 0 && (words[k - 1].text == "'" || words[k - 1].text == "`")) --k;
      if (k > 1 && words[k - 1].low == "memory") --k;
      if (k > 0 && is_word(words[k - 1].text.front())) name = words[k - 1].text;
    }
    std::size_t at = after_blanks(s, words[m->end - 1].end());
    const ArrayLayout::Swizzle swizzle = swizzle_at(s, at);
    const std::vector<std::string> first = list_of(s, at);
    if (first.empty()) return false;
    Space space = space_of(name).value_or(Space::shared);
    if (space_of(name)) name.clear();
    const int f = function_of(l);
    std::vector<const SharedArray*> possible;
    for (const SharedArray& a : arrays_)
      if ((f < 0 || a.function < 0 || a.function == f) && (name.empty() || a.name == name)) possible.push_back(&a);
    const bool pointer = f >= 0 && std::ranges::any_of(outline_.functions[static_cast<std::size_t>(f)].info.parameters,
                                                       [&](const Parameter& p) { return p.name == name; });
    if (!name.empty() && possible.empty() && !pointer) return false;  // "TMA layout: (a, b)" is about something else
    if (pointer) space = Space::global;
    Claim claim = begun(l, space);
    claim.variable = !name.empty() ? name : possible.size() == 1 ? possible.front()->name : "";
    std::vector<std::string> strides;
    if (at < s.size() && s[at] == ':') {
      ++at;
      strides = list_of(s, at);
      if (strides.size() != first.size()) return false;
    }
    layout(claim).swizzle = swizzle;
    const auto is_axis = [](const std::string& part) { return is_axis_name(name_and_extent(part).first); };
    const bool names = std::ranges::all_of(first, is_axis) && strides.empty();
    const std::vector<std::int64_t> extents =
        possible.size() == 1 ? possible.front()->extents : std::vector<std::int64_t>{};
    if (!names && strides.empty()) return false;  // a shape alone says nothing about the order
    if (names && !add_named(claim, first, extents)) return false;
    for (std::size_t i = 0; i < first.size() && !names; ++i) {
      const ConstantValue extent = evaluate(first[i], values_), stride = evaluate(strides[i], values_);
      if (!extent || !stride || *extent <= 0 || *stride < 0) return false;
      layout(claim).axes.push_back({.name = {},
                                    .extent = static_cast<std::uint64_t>(*extent),
                                    .stride_elements = static_cast<std::uint64_t>(*stride)});
    }
    if (claim.variable.empty())
      claim.unchecked_reason = coded<Why::no_array_named>(
          possible.empty() ? "the comment names no array" : "several arrays are in shared memory; name one");
    finish(std::move(claim), l);
    return true;
  }

  /// Axes by name, with the extents that are written or else declared; declared axes before them may be anything (stages of
  /// a pipeline). False where a name is no axis.
  bool add_named(Claim& claim, const std::vector<std::string>& parts, const std::vector<std::int64_t>& extents) const {
    const std::size_t more = extents.size() == parts.size() + 1 ? 1 : 0;
    for (std::size_t i = 0; i < more; ++i)
      layout(claim).axes.push_back({.name = std::string(any_axis),
                                    .extent = static_cast<std::uint64_t>(std::max<std::int64_t>(extents[i], 0)),
                                    .stride_elements = 0});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto [name, written] = name_and_extent(parts[i]);
      if (values_.contains(name)) return false;  // a size
      Axis axis{.name = name, .extent = 0, .stride_elements = 0};
      if (!written.empty()) {
        const ConstantValue v = evaluate(written, values_);
        if (!v || *v <= 0) return false;
        axis.extent = static_cast<std::uint64_t>(*v);
      } else if (extents.size() == parts.size() + more) {
        axis.extent = static_cast<std::uint64_t>(std::max<std::int64_t>(extents[more + i], 0));
      }
      layout(claim).axes.push_back(std::move(axis));
    }
    return true;
  }

  /// "Swizzle<3,3,3> o " at `at`, which becomes its end.
  static ArrayLayout::Swizzle swizzle_at(std::string_view s, std::size_t& at) {
    ArrayLayout::Swizzle out;
    const Words words = words_of(s, at);
    const auto m = comment_phrases().at("swizzle", words);
    if (!m) return out;
    int numbers[3] = {0, 0, 0};
    for (std::size_t n = 0; n < 3; ++n) {
      const std::string_view text = words[m->tags[n].first].text;
      if (std::from_chars(text.data(), text.data() + text.size(), numbers[n]).ec != std::errc() || numbers[n] > 30)
        return out;
    }
    if (numbers[2] < numbers[0]) return out;
    at = m->end < words.size() ? words[m->end].at : s.size();
    return {.bits = numbers[0], .base = numbers[1], .shift = numbers[2]};
  }

  /// "transposed", "column-major", "row-major" after the declaration of an array with two extents (or more, the last two
  /// being meant): rows and columns as the array that it is filled from has them.
  bool in_words(const CommentLine& l) {
    const std::string words = lower(l.text);
    const auto says = [&](std::initializer_list<std::string_view> list) {
      return std::ranges::any_of(list, [&](std::string_view w) { return find_word(words, w) < 40; });
    };
    const bool no = says({"not", "no", "before", "then", "avoid", "avoids", "for transpos"});
    bool columns = says({"transposed", "column-major", "column major", "col-major"}) || words.find("转置") < 12;
    const bool rows = says({"row-major", "row major"});
    const bool element = words.find('[') != std::string::npos && !words.starts_with("transposed");
    // "transpose As": of a name that is no plain word, for "transpose tile" may be what the tile is for.
    for (const SharedArray& a : arrays_)
      if (a.line == l.line && says({"transpose " + lower(a.name)}) && std::ranges::any_of(a.name, is_mark_of_name))
        columns = true;
    if (no || columns == rows || element) return false;
    for (const SharedArray& a : arrays_) {
      const std::vector<std::int64_t> extents = extents_apart(a);
      if (a.line != l.line || a.pointer || extents.size() < 2 || extents.size() > 3) continue;
      if (a.flat && a.factors.empty()) continue;
      int on_line = 0;
      for (const SharedArray& other : arrays_) on_line += other.line == l.line ? 1 : 0;
      if (on_line > 1) return false;  // which of them?
      Claim claim = begun(l, Space::shared);
      claim.variable = a.name;
      const std::vector<std::string> parts =
          columns ? std::vector<std::string>{"col", "row"} : std::vector<std::string>{"row", "col"};
      if (!add_named(claim, parts, extents)) return false;
      finish(std::move(claim), l);
      return true;
    }
    return false;
  }

  /// "physical (row=x, col=x^y)" before a statement with an array of rows and columns.
  bool swizzled(std::string_view above, const CommentLine& l) {
    const std::optional<SwizzleStatement> stated = swizzle_statement(above, l.text);
    const int f = function_of(l);
    if (!stated || f < 0) return false;
    const SharedArray* array = array_in_statement(text_, l, f);
    if (array == nullptr || array->pointer || array->extents.size() != 2 || array->flat) return false;
    Claim claim = begun(l, Space::shared);
    claim.variable = array->name;
    layout(claim).logical_of_place = stated->logical_of_place(array->extents[0], array->extents[1]);
    if (layout(claim).logical_of_place.empty()) claim.unchecked_reason = coded<Why::no_permutation>();
    if (!add_named(claim, {"row", "col"}, array->extents)) return false;
    finish(std::move(claim), l);
    return true;
  }

  /// Claims in words about statements that store to an array (kernels/source/notation/stored_orders.h).
  bool stored_in_order(const CommentLine& l) {
    const std::optional<StoredOrder> stated = stored_order(text_, l, function_of(l));
    if (!stated) return false;
    Claim claim = begun(l, Space::shared);
    claim.variable = stated->array->name;
    if (!add_named(claim, stated->axes, stated->extents)) return false;
    // Several stores of one tile say it once.
    for (const Claim& c : out_)
      if (c.variable == claim.variable && c.function == claim.function && c.first_line + 8 > l.line &&
          after_code(lexed_, l))
        return true;
    finish(std::move(claim), l);
    return true;
  }

  /// "[k][m]", "(time:32, ns:256)", "As[k][m] transposed" on the line of the declaration or on the one before it; of an array
  /// that is named, with a word that says so, anywhere.
  void beside_declaration(const CommentLine& l) {
    if (in_words(l)) return;
    const std::string_view s = l.text;
    std::size_t at = 0;
    while (at < s.size() && is_word(s[at])) ++at;
    const std::string_view name = s.substr(0, at);
    if (at >= s.size() || (s[at] != '[' && s[at] != '(')) return;
    const bool bracket = s[at] == '[';
    if (!name.empty() && !bracket) return;  // a call
    const int f = function_of(l);
    const SharedArray* array = nullptr;
    const std::string words = lower(s);
    const bool says = !entry_in("transposed|layout|stored as", words).empty();
    for (const SharedArray& a : arrays_) {
      if (a.pointer || (f >= 0 && a.function >= 0 && a.function != f)) continue;
      const bool beside = a.line == (after_code(lexed_, l) ? l.line : l.line + 1);
      if (name.empty() ? beside : a.name == name && (beside || says)) array = &a;
    }
    if (array == nullptr) return;
    const std::vector<std::string> parts = list_of(s, at);
    const std::vector<std::int64_t> extents = extents_apart(*array);
    const bool fits = extents.size() == parts.size() || (bracket && extents.size() == parts.size() + 1);
    if (parts.size() < 2 || !fits || (at < s.size() && is_word(s[at]))) return;
    for (const std::string& part : parts)
      if (!is_axis_name(name_and_extent(part).first)) return;
    Claim claim = begun(l, Space::shared);
    claim.variable = array->name;
    if (add_named(claim, parts, extents)) finish(std::move(claim), l);
  }

  /// Strides of C order where none are written; what the declaration says otherwise.
  void finish(Claim claim, const CommentLine& l) {
    ArrayLayout& of = layout(claim);
    for (Axis& axis : of.axes)
      for (const BufferSpec& b : header_.buffers)
        for (const Axis& known : b.axes)
          if (axis.extent == 0 && known.name == axis.name && of.space == Space::global) axis.extent = known.extent;
    const bool written = std::ranges::any_of(of.axes, [](const Axis& a) { return a.stride_elements != 0; });
    std::uint64_t stride = 1;
    for (std::size_t i = of.axes.size(); !written && i-- > 0;) {
      of.axes[i].stride_elements = stride;
      if (__builtin_mul_overflow(stride, std::max<std::uint64_t>(of.axes[i].extent, 1), &stride)) stride = 0;
    }
    const int f = function_of(l);
    of.array = claim.variable;
    if (of.space == Space::global && f >= 0)
      for (const Parameter& p : outline_.functions[static_cast<std::size_t>(f)].info.parameters)
        if (p.name == claim.variable && p.type.find('*') != std::string::npos)
          if (const auto type = number_type_in(p.type)) of.element_bytes = type->bytes;
    const SharedArray* array = nullptr;
    for (const SharedArray& a : arrays_)
      if (of.space == Space::shared && a.name == claim.variable && (f < 0 || a.function < 0 || a.function == f))
        array = &a;
    if (array != nullptr) in_array(claim, *array, written);
    if (claim.unchecked_reason.empty() && array == nullptr && of.space == Space::shared)
      claim.unchecked_reason =
          coded<Why::unknown_place>(fmt::format("where `{}` lies in shared memory is not known", claim.variable));
    if (claim.unchecked_reason.empty() && of.element_bytes == 0 && (array == nullptr || array->pointer))
      claim.unchecked_reason = coded<Why::unknown_element_size>(claim.variable);
    if (claim.unchecked_reason.empty() && overlaps(of)) claim.unchecked_reason = coded<Why::overlapping_places>();
    out_.push_back(std::move(claim));
  }

  /// Additions and contradictions of the declaration.
  static void in_array(Claim& claim, const SharedArray& a, bool written) {
    ArrayLayout& of = layout(claim);
    of.array = a.array;
    of.offset_bytes = a.offset_bytes;
    of.element_bytes = a.element_bytes;
    if (claim.unchecked_reason.empty() && !a.problem.empty())
      claim.unchecked_reason = coded<Why::unknown_place>(a.problem);
    if (a.extents.empty() || !claim.unchecked_reason.empty()) return;
    std::int64_t last = 0;
    of.declared_elements = 1;
    for (const std::int64_t e : a.extents) of.declared_elements *= std::clamp<std::int64_t>(e, 0, 1 << 20);
    for (const Axis& axis : of.axes)
      last += static_cast<std::int64_t>((std::max<std::uint64_t>(axis.extent, 1) - 1) * axis.stride_elements);
    if (!written && a.extents.size() != of.axes.size() && extents_apart(a).size() != of.axes.size())
      claim.unchecked_reason =
          coded<Why::unlike_declaration>(a.name, a.extents.size(), fmt::format("{}", fmt::join(a.extents, "][")));
    else if (last >= of.declared_elements)
      claim.unchecked_reason = coded<Why::beyond_declaration>(last, a.name, of.declared_elements);
  }

  static bool overlaps(const ArrayLayout& of) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> axes;
    for (const Axis& a : of.axes)
      if (a.extent != 1) axes.emplace_back(a.stride_elements, a.extent);
    std::ranges::sort(axes);
    std::uint64_t reach = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto [stride, extent] = axes[i];
      if (stride < reach) return true;
      if (extent == 0 && i + 1 < axes.size()) return true;  // where it ends is not known
      reach = stride * (std::max<std::uint64_t>(extent, 1) - 1) + reach;
    }
    return false;
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Values& values_;
  const Header& header_;
  std::vector<SharedArray> arrays_;
  StoringText text_{lexed_, outline_, values_, arrays_};
  std::vector<Claim> out_;
};

}  // namespace

std::vector<Claim> memory_claims(const Lexed& lexed, const Outline& outline, const Values& values,
                                 const Header& header) {
  return LayoutReader(lexed, outline, values, header).run();
}

}  // namespace lanescope::source
