#include "kernels/source/notation/index_formula.h"

#include "kernels/base/text.h"
#include "kernels/source/cxx/constant_expression.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_formula = 200, most_choices = 64, longest_number = 12;
constexpr int deepest_formula = 20;
constexpr std::int64_t largest_value = std::int64_t{1} << 40;

using Named = std::map<std::string, std::int64_t, std::less<>>;

}  // namespace

struct IndexFormula::Text {
  explicit Text(std::string of) : text(std::move(of)), lexed(lex_plainly(text)) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  std::string text;
  Lexed lexed;

  std::optional<std::int64_t> value(const Named& values) const {
    const ConstantValue v = constant_value(lexed, 0, lexed.count(), [&](std::string_view name) {
      const auto known = values.find(name);
      return known == values.end() ? std::nullopt : std::optional(known->second);
    });
    return v && *v >= 0 && *v <= largest_value ? std::optional(*v) : std::nullopt;
  }
};

/// Puts the words of a formula into C++. A list of choices becomes a mark.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : words_(words_of(text)) {}

  std::optional<IndexFormula> run() {
    std::string first, last;
    if (!expression(first)) return std::nullopt;
    if (is(".") && is(".", 1)) {
      while (is(".")) ++at_;
      if (!expression(last) || !choices_.empty()) return std::nullopt;
      out_.is_range_ = true;
      choices_ = {first, last};
      first = choice_mark;
    }
    if (at_ != words_.size()) return std::nullopt;
    if (choices_.empty()) choices_ = {""};
    out_.choices_ = static_cast<int>(choices_.size());
    for (const std::string& c : choices_) {
      std::string text = first;
      if (const std::size_t mark = text.find(choice_mark); mark != std::string::npos) text.replace(mark, 1, c);
      out_.texts_.push_back(std::make_shared<IndexFormula::Text>(std::move(text)));
    }
    if (!out_.is_range_) return std::move(out_);
    // How many numbers there are: the same wherever it is evaluated, here at zero.
    Named zero;
    for (const std::string& n : out_.names_) zero[n] = 0;
    const auto a = out_.texts_[0]->value(zero), b = out_.texts_[1]->value(zero);
    if (!a || !b || *b < *a || *b - *a >= static_cast<std::int64_t>(most_choices)) return std::nullopt;
    out_.choices_ = static_cast<int>(*b - *a) + 1;
    return std::move(out_);
  }

 private:
  static constexpr char choice_mark = '@';

  bool is(std::string_view text, std::size_t ahead = 0) const {
    return at_ + ahead < words_.size() && words_[at_ + ahead].text == text;
  }
  bool joins(std::size_t blanks) const {
    return at_ < words_.size() && words_[at_].at <= words_[at_ - 1].end() + blanks;
  }

  bool expression(std::string& out) {
    if (++depth_ > deepest_formula || !operand(out)) return false;
    for (std::string op = operation(); !op.empty(); op = operation()) {
      out += " " + op + " ";
      if (!operand(out)) return false;
    }
    --depth_;
    return true;
  }

  /// Takes a binary operator.
  std::string operation() {
    if (at_ >= words_.size()) return {};
    const std::string_view text = words_[at_].text;
    const bool twice = is(text, 1) && words_[at_ + 1].at == words_[at_].end();
    std::string out;
    if (text == "<" || text == ">")
      out = twice ? std::string(text) + std::string(text) : std::string();
    else if (one_of(text, {"+", "-", "*", "/", "%", "^"}) || (one_of(text, {"&", "|"}) && !twice))
      out = text;
    else if (one_of(text, {"\u00b7", "\u00d7"}))
      out = "*";
    else if (text == "mod")
      out = "%";
    at_ += out.size() == 2 ? 2 : out.empty() ? 0 : 1;
    return out;
  }

  bool operand(std::string& out) {
    if (at_ >= words_.size()) return false;
    const Word& w = words_[at_++];
    if (w.text == "(") {
      out += '(';
      if (!expression(out) || !is(")")) return false;
      ++at_, out += ')';
      return true;
    }
    if (w.text == "{") return choice(out);
    if (is_digit(w.text.front())) return number(w.text, out);
    if (!is_word_start(w.text.front()) || w.text.find(':') != std::string_view::npos) return false;
    std::string name(w.text);
    if (name == "x" && joins(0) && is_digit(words_[at_].text.front())) name += words_[at_++].text;
    out_.names_.insert(name);
    out += name;
    return true;
  }

  /// "4t", "2(l%4)", "2 (l%4)"
  bool number(std::string_view digits, std::string& out) {
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    digits.remove_prefix(zeros);  // in C++ a zero would begin a number in base 8
    if (digits.size() > longest_number) return false;
    const bool factor = (joins(0) && is_word_start(words_[at_].text.front()) && !is("mod")) || (joins(1) && is("("));
    out += factor ? "(" + std::string(digits) + "*" : std::string(digits);
    if (factor && !operand(out)) return false;
    if (factor) out += ')';
    return true;
  }

  /// "{0, 1}"
  bool choice(std::string& out) {
    if (!choices_.empty()) return false;  // which of two varies first?
    std::vector<std::string> parts;
    do {
      std::string& part = parts.emplace_back("(");
      if (!expression(part) || parts.size() > most_choices) return false;
      part += ')';
    } while (is(",") && ++at_ > 0);
    if (!is("}") || !choices_.empty()) return false;
    ++at_, out += choice_mark;
    choices_ = std::move(parts);
    return true;
  }

  Words words_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> choices_;
  IndexFormula out_;
};

std::optional<IndexFormula> IndexFormula::read(std::string_view text) {
  if (text.empty() || text.size() > longest_formula) return std::nullopt;
  return FormulaReader(text).run();
}

std::optional<std::int64_t> IndexFormula::value(const Named& values, int choice) const {
  if (!is_range_) return texts_[static_cast<std::size_t>(choice) % texts_.size()]->value(values);
  const auto first = texts_[0]->value(values), last = texts_[1]->value(values);
  return first && last && *last - *first + 1 == choices_ ? std::optional(*first + choice) : std::nullopt;
}

}  // namespace lanescope::source
