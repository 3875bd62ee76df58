#include "kernels/source/notation/stored_orders.h"

#include <algorithm>
#include <optional>

#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

constexpr int longest_shared_declaration = 60;  ///< tokens
constexpr int deepest_place = 8;

class ArrayReader {
 public:
  ArrayReader(const Lexed& lexed, const Outline& outline, const Values& values)
      : lexed_(lexed), outline_(outline), values_(values) {}

  std::vector<SharedArray> run() {
    for (int i = 0; i + 1 < lexed_.count(); ++i)
      if (lexed_.is(i, "__shared__")) declared(i);
    if (out_.empty()) return {};
    for (std::size_t i = 0; i < outline_.locals.size(); ++i) {
      const Local& l = outline_.locals[i];
      if (l.pointer && !l.parameter && !l.member && l.token > 0) pointer(static_cast<int>(i));
    }
    return std::move(out_);
  }

 private:
  struct PlaceIn {
    std::string array;
    std::int64_t bytes = 0;
    int unit = 0;  ///< bytes that + 1 adds; 0: not known
  };

  static int size_of(std::string_view type) {
    const auto number = number_type_in(type);
    return number ? number->bytes : 0;
  }
  /// Tokens [first, last).
  std::string text(int first, int last) const { return first < last ? joined(lexed_, first, last - 1) : std::string(); }

  void declared(int token) {
    const int end = std::min(token + longest_shared_declaration, lexed_.count() - 1);
    int element_bytes = -1;
    for (int i = token + 1; i < end && !lexed_.is(i, ";"); ++i) {
      if (lexed_.token(i).kind != TokenKind::identifier || !lexed_.is(i + 1, "[")) continue;
      if (element_bytes < 0) element_bytes = size_of(text(token + 1, i));
      SharedArray array{.function = outline_.function_at(token)};
      array.name = array.array = lexed_.of(i);
      array.line = lexed_.token(i).line;
      array.element_bytes = element_bytes;
      bool known = true;
      for (int k = i + 1; lexed_.is(k, "[") && lexed_.partner(k) > k; k = lexed_.partner(k) + 1) {
        const ConstantValue v = lexed_.partner(k) > k + 1 ? evaluate(text(k + 1, lexed_.partner(k)), values_)
                                                          : ConstantValue(tl::unexpected(std::string()));
        known = known && v.has_value();
        for (int t = k + 1; t < lexed_.partner(k); ++t) array.flat = array.flat || lexed_.is(t, "*");
        array.factors = factors(k + 1, lexed_.partner(k));
        array.extents.push_back(v ? *v : 0);
        i = lexed_.partner(k);
      }
      if (!known) array.extents.clear();
      out_.push_back(std::move(array));
      if (!lexed_.is(i + 1, ",")) return;
    }
  }

  /// Of tokens [first, last), "BK * (BM + 4)"; empty where they are no product of two numbers.
  std::vector<std::int64_t> factors(int first, int last) const {
    int star = -1;
    for (int t = first; t < last; t = std::max(t + 1, lexed_.partner(t) + 1)) {
      if (lexed_.is(t, "+") || lexed_.is(t, "-") || lexed_.is(t, "/") || (lexed_.is(t, "*") && star >= 0)) return {};
      if (lexed_.is(t, "*")) star = t;
    }
    if (star <= first) return {};
    const ConstantValue a = evaluate(text(first, star), values_), b = evaluate(text(star + 1, last), values_);
    return a && b && *a > 0 && *b > 0 ? std::vector<std::int64_t>{*a, *b} : std::vector<std::int64_t>{};
  }

  void pointer(int local) {
    const Local& l = outline_.locals[static_cast<std::size_t>(local)];
    if (!lexed_.is(l.token + 1, "=")) return;
    int end = l.token + 2;
    const int limit = std::min(l.token + longest_shared_declaration, lexed_.count());
    while (end < limit && !lexed_.is(end, ";") && !lexed_.is(end, ","))
      end = lexed_.partner(end) > end ? lexed_.partner(end) + 1 : end + 1;
    if (end >= limit) return;
    const std::optional<PlaceIn> at = place(l.token + 2, end, l.function, 0);
    if (!at) return;
    SharedArray array{.name = l.name,
                      .array = at->array,
                      .function = l.function,
                      .line = lexed_.token(l.token).line,
                      .pointer = true,
                      .offset_bytes = at->bytes,
                      .element_bytes = size_of(l.type)};
    for (const Assign& a : outline_.assigns)
      if (a.local == local && a.element.empty() && a.token > end)
        array.problem = "`" + l.name + "` is set in several places";
    out_.push_back(std::move(array));
  }

  std::optional<PlaceIn> named(std::string_view name, int function) const {
    for (auto a = out_.rbegin(); a != out_.rend(); ++a)
      if (a->name == name && (a->function < 0 || a->function == function) && a->problem.empty() &&
          a->extents.size() <= 1)
        return PlaceIn{.array = a->array, .bytes = a->offset_bytes, .unit = a->element_bytes};
    return std::nullopt;
  }

  /// The place that is `by` elements after `base`.
  std::optional<PlaceIn> after(std::optional<PlaceIn> base, const std::string& by) const {
    const ConstantValue v = evaluate(by, values_);
    if (!base || !v || base->unit == 0 || *v < 0 || *v > (std::int64_t{1} << 30)) return std::nullopt;
    base->bytes += *v * base->unit;
    return base;
  }

  /// The place that the tokens [first, last) point to.
  std::optional<PlaceIn> place(int first, int last, int function, int depth) const {
    if (first >= last || depth > deepest_place) return std::nullopt;
    int plus = -1;
    for (int i = first; i < last; i = std::max(i + 1, lexed_.partner(i) + 1))
      if (lexed_.is(i, "+")) plus = i;
    if (plus > first) return after(place(first, plus, function, depth + 1), text(plus + 1, last));
    const int partner = lexed_.partner(first);
    if (lexed_.is(first, "(") && partner == last - 1) return place(first + 1, partner, function, depth + 1);
    if (lexed_.is(first, "(") && partner > first + 1 && partner < last - 1 && lexed_.is(partner - 1, "*"))
      return cast(place(partner + 1, last, function, depth + 1), text(first + 1, partner - 1));
    const int open = lexed_.partner(last - 1);
    if (lexed_.of(first).ends_with("_cast") && lexed_.is(last - 1, ")") && open > first + 2)
      return cast(place(open + 1, last - 1, function, depth + 1), text(first + 1, open));
    if (lexed_.is(first, "&") && lexed_.is(last - 1, "]") && open > first + 1)
      return after(place(first + 1, open, function, depth + 1), text(open + 1, last - 1));
    return first + 1 == last ? named(lexed_.of(first), function) : std::nullopt;
  }

  static std::optional<PlaceIn> cast(std::optional<PlaceIn> base, const std::string& type) {
    if (base) base->unit = size_of(type);
    return base;
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Values& values_;
  std::vector<SharedArray> out_;
};

}  // namespace

std::vector<std::int64_t> extents_apart(const SharedArray& array) {
  std::vector<std::int64_t> out = array.extents;
  if (!array.flat || array.factors.size() != 2 || out.empty()) return out;
  out.pop_back();
  out.insert(out.end(), array.factors.begin(), array.factors.end());
  return out;
}

std::vector<SharedArray> shared_arrays(const Lexed& lexed, const Outline& outline, const Values& values) {
  return ArrayReader(lexed, outline, values).run();
}

}  // namespace lanescope::source
