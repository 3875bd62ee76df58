#include "kernels/source/header/index_extents.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace lanescope::source {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40;
constexpr int deepest_brackets = 60;

struct Interval {
  std::int64_t low = 0, high = 0;
};
using MaybeInterval = std::optional<Interval>;

MaybeInterval checked(std::int64_t low, std::int64_t high) {
  if (low > high || low < -largest || high > largest) return std::nullopt;
  return Interval{low, high};
}

class Walk {
 public:
  Walk(const Lexed& lexed, const FunctionRange& kernel, const std::array<std::uint32_t, 3>& grid,
       const std::array<std::uint32_t, 3>& block, const std::map<std::string, std::int64_t>& known)
      : lexed_(lexed), kernel_(kernel), grid_(grid), block_(block) {
    for (const auto& [name, value] : known) values_[name] = Interval{value, value};
    for (const Parameter& p : kernel.info.parameters)
      (p.type.find_first_of("*[") != std::string::npos ? pointers_ : scalars_).insert(p.name);
  }

  SuggestedSizes run() {
    for (int i = kernel_.open + 1; i < kernel_.close; ++i) {
      assignment(i);
      guard(i);
      access(i);
      moved_pointer(i);
    }
    return std::move(out_);
  }

 private:
  bool is_name(int i) const { return i < kernel_.close && lexed_.token(i).kind == TokenKind::identifier; }

  /// `i = expression;`, `i += expression`: of a name that gets another value later both count.
  void assignment(int i) {
    if (!is_name(i) || i + 1 >= kernel_.close) return;
    const std::string name(lexed_.of(i));
    if (lexed_.is(i + 1, "=") && !lexed_.is(i - 1, ".") && !lexed_.is(i - 1, "->")) {
      int at = i + 2;
      const MaybeInterval v = sum(at, 0);
      const bool whole = v && (lexed_.is(at, ";") || lexed_.is(at, ",") || lexed_.is(at, ")"));
      if (!whole) {
        lost_.insert(name);
        values_.erase(name);
      } else if (!lost_.contains(name)) {
        const auto before = values_.find(name);
        if (before == values_.end())
          values_[name] = *v;
        else
          before->second = {std::min(before->second.low, v->low), std::max(before->second.high, v->high)};
      }
      return;
    }
    const bool in_loop_head = in_for(i, 2);  // the bound of the loop is what counts
    for (const char* op : {"+=", "-=", "*=", "/=", "<<=", ">>=", "++", "--", "^=", "|=", "&="})
      if (lexed_.is(i + 1, op) && !in_loop_head) {
        lost_.insert(name);
        values_.erase(name);
      }
  }

  /// Whether token `i` is in this part, from 0, of a for's parentheses.
  bool in_for(int i, int part) const {
    int semicolons = 0;
    for (int at = i - 1; at > kernel_.open && at > i - 60; --at) {
      if (lexed_.is(at, ";")) ++semicolons;
      if (lexed_.is(at, "{") || lexed_.is(at, "}")) return false;
      if (lexed_.is(at, "(") && lexed_.is(at - 1, "for")) return semicolons == part;
    }
    return false;
  }

