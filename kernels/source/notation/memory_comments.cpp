#include "kernels/source/notation/memory_comments.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/english.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/comments.h"

namespace lanescope::source {
namespace {

using Space = MemoryClaim::Space;
constexpr std::size_t longest_layout_line = 300;
constexpr std::size_t most_layout_axes = 8;

/// The text of a bracket that opens at `at`, and what follows it; nullopt where it does not close on this line.
std::optional<std::string_view> bracket_at(std::string_view s, std::size_t& at) {
  const char open = s[at], close = open == '(' ? ')' : ']';
  int depth = 0;
  for (std::size_t i = at; i < s.size(); ++i) {
    if (s[i] == open) ++depth;
    if (s[i] != close || --depth > 0) continue;
    const std::string_view inside = s.substr(at + 1, i - at - 1);
    at = i + 1;
    return inside;
  }
  return std::nullopt;
}

std::size_t behind_blanks(std::string_view s, std::size_t at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  return at;
}

/// "(a, b)", "[a][b]" or "[a, b]" at `at`, which becomes its end. Empty where no list is there.
std::vector<std::string> list_of(std::string_view s, std::size_t& at) {
  std::vector<std::string> out;
  while (at < s.size() && (s[at] == '(' || s[at] == '[')) {
    const bool round = s[at] == '(';
    std::size_t end = at;
    const std::optional<std::string_view> inside = bracket_at(s, end);
    if (!inside) return {};
    int depth = 0;
    for (std::size_t i = 0, start = 0; i <= inside->size(); ++i) {
      const char c = i < inside->size() ? (*inside)[i] : ',';
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c != ',' || depth > 0) continue;
      const std::string_view part = trimmed(inside->substr(start, i - start));
      start = i + 1;
      if (part.empty() || out.size() >= most_layout_axes) return {};
      out.emplace_back(part);
    }
    at = end;
    if (round) break;
  }
  return out;
}

bool is_axis_name(std::string_view s) {
  return !s.empty() && !is_digit(s.front()) && std::ranges::all_of(s, is_word) && !is_english(s);
}

struct SharedArray {
  std::string name;
  int function = -1;
  std::vector<std::int64_t> extents;  ///< empty where one has no value
};

class LayoutReader {
 public:
  LayoutReader(const Lexed& lexed, const Outline& outline, const Values& values)
      : lexed_(lexed), outline_(outline), values_(values) {
    for (int i = 0; i + 1 < lexed.count(); ++i)
      if (lexed.is(i, "__shared__")) declared(i);
  }

  std::vector<MemoryClaim> run() {
    for (const CommentLine& l : comment_lines(lexed_)) {
      if (l.text.size() > longest_layout_line) continue;
      if (!declaration_with_axes(l)) layout_of(l);
    }
    return std::move(out_);
  }

 private:
  void declared(int token) {
    SharedArray array;
    array.function = outline_.function_at(token);
    constexpr int longest = 60;
    for (int i = token + 1; i < std::min(token + longest, lexed_.count() - 1) && !lexed_.is(i, ";"); ++i) {
      if (lexed_.token(i).kind != TokenKind::identifier || !lexed_.is(i + 1, "[")) continue;
      array.name = lexed_.of(i);
      bool known = true;
      for (int k = i + 1; lexed_.is(k, "[") && lexed_.partner(k) > k; k = lexed_.partner(k) + 1) {
        const ConstantValue v = lexed_.partner(k) > k + 1
                                    ? evaluate(joined(lexed_, k + 1, lexed_.partner(k) - 1), values_)
                                    : ConstantValue(tl::unexpected(std::string()));
        known = known && v.has_value();
        array.extents.push_back(v ? *v : 0);
      }
      if (!known) array.extents.clear();
      break;
    }
    if (!array.name.empty()) arrays_.push_back(std::move(array));
  }

  int function_of(const CommentLine& l) const {
    const int anchor = lexed_.last_before(l.offset);
    return anchor >= 0 ? outline_.function_at(anchor) : -1;
  }

  MemoryClaim begun(const CommentLine& l, Space space) const {
    MemoryClaim claim;
    claim.space = space;
    claim.text = l.text;
    claim.place = {l.line, l.column};
    if (const int f = function_of(l); f >= 0)
      claim.function = outline_.functions[static_cast<std::size_t>(f)].info.name;
    return claim;
  }

