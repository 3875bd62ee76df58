#include "kernels/source/notation/cute_layout.h"

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {
namespace {

constexpr int deepest_tuple = 6;
constexpr std::int64_t largest_number = std::int64_t{1} << 30;

struct Tuple {
  std::int64_t number = -1;  ///< -1: it has parts
  std::vector<Tuple> parts;
};

class TupleReader {
 public:
  TupleReader(std::string_view s, std::size_t at) : s_(s), at_(at) {}
  std::size_t at() const { return at_; }

  bool word(std::string_view w) {
    blanks();
    if (!s_.substr(at_).starts_with(w)) return false;
    at_ += w.size();
    return true;
  }

  std::optional<Tuple> read(int depth = 0) {
    blanks();
    if (depth > deepest_tuple || at_ >= s_.size()) return std::nullopt;
    for (const std::string_view open : {"(", "Shape<", "Stride<", "Step<", "Tile<"})
      if (word(open)) return parts(open == "(" ? ')' : '>', depth);
    for (const std::string_view open : {"Int<", "C<"})
      if (word(open)) {
        auto n = number();
        if (!n || !word(">")) return std::nullopt;
        word("{}");
        return n;
      }
    word("_");
    return number();
  }

 private:
  void blanks() {
    while (at_ < s_.size() && is_blank(s_[at_])) ++at_;
  }

  std::optional<Tuple> parts(char close, int depth) {
    Tuple out;
    for (;;) {
      auto part = read(depth + 1);
      blanks();
      if (!part || at_ >= s_.size() || out.parts.size() > 16) return std::nullopt;
      out.parts.push_back(std::move(*part));
      const char c = s_[at_++];
      if (c == close) return out;
      if (c != ',') return std::nullopt;
    }
  }

  std::optional<Tuple> number() {
    Tuple out;
    while (at_ < s_.size() && is_digit(s_[at_])) {
      out.number = std::max<std::int64_t>(out.number, 0) * 10 + (s_[at_++] - '0');
      if (out.number > largest_number) return std::nullopt;
    }
    if (out.number < 0 || (at_ < s_.size() && is_word_start(s_[at_]))) return std::nullopt;
    return out;
  }

  std::string_view s_;
  std::size_t at_;
};

/// Leaves of both, which must be alike.
bool flatten(const Tuple& shape, const Tuple& stride, CuteLayout::Mode& out) {
  if (shape.number >= 0 || stride.number >= 0) {
    if (shape.number < 0 || stride.number < 0) return false;
    out.shape.push_back(shape.number);
    out.stride.push_back(stride.number);
    return true;
  }
  if (shape.parts.size() != stride.parts.size()) return false;
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    if (!flatten(shape.parts[i], stride.parts[i], out)) return false;
  return true;
}

}  // namespace

std::int64_t CuteLayout::Mode::size() const {
  std::int64_t out = 1;
  for (const std::int64_t s : shape) out = s <= 0 ? 0 : std::min(out * s, largest_number);
  return out;
}

std::int64_t CuteLayout::Mode::at(std::int64_t number) const {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] <= 0) return 0;
    out += number % shape[i] * stride[i];
    number /= shape[i];
  }
  return out;
}

std::optional<FoundLayout> find_cute_layout(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool named = line.substr(at).starts_with("Layout<");
    if (!named && (line[at] != '(' || (at > 0 && is_word(line[at - 1])))) continue;
    TupleReader reader(line, at);
    if (named) reader.word("Layout<");
    const auto shape = reader.read();
    if (!shape || shape->parts.empty() || !reader.word(named ? "," : ":")) continue;
    const auto stride = reader.read();
    if (!stride || (named && !reader.word(">")) || stride->parts.size() != shape->parts.size()) continue;
    FoundLayout out{.layout = {}, .at = at, .end = reader.at(), .named = named};
    bool alike = true;
    for (std::size_t m = 0; m < shape->parts.size(); ++m)
      alike = flatten(shape->parts[m], stride->parts[m], out.layout.modes.emplace_back()) && alike;
    if (alike) return out;
  }
  return std::nullopt;
}

}  // namespace lanescope::source