  /// `e < n`, `e >= n`, `n > e`: n is one more than e can be; of a loop's counter, its largest value is one less than n.
  void guard(int i) {
    const bool less = lexed_.is(i, "<") || lexed_.is(i, ">=");
    const bool with_equal = lexed_.is(i, "<=") || (lexed_.is(i, ">") && !lexed_.is(i + 1, ">"));
    if ((!less && !with_equal) || i + 2 >= kernel_.close) return;
    int first = i - 1;
    for (int steps = 0; first > kernel_.open && steps < 60; ++steps) {
      if (lexed_.is(first, ")") || lexed_.is(first, "]"))
        first = lexed_.partner(first) >= 0 ? lexed_.partner(first) : first;
      const int before = first - 1;
      if (lexed_.is(before, "(") || lexed_.is(before, ";") || lexed_.is(before, "&&") || lexed_.is(before, "||") ||
          lexed_.is(before, "=") || lexed_.is(before, ",") || lexed_.is(before, "?") || lexed_.is(before, "{"))
        break;
      --first;
    }
    int at = first;
    const MaybeInterval left = sum(at, 0);
    if (!left || at != i) return;
    int right = i + 1;
    const MaybeInterval bound = sum(right, 0);
    const std::string name(lexed_.of(i + 1));
    const bool alone = is_name(i + 1) && !lexed_.is(i + 2, "[") && !lexed_.is(i + 2, "(") && !lexed_.is(i + 2, ".") &&
                       !lexed_.is(i + 2, "*") && !lexed_.is(i + 2, "/") && !lexed_.is(i + 2, "+") &&
                       !lexed_.is(i + 2, "-");
    const bool counter = i - first == 1 && is_name(first) && in_for(first, 1);
    if (alone && scalars_.contains(name) && !bound) {
      const std::int64_t value = left->high + (less ? 1 : 0);
      std::int64_t& n = out_.scalars[name];
      n = std::max(n, value);
      if (!counter || value > 1) suggested_[name] = n;  // a loop from 0 that runs at all says nothing else
      return;
    }
    // `for (int k = 0; k < 16; ...)`: k counts up to 15
    if (counter && bound && less && lexed_.is(i, "<")) {
      auto known = values_.find(lexed_.of(first));
      if (known != values_.end()) known->second.high = std::max(known->second.high, bound->high - 1);
    }
  }

  void access(int i) {
    if (!is_name(i) || !lexed_.is(i + 1, "[") || !pointers_.contains(lexed_.of(i)) || lexed_.partner(i + 1) < 0) return;
    int at = i + 2;
    const MaybeInterval index = sum(at, 0);
    if (!index || at != lexed_.partner(i + 1) || index->high < 0) return;
    std::uint64_t& n = out_.elements[std::string(lexed_.of(i))];
    n = std::max(n, static_cast<std::uint64_t>(index->high) + 1);
  }

  /// `p + y * pitch + x`.
  void moved_pointer(int i) {
    if (!is_name(i) || !lexed_.is(i + 1, "+") || !pointers_.contains(lexed_.of(i))) return;
    int at = i + 2;
    sum(at, 0);
  }

  // --- expressions; `at` is after what was read ---------------------------------------------------------------------------

  MaybeInterval sum(int& at, int depth) {
    MaybeInterval rest = Interval{0, 0};  // of the terms without a parameter that has no value
    std::string stride;
    int strides = 0;
    bool whole = true, lost = false;
    for (bool first = true, plus = true; first || is_sign(at); first = false) {
      if (!first) plus = lexed_.is(at++, "+");
      open_ = {}, opens_ = 0;
      const MaybeInterval b = product(at, depth);
      const int opens = std::exchange(opens_, 0);
      if (b && rest) {
        rest = plus ? checked(rest->low + b->low, rest->high + b->high)
                    : checked(rest->low - b->high, rest->high - b->low);
      } else if (!b) {
        whole = false;
        if (opens == 1) stride = open_, ++strides;
        lost = lost || opens == 0;
      }
    }
    if (strides == 1 && !lost && rest && rest->low >= 0 && rest->high > 0) {
      std::int64_t& n = out_.strides[stride];
      n = std::max(n, rest->high + 1);
    }
    return whole ? rest : std::nullopt;
  }

  bool is_sign(int at) const { return at < kernel_.close && (lexed_.is(at, "+") || lexed_.is(at, "-")); }

  MaybeInterval product(int& at, int depth) {
    MaybeInterval a = factor(at, depth);
    bool multiplied = false;
    while (at < kernel_.close) {
      const std::string_view op = lexed_.of(at);
      if (op != "*" && op != "/" && op != "%" && op != "<<" && op != "&") break;
      const int opens = opens_;
      const MaybeInterval b = factor(++at, depth);
      if (op != "*" && opens_ > opens) opens_ = 0;  // it divides
      multiplied = true;
      if (!a || !b) {
        a = std::nullopt;
      } else if (op == "*") {
        if (a->low < 0 || b->low < 0 || (b->high > 0 && a->high > largest / b->high))
          a = std::nullopt;
        else
          a = checked(a->low * b->low, a->high * b->high);
      } else if (a->low < 0 || b->low != b->high || b->low <= 0) {
        a = std::nullopt;
      } else if (op == "/") {
        a = checked(a->low / b->low, a->high / b->low);
      } else if (op == "%") {
        a = checked(0, std::min(a->high, b->low - 1));
      } else if (op == "&") {
        a = checked(0, std::min(a->high, b->low));
      } else {
        a = b->low < 40 && a->high < largest >> b->low ? checked(a->low << b->low, a->high << b->low) : std::nullopt;
      }
    }
    if (!multiplied) opens_ = 0;  // `n - 1`
    return a;
  }