  static std::optional<Space> space_of(std::string_view word) {
    const std::string w = lower(word);
    if (one_of(w, {"shared", "smem", "__shared__", "lds"})) return Space::shared;
    if (one_of(w, {"global", "gmem"})) return Space::global;
    return std::nullopt;
  }

  /// "shared: uint E[32][256], (time, ns)".
  bool declaration_with_axes(const CommentLine& l) {
    const std::string_view s = l.text;
    std::size_t at = 0;
    while (at < s.size() && is_word(s[at])) ++at;
    const std::optional<Space> space = space_of(s.substr(0, at));
    if (!space) return false;
    at = behind_blanks(s, at);
    if (s.substr(at).starts_with("memory")) at = behind_blanks(s, at + 6);
    if (at >= s.size() || s[at] != ':') return false;
    const std::size_t bracket = s.find('[', at);
    if (bracket == std::string_view::npos) return false;
    std::size_t name = bracket;
    while (name > at && is_word(s[name - 1])) --name;
    const std::string_view type = trimmed(s.substr(at + 1, name - at - 1));
    if (name == bracket ||
        !std::ranges::all_of(type, [](char c) { return is_word(c) || is_blank(c) || c == '*' || c == ':'; }))
      return false;
    at = bracket;
    const std::vector<std::string> extents = list_of(s, at);
    at = behind_blanks(s, at);
    while (at < s.size() && (s[at] == ',' || s[at] == ':' || s[at] == ';')) at = behind_blanks(s, at + 1);
    for (const std::string_view word : {"indexed by", "indices", "axes", "as"})
      if (s.substr(at).starts_with(word)) at = behind_blanks(s, at + word.size());
    const std::vector<std::string> axes = list_of(s, at);
    if (axes.empty() || !std::ranges::all_of(axes, is_axis_name)) return false;
    MemoryClaim claim = begun(l, *space);
    claim.variable = s.substr(name, bracket - name);
    claim.element_type = type;
    if (axes.size() != extents.size())
      claim.unchecked_reason = fmt::format("{} extents, but {} axes", extents.size(), axes.size());
    for (std::size_t i = 0; i < axes.size() && i < extents.size(); ++i) {
      const ConstantValue extent = evaluate(extents[i], values_);
      if (!extent || *extent <= 0) {
        claim.unchecked_reason = extent ? fmt::format("the extent `{}` is {}", extents[i], *extent) : extent.error();
        break;
      }
      claim.axes.push_back({.name = axes[i], .extent = static_cast<std::uint64_t>(*extent), .stride_elements = 0});
    }
    finish(std::move(claim), l);
    return true;
  }

