#include "kernels/source/notation/cute_layout.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/layout/affine_map.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/phrases.h"

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
  TupleReader(const Words& words, std::size_t k) : words_(words), k_(k) {}
  std::size_t end() const { return words_[k_ - 1].end(); }

  bool take(std::string_view text) { return is(text) && (++k_, true); }

  std::optional<Tuple> read(int depth = 0) {
    if (depth > deepest_tuple || k_ >= words_.size()) return std::nullopt;
    if (take("(")) return parts(")", depth);
    const std::string_view name = words_[k_].text;
    if (is("<", 1) && one_of(name, {"Shape", "Stride", "Step", "Tile"})) return k_ += 2, parts(">", depth);
    if (is("<", 1) && one_of(name, {"Int", "C"})) {
      k_ += 2;
      auto n = number();
      if (!n || !take(">")) return std::nullopt;
      if (is("{") && is("}", 1)) k_ += 2;
      return n;
    }
    return number();
  }

 private:
  bool is(std::string_view text, std::size_t ahead = 0) const {
    return k_ + ahead < words_.size() && words_[k_ + ahead].text == text;
  }

  std::optional<Tuple> parts(std::string_view close, int depth) {
    Tuple out;
    do {
      auto part = read(depth + 1);
      if (!part || out.parts.size() > 16) return std::nullopt;
      out.parts.push_back(std::move(*part));
    } while (take(","));
    return take(close) ? std::optional(std::move(out)) : std::nullopt;
  }

  /// "8", "_8"
  std::optional<Tuple> number() {
    if (k_ >= words_.size()) return std::nullopt;
    std::string_view digits = words_[k_].text;
    if (digits.starts_with('_')) digits.remove_prefix(1);
    Tuple out;
    const auto [past, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), out.number);
    if (problem != std::errc() || past != digits.data() + digits.size() || out.number > largest_number)
      return std::nullopt;
    ++k_;
    const bool goes_on = k_ < words_.size() && words_[k_].at == end() && is_word_start(words_[k_].text.front());
    return goes_on ? std::nullopt : std::optional(std::move(out));
  }

  const Words& words_;
  std::size_t k_;
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
  if (line.find(':') == std::string_view::npos && line.find("Layout<") == std::string_view::npos) return std::nullopt;
  const Words words = words_of(line);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::size_t at = words[k].at;
    const bool named = words[k].text.ends_with("Layout") && k + 1 < words.size() && words[k + 1].text == "<";
    if (!named && (words[k].text != "(" || (at > 0 && is_word(line[at - 1])))) continue;
    TupleReader reader(words, named ? k + 2 : k);
    const auto shape = reader.read();
    if (!shape || shape->parts.empty() || !reader.take(named ? "," : ":")) continue;
    const auto stride = reader.read();
    if (!stride || (named && !reader.take(">")) || stride->parts.size() != shape->parts.size()) continue;
    FoundLayout out{.layout = {}, .at = at, .end = reader.end(), .named = named};
    bool alike = true;
    for (std::size_t m = 0; m < shape->parts.size(); ++m)
      alike = flatten(shape->parts[m], stride->parts[m], out.layout.modes.emplace_back()) && alike;
    if (alike) return out;
  }
  return std::nullopt;
}

namespace {
constexpr int most_places_bits = 11;  ///< places that are all tried
}

std::optional<layout::Assignment> rows_of(const Placing& p, int register_bits) {
  layout::PhysicalToLogical m;
  m.shape.bits[static_cast<std::size_t>(layout::Place::reg)] = register_bits;
  m.shape.bits[static_cast<std::size_t>(layout::Place::thread)] = 5;
  m.shape.bits[static_cast<std::size_t>(layout::Place::warp)] = p.warp_bits;
  const int total = m.shape.total();
  const auto at = [&](int place) {
    return p.at(place >> register_bits & 31, place >> (register_bits + 5), place & ((1 << register_bits) - 1));
  };
  const auto origin = at(0);
  if (!origin) return std::nullopt;
  std::vector<std::int64_t> any = *origin;
  std::vector<std::vector<std::int64_t>> single;
  for (int b = 0; b < total; ++b) {
    auto one = at(1 << b);
    if (!one) return std::nullopt;
    for (std::size_t a = 0; a < any.size(); ++a) any[a] |= (*one)[a];
    single.push_back(std::move(*one));
  }
  std::vector<int> offsets;
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(any[a]));
    offsets.push_back(static_cast<int>(m.names.size()));
    for (int b = 0; b < bits; ++b) m.names.push_back(fmt::format("{}{}", p.axes[a], b));
  }
  if (m.names.size() > 60 || m.names.empty()) return std::nullopt;
  const auto packed = [&](const std::vector<std::int64_t>& coordinates) -> std::optional<std::uint64_t> {
    std::uint64_t out = 0;
    for (std::size_t a = 0; a < coordinates.size(); ++a) {
      if ((coordinates[a] & ~any[a]) != 0) return std::nullopt;
      out |= static_cast<std::uint64_t>(coordinates[a]) << offsets[a];
    }
    return out;
  };
  m.map.out_bits = static_cast<int>(m.names.size());
  m.map.constant = *packed(*origin);
  for (int b = 0; b < total; ++b)
    m.map.columns.push_back(*packed(single[static_cast<std::size_t>(b)]) ^ m.map.constant);
  // All places, or of very many those that differ in up to three bits and an even choice of the others.
  const int step = total <= most_places_bits ? 1 : (1 << (total - most_places_bits)) + 1;
  const auto agrees = [&](int place) {
    const auto there = at(place);
    const auto word = there ? packed(*there) : std::nullopt;
    return word && *word == m.map(static_cast<std::uint64_t>(place));
  };
  for (int place = 0; place < 1 << total; place += step)
    if (!agrees(place)) return std::nullopt;
  for (int a = 0; a < total && step > 1; ++a)
    for (int b = 0; b < a; ++b)
      for (int c = 0; c <= b; ++c)
        if (!agrees(1 << a | 1 << b | 1 << c)) return std::nullopt;
  layout::Assignment out = layout::from_map(m);
  bool something = false;
  for (auto& row : out.rows) {
    if (!row) continue;
    for (layout::Term& t : *row) {
      if (t.role == layout::Term::Role::unused) t.role = layout::Term::Role::unsaid;  // other axes may vary there
      something = something || t.role == layout::Term::Role::sum;
      for (const std::string& name : t.names)
        if (std::ranges::find(m.names, name) == m.names.end()) return std::nullopt;  // an element is in several places
    }
    if (std::ranges::all_of(*row, [](const layout::Term& t) { return t.role == layout::Term::Role::unsaid; }))
      row.reset();
  }
  return something ? std::optional(out) : std::nullopt;
}

}  // namespace lanescope::source