  MaybeInterval factor(int& at, int depth) {
    if (at >= kernel_.close || depth > deepest_brackets) return std::nullopt;
    const std::string_view word = lexed_.of(at);
    if (lexed_.token(at).kind == TokenKind::number) {
      const std::string digits(word);
      char* end = nullptr;
      const std::int64_t value = std::strtoll(digits.c_str(), &end, 0);
      ++at;
      const bool whole = end != nullptr && std::string_view(end).find_first_not_of("uUlL") == std::string_view::npos;
      return whole ? checked(value, value) : std::nullopt;
    }
    if (word == "(") {
      const int close = lexed_.partner(at);
      if (close < 0) return std::nullopt;
      const bool cast = close == at + 2 &&
                        (lexed_.is(at + 1, "int") || lexed_.is(at + 1, "unsigned") || lexed_.is(at + 1, "size_t") ||
                         lexed_.is(at + 1, "long") || lexed_.is(at + 1, "int64_t") || lexed_.is(at + 1, "uint32_t"));
      if (cast) return factor(at = close + 1, depth + 1);
      int inside = at + 1;
      const std::string_view open = open_;
      const int opens = opens_;
      MaybeInterval v = sum(inside, depth + 1);
      open_ = open, opens_ = opens;
      if (inside != close) v = std::nullopt;
      at = close + 1;
      return v;
    }
    if (lexed_.token(at).kind != TokenKind::identifier) return std::nullopt;
    ++at;
    const bool built_in = word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
    if (built_in && lexed_.is(at, ".") && at + 1 < kernel_.close) {
      const std::string_view axis = lexed_.of(at + 1);
      at += 2;
      if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z') return std::nullopt;
      const auto a = static_cast<std::size_t>(axis[0] - 'x');
      if (word == "threadIdx") return checked(0, std::int64_t{block_[a]} - 1);
      if (word == "blockIdx") return checked(0, std::int64_t{grid_[a]} - 1);
      return word == "blockDim" ? checked(block_[a], block_[a]) : checked(grid_[a], grid_[a]);
    }
    if (lexed_.is(at, "(") || lexed_.is(at, "[") || lexed_.is(at, ".") || lexed_.is(at, "->") || lexed_.is(at, "::")) {
      while (at < kernel_.close && (lexed_.is(at, "(") || lexed_.is(at, "[")) && lexed_.partner(at) > at)
        at = lexed_.partner(at) + 1;
      return std::nullopt;
    }
    if (const auto known = values_.find(word); known != values_.end()) return known->second;
    if (const auto known = suggested_.find(word); known != suggested_.end())
      return Interval{known->second, known->second};
    if (scalars_.contains(word) && !lost_.contains(word)) open_ = word, ++opens_;
    return std::nullopt;
  }

  const Lexed& lexed_;
  const FunctionRange& kernel_;
  const std::array<std::uint32_t, 3>& grid_;
  const std::array<std::uint32_t, 3>& block_;
  std::map<std::string, Interval, std::less<>> values_;
  std::map<std::string, std::int64_t, std::less<>> suggested_;
  std::set<std::string, std::less<>> lost_, pointers_, scalars_;
  std::string_view open_;  ///< the last scalar of a product that has no value
  int opens_ = 0;          ///< how many of them the product has
  SuggestedSizes out_;
};

}  // namespace

SuggestedSizes suggested_sizes(const Lexed& lexed, const FunctionRange& kernel,
                               const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                               const std::map<std::string, std::int64_t>& known) {
  return Walk(lexed, kernel, grid, block, known).run();
}

}  // namespace lanescope::source
