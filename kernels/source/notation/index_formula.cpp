#include "kernels/source/notation/index_formula.h"

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {
constexpr std::size_t longest_formula = 200;
constexpr int deepest_formula = 20;
constexpr std::int64_t largest_value = std::int64_t{1} << 40;
constexpr int most_choices = 64;

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 128; }
}  // namespace

/// Recursive descent; precedence as in C.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view s) : s_(s) {}

  std::optional<IndexFormula> run() {
    int root = binary(0);
    blanks();
    if (root >= 0 && s_.substr(at_).starts_with("..")) {
      while (at_ < s_.size() && s_[at_] == '.') ++at_;
      const int last = binary(0);
      if (last < 0 || out_.choices_ != 1) return std::nullopt;
      root = add({.op = 'r', .number = 0, .name = {}, .parts = {root, last}});
      // How many numbers there are: the same wherever it is evaluated, here at zero.
      std::map<std::string, std::int64_t, std::less<>> zero;
      for (const std::string& n : out_.names_) zero[n] = 0;
      const auto& ends = out_.nodes_[static_cast<std::size_t>(root)].parts;
      const auto a = out_.value_of(ends[0], zero, 0), b = out_.value_of(ends[1], zero, 0);
      if (!a || !b || *b < *a || *b - *a >= most_choices) return std::nullopt;
      out_.choices_ = static_cast<int>(*b - *a) + 1;
    }
    blanks();
    if (root < 0 || at_ != s_.size()) return std::nullopt;
    out_.root_ = root;
    return std::move(out_);
  }

 private:
  using Node = IndexFormula::Node;
  int add(Node n) {
    out_.nodes_.push_back(std::move(n));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  void blanks() {
    while (at_ < s_.size() && is_blank(s_[at_])) ++at_;
  }

  /// The binary operator at this place and its level; '\0': none.
  std::pair<char, int> operator_here() {
    blanks();
    const std::string_view rest = s_.substr(at_);
    for (const std::string_view times : {"\u00b7", "\u00d7"})
      if (rest.starts_with(times)) return {'*', 5};
    if (rest.starts_with("<<")) return {'<', 3};
    if (rest.starts_with(">>")) return {'>', 3};
    if (rest.empty() || rest.starts_with("&&") || rest.starts_with("||")) return {'\0', 0};
    switch (rest.front()) {
      case '|':
        return {'|', 0};
      case '^':
        return {'^', 1};
      case '&':
        return {'&', 2};
      case '+':
      case '-':
        return {rest.front(), 4};
      case '*':
      case '/':
      case '%':
        return {rest.front(), 5};
      default:
        return rest.starts_with("mod ") ? std::pair{'%', 5} : std::pair{'\0', 0};
    }
  }

  int binary(int level) {
    if (++depth_ > deepest_formula) return -1;
    int left = unary();
    while (left >= 0) {
      const auto [op, of] = operator_here();
      if (op == '\0' || of < level) break;
      const bool two_bytes = op == '<' || op == '>' || !is_ascii(s_[at_]);
      at_ += two_bytes ? 2 : s_.substr(at_).starts_with("mod ") ? 3 : 1;
      const int right = binary(of + 1);
      if (right < 0) return -1;
      left = add({.op = op, .number = 0, .name = {}, .parts = {left, right}});
    }
    --depth_;
    return left;
  }

  int unary() {
    blanks();
    if (at_ >= s_.size()) return -1;
    const char c = s_[at_];
    if (c == '(') {
      ++at_;
      const int inner = binary(0);
      blanks();
      if (inner < 0 || at_ >= s_.size() || s_[at_] != ')') return -1;
      ++at_;
      return inner;
    }
    if (c == '{') return choice();
    if (is_digit(c)) {
      Node n;
      while (at_ < s_.size() && is_digit(s_[at_])) {
        n.number = n.number * 10 + (s_[at_++] - '0');
        if (n.number > largest_value) return -1;
      }
      if (at_ < s_.size() && s_[at_] == '.' && !s_.substr(at_).starts_with("..")) return -1;
      const int number = add(std::move(n));
      // "4t", "2(l%4)", "2 (l%4)"
      if (s_.substr(at_).starts_with(" (")) ++at_;
      if (at_ < s_.size() && (is_word_start(s_[at_]) || s_[at_] == '(') && !s_.substr(at_).starts_with("mod ")) {
        const int factor = unary();
        return factor < 0 ? -1 : add({.op = '*', .number = 0, .name = {}, .parts = {number, factor}});
      }
      return number;
    }
    if (!is_word_start(c)) return -1;
    Node n;
    n.op = 'v';
    while (at_ < s_.size() &&
           (is_word(s_[at_]) || (s_[at_] == '.' && at_ + 1 < s_.size() && is_word_start(s_[at_ + 1]))))
      n.name += s_[at_++];
    out_.names_.insert(n.name);
    return add(std::move(n));
  }

  /// "{0, 1}"
  int choice() {
    Node n;
    n.op = 's';
    ++at_;
    for (;;) {
      const int part = binary(0);
      if (part < 0) return -1;
      n.parts.push_back(part);
      blanks();
      if (at_ >= s_.size() || n.parts.size() > most_choices) return -1;
      const char c = s_[at_++];
      if (c == '}') break;
      if (c != ',') return -1;
    }
    if (out_.choices_ != 1) return -1;  // which of two varies first?
    out_.choices_ = static_cast<int>(n.parts.size());
    return add(std::move(n));
  }

  std::string_view s_;
  std::size_t at_ = 0;
  int depth_ = 0;
  IndexFormula out_;
};

std::optional<IndexFormula> IndexFormula::read(std::string_view text) {
  if (text.empty() || text.size() > longest_formula) return std::nullopt;
  return FormulaReader(text).run();
}

std::optional<std::int64_t> IndexFormula::value(const std::map<std::string, std::int64_t, std::less<>>& values,
                                                int choice) const {
  return value_of(root_, values, choice);
}

std::optional<std::int64_t> IndexFormula::value_of(int node,
                                                   const std::map<std::string, std::int64_t, std::less<>>& values,
                                                   int choice) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  if (n.op == 'n') return n.number;
  if (n.op == 'v') {
    const auto v = values.find(n.name);
    return v == values.end() ? std::nullopt : std::optional(v->second);
  }
  if (n.op == 's') return value_of(n.parts[static_cast<std::size_t>(choice) % n.parts.size()], values, choice);
  const auto a = value_of(n.parts[0], values, choice), b = value_of(n.parts[1], values, choice);
  if (!a || !b) return std::nullopt;
  std::int64_t out = 0;
  switch (n.op) {
    case 'r':
      if (*b - *a + 1 != choices_) return std::nullopt;
      out = *a + choice;
      break;
    case '+':
      out = *a + *b;
      break;
    case '-':
      out = *a - *b;
      break;
    case '*':
      if (std::max(*a, *b) > (std::int64_t{1} << 20)) return std::nullopt;
      out = *a * *b;
      break;
    case '/':
    case '%':
      if (*b == 0) return std::nullopt;
      out = n.op == '/' ? *a / *b : *a % *b;
      break;
    case '&':
      out = *a & *b;
      break;
    case '|':
      out = *a | *b;
      break;
    case '^':
      out = *a ^ *b;
      break;
    case '<':
      if (*b > 20) return std::nullopt;
      out = *a << *b;
      break;
    case '>':
      if (*b > 40) return std::nullopt;
      out = *a >> *b;
      break;
    default:
      return std::nullopt;
  }
  if (out < 0 || out > largest_value) return std::nullopt;
  return out;
}

}  // namespace lanescope::source