  /// "E layout: [time][ns]", "smem layout is (j, i)", "layout of E: (32,8):(1,32)".
  void layout_of(const CommentLine& l) {
    const std::string words = lower(l.text);
    const std::size_t word = words.find("layout");
    if (word == std::string::npos || (word > 0 && is_word(words[word - 1]))) return;
    std::size_t at = word + 6;
    if (at < words.size() && is_word(words[at])) return;
    const std::string_view s = l.text;
    at = behind_blanks(s, at);
    std::string name;
    if (s.substr(at).starts_with("of ")) {
      at = behind_blanks(s, at + 3);
      while (at < s.size() && is_word(s[at])) name += s[at++];
      at = behind_blanks(s, at);
    } else if (word > 0) {
      std::size_t end = word;
      while (end > 0 && (is_blank(s[end - 1]) || s[end - 1] == '\'' || s[end - 1] == '`')) --end;
      std::size_t begin = end;
      while (begin > 0 && is_word(s[begin - 1])) --begin;
      name = s.substr(begin, end - begin);
      if (lower(name) == "memory" && begin > 1) {
        end = begin - 1;
        begin = end;
        while (begin > 0 && is_word(s[begin - 1])) --begin;
        name = s.substr(begin, end - begin);
      }
    }
    const bool is = s.substr(at).starts_with("is ");
    if (at >= s.size() || (s[at] != ':' && s[at] != '=' && !is)) return;
    at = behind_blanks(s, at + (is ? 3 : 1));
    const std::vector<std::string> first = list_of(s, at);
    if (first.empty()) return;
    Space space = space_of(name).value_or(Space::shared);
    if (space_of(name)) name.clear();
    const int f = function_of(l);
    std::vector<const SharedArray*> possible;
    for (const SharedArray& a : arrays_)
      if ((f < 0 || a.function < 0 || a.function == f) && (name.empty() || a.name == name)) possible.push_back(&a);
    const bool pointer = f >= 0 && std::ranges::any_of(outline_.functions[static_cast<std::size_t>(f)].info.parameters,
                                                       [&](const Parameter& p) { return p.name == name; });
    if (!name.empty() && possible.empty() && !pointer) return;  // "TMA layout: (a, b)" is about something else
    if (pointer) space = Space::global;
    MemoryClaim claim = begun(l, space);
    claim.variable = !name.empty() ? name : possible.size() == 1 ? possible.front()->name : "";
    std::vector<std::string> strides;
    if (at < s.size() && s[at] == ':') {
      ++at;
      strides = list_of(s, at);
      if (strides.size() != first.size()) return;
    }
    const bool names = std::ranges::all_of(first, is_axis_name) && strides.empty();
    const std::vector<std::int64_t> extents =
        possible.size() == 1 ? possible.front()->extents : std::vector<std::int64_t>{};
    for (std::size_t i = 0; i < first.size(); ++i) {
      Axis axis;
      if (names) {
        axis.name = first[i];
        if (extents.size() == first.size())
          axis.extent = static_cast<std::uint64_t>(std::max<std::int64_t>(extents[i], 0));
      } else {
        const ConstantValue extent = evaluate(first[i], values_);
        const ConstantValue stride = strides.empty() ? ConstantValue(0) : evaluate(strides[i], values_);
        if (!extent || !stride || *extent <= 0 || *stride < 0) return;
        axis.extent = static_cast<std::uint64_t>(*extent);
        axis.stride_elements = static_cast<std::uint64_t>(*stride);
      }
      claim.axes.push_back(std::move(axis));
    }
    if (!names && strides.empty()) return;  // a shape alone says nothing about the order
    if (claim.variable.empty())
      claim.unchecked_reason =
          possible.empty() ? "the comment names no array" : "several arrays are in shared memory; name one";
    finish(std::move(claim), l);
  }

  /// Strides of C order where none are written; what the declaration says otherwise.
  void finish(MemoryClaim claim, const CommentLine& l) {
    const bool written = std::ranges::any_of(claim.axes, [](const Axis& a) { return a.stride_elements != 0; });
    std::uint64_t stride = 1;
    for (std::size_t i = claim.axes.size(); !written && i-- > 0;) {
      claim.axes[i].stride_elements = stride;
      if (__builtin_mul_overflow(stride, std::max<std::uint64_t>(claim.axes[i].extent, 1), &stride)) stride = 0;
    }
    const int f = function_of(l);
    for (const SharedArray& a : arrays_) {
      if (a.name != claim.variable || a.extents.empty() || (f >= 0 && a.function >= 0 && a.function != f)) continue;
      std::int64_t declared_elements = 1, last = 0;
      for (const std::int64_t e : a.extents) declared_elements *= std::clamp<std::int64_t>(e, 0, 1 << 20);
      for (const Axis& axis : claim.axes)
        last += static_cast<std::int64_t>((std::max<std::uint64_t>(axis.extent, 1) - 1) * axis.stride_elements);
      bool same = a.extents.size() == claim.axes.size();
      for (std::size_t i = 0; same && !written && i < a.extents.size(); ++i)
        same = claim.axes[i].extent == static_cast<std::uint64_t>(a.extents[i]);
      if (claim.unchecked_reason.empty() && !written && !same)
        claim.unchecked_reason =
            fmt::format("`{}` is declared with {} extents [{}]", a.name, a.extents.size(), fmt::join(a.extents, "]["));
      if (claim.unchecked_reason.empty() && last >= declared_elements)
        claim.unchecked_reason =
            fmt::format("its last element is number {}, but `{}` has {}", last, a.name, declared_elements);
    }
    out_.push_back(std::move(claim));
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Values& values_;
  std::vector<SharedArray> arrays_;
  std::vector<MemoryClaim> out_;
};

}  // namespace

std::vector<MemoryClaim> memory_claims(const Lexed& lexed, const Outline& outline, const Values& values) {
  return LayoutReader(lexed, outline, values).run();
}

}  // namespace lanescope::source
