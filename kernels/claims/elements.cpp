#include "kernels/claims/elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "kernels/base/text.h"

namespace lanescope::claims {

using trace::BitKind;
using trace::BitTag;
using trace::TagPool;
using trace::WordTag;

void Reader::find(std::uint32_t word) {
  if (in_last(word)) return;
  const int buffer = pool_->space.element_of(std::uint64_t{word} * 32).first;
  const trace::TagSpace::Range& range = pool_->space.buffers[static_cast<std::size_t>(buffer)];
  buffer_ = buffer;
  first_word_ = range.first_word;
  words_ = range.words;
  element_bits_ = range.element_bits;
}

Held Reader::read(std::span<const WordTag> words, int first_bit, int bits) {
  if (words[0] == trace::no_data && words.size() == 1) return {};
  const std::uint32_t word = words[0] & 0x7fffffffu;
  if (words.size() == 1 && TagPool::is_source_word(words[0])) {
    find(word);
    if (bits == element_bits_ && first_bit % bits == 0) {
      const auto per_word = static_cast<std::uint32_t>(32 / element_bits_);
      return {Held::Kind::exact, buffer_,
              std::uint64_t{word - first_word_} * per_word + static_cast<std::uint32_t>(first_bit / bits), 1};
    }
  }
  if (words.size() == 2 && TagPool::is_source_word(words[0]) && words[1] == words[0] + 1 && first_bit == 0 &&
      bits == 64) {
    find(word);
    if (element_bits_ == 64 && (word - first_word_) % 2 == 0)
      return {Held::Kind::exact, buffer_, (word - first_word_) / 2, 1};
  }
  return read_slowly(words, first_bit, bits);
}

std::optional<Held> Reader::unmoved(WordTag word, int first_bit, int bits) {
  if (word != known_ || known_ == trace::no_data) {
    known_ = word;
    known_bits_ = pool_->bits(word);
  }
  const BitTag first = known_bits_[static_cast<std::size_t>(first_bit)];
  if (first.kind() != BitKind::source || first.inverted()) return std::nullopt;
  std::uint64_t other = 0;
  for (int i = 0; i < bits; ++i)
    other |= known_bits_[static_cast<std::size_t>(first_bit + i)].raw ^ (first.raw + static_cast<std::uint64_t>(i));
  if (other != 0) return std::nullopt;
  find(static_cast<std::uint32_t>(first.payload() / 32));
  const std::uint64_t bit = first.payload() - std::uint64_t{first_word_} * 32;
  const auto wide = static_cast<std::uint64_t>(element_bits_);
  if (bits != element_bits_ || bit % wide != 0) return std::nullopt;
  return Held{Held::Kind::exact, buffer_, bit / wide, 1};
}

Held Reader::read_slowly(std::span<const WordTag> words, int first_bit, int bits) {
  // Consecutive source bits in one word, by far the most frequent case.
  if (first_bit + bits <= 32)
    if (const std::optional<Held> held = unmoved(words[0], first_bit, bits)) return *held;
  // Consecutive source bits that start where an element starts are that element, and need no sets.
  bool in_order = true, plain = true, any_none = false, any_data = false, top_only_missing = true;
  bool one_set = true;
  BitTag first, previous;
  std::uint64_t seen = 0;  // source bits, modulo 64: an element of 64 bits starts at an even word
  for (int i = 0; i < bits; ++i) {
    const WordTag word = words[static_cast<std::size_t>((first_bit + i) / 32)];
    if (word != known_ || (i == 0 && known_ == trace::no_data)) {
      known_ = word;
      known_bits_ = pool_->bits(word);
    }
    const BitTag b = known_bits_[static_cast<std::size_t>((first_bit + i) % 32)];
    if (i == 0) first = b;
    one_set = one_set && b == first;
    const bool none = b.kind() == BitKind::none;
    in_order = in_order && b.kind() == BitKind::source && (i == 0 || b.raw == previous.raw + 1);
    plain = plain && (none || (b.kind() == BitKind::source && !b.inverted()));
    if (b.kind() == BitKind::source) seen |= std::uint64_t{1} << (b.payload() % 64);
    any_none = any_none || none;
    any_data = any_data || !none;
    if (i + 1 < bits)
      top_only_missing = top_only_missing && b.kind() == BitKind::source && (i == 0 || b.raw == previous.raw + 1);
    previous = b;
  }
  if (!any_data) return {};
  if (one_set && first.kind() == BitKind::computed) {
    // A sum over many: no listing of a large set for each place.
    const auto set = static_cast<std::uint32_t>(first.payload());
    if (set == TagPool::too_many || pool_->halves(set)) return {Held::Kind::mixed, -1, 0, ~0u};
  }
  if (in_order && plain) {
    find(static_cast<std::uint32_t>(first.payload() / 32));
    const std::uint64_t bit = first.payload() - std::uint64_t{first_word_} * 32;
    const auto wide = static_cast<std::uint64_t>(element_bits_);
    if (bits == element_bits_ && bit % wide == 0) return {Held::Kind::exact, buffer_, bit / wide, 1};
  }
  std::vector<std::pair<int, std::uint64_t>> from;
  for (int at = first_bit; at < first_bit + bits;) {
    const int count = std::min(32 - at % 32, first_bit + bits - at);
    const auto more = pool_->sources(words[static_cast<std::size_t>(at / 32)], at % 32, count);
    from.insert(from.end(), more.begin(), more.end());
    at += count;
  }
  std::ranges::sort(from);
  from.erase(std::ranges::unique(from).begin(), from.end());
  if (from.empty()) return {Held::Kind::mixed, -1, 0, ~0u};  // a dependency set that ran over
  Held held{Held::Kind::computed, from.front().first, from.front().second, static_cast<std::uint32_t>(from.size())};
  if (from.size() > 1) {
    held.kind = plain ? Held::Kind::torn : Held::Kind::mixed;
  } else if (plain) {
    // Unchanged bits of one element, but not all of them: a move that lost something. Three things that people do to
    // numbers are no loss: clearing the sign, widening (bf16 to f32), and turning the order of the bits round.
    const int element_bits = pool_->space.buffers[static_cast<std::size_t>(held.buffer)].element_bits;
    const bool magnitude = bits == element_bits && top_only_missing && any_none && bits >= 16;
    const bool widened = bits > element_bits;
    const bool permuted = bits == element_bits && std::popcount(seen) == bits;
    held.kind = magnitude || widened || permuted ? Held::Kind::computed : Held::Kind::torn;
  }
  return held;
}

int Reader::buffer_of(WordTag word) {
  if (word == trace::no_data) return -1;
  if (TagPool::is_source_word(word)) {
    find(word & 0x7fffffffu);
    return buffer_;
  }
  for (const BitTag b : pool_->bits(word)) {
    if (b.kind() == BitKind::none) continue;
    if (b.kind() == BitKind::source) return pool_->space.element_of(b.payload()).first;
    auto set = static_cast<std::uint32_t>(b.payload());
    if (set == TagPool::too_many) return -1;
    while (const auto halves = pool_->halves(set)) set = std::max(halves->first, halves->second);
    const auto members = pool_->set(set);
    if (members.empty()) return -1;
    return b.kind() == BitKind::parity ? pool_->space.element_of(members.front()).first
                                       : static_cast<int>(members.front() >> 40);
  }
  return -1;
}

// --- coordinates ----------------------------------------------------------------------------------------------------

LogicalBits::LogicalBits(const source::BufferSpec& buffer) : buffer_(&buffer), elements_(buffer.elements) {
  for (const source::Axis& a : buffer.axes) {
    const int bits = a.extent <= 1 ? 0 : std::bit_width(a.extent - 1);
    axes_.push_back({a.name, a.extent, a.stride_elements, 0, bits});
  }
  dense_ = !axes_.empty();
  std::uint64_t contiguous = 1;
  for (std::size_t n = axes_.size(); n-- > 0;) {
    Axis& a = axes_[n];
    a.offset = total_;
    total_ += a.bits;
    ragged_ = ragged_ || !std::has_single_bit(std::max<std::uint64_t>(a.extent, 1));
    dense_ = dense_ && std::has_single_bit(a.extent) && (a.stride == contiguous || a.extent == 1);
    contiguous *= a.extent;
    by_stride_.push_back(n);
  }
  std::ranges::sort(by_stride_, [&](std::size_t x, std::size_t y) { return axes_[x].stride > axes_[y].stride; });
  std::uint64_t reach = 1;
  for (auto it = by_stride_.rbegin(); it != by_stride_.rend(); ++it) {
    const Axis& a = axes_[*it];
    if (a.extent <= 1) continue;
    nested_ = nested_ && a.stride >= reach;
    reach = a.stride * (a.extent - 1) + reach;
  }
  if (dense_) elements_ = contiguous;
}

LogicalBits::LogicalBits(const source::BufferSpec& buffer, const NamedBits& bits)
    : single_(bits), buffer_(&buffer), elements_(buffer.elements) {
  const int all = buffer.elements <= 1 ? 0 : std::bit_width(buffer.elements - 1);
  for (int n = 0; n < all; ++n)
    if (std::ranges::find(bits, n, &NamedBits::value_type::second) == bits.end())
      single_.emplace_back(fmt::format("bit {}", n), n);
  total_ = static_cast<int>(single_.size());
}

std::optional<std::uint64_t> LogicalBits::pack_bits(std::uint64_t element) const {
  if (element >= elements_) return std::nullopt;
  std::uint64_t packed = 0;
  for (std::size_t n = 0; n < single_.size(); ++n) packed |= (element >> single_[n].second & 1) << n;
  return packed;
}

std::optional<std::uint64_t> LogicalBits::pack_strided(std::uint64_t element) const {
  std::uint64_t packed = 0;
  if (!nested_) {
    const auto coordinates = source::coordinates(*buffer_, element);
    if (!coordinates) return std::nullopt;
    for (std::size_t n = 0; n < axes_.size(); ++n) packed |= (*coordinates)[n] << axes_[n].offset;
    return packed;
  }
  for (const std::size_t n : by_stride_) {
    const Axis& a = axes_[n];
    if (a.extent <= 1) continue;
    const std::uint64_t at = element / a.stride;
    if (at >= a.extent) return std::nullopt;
    element -= at * a.stride;
    packed |= at << a.offset;
  }
  return element == 0 ? std::optional(packed) : std::nullopt;
}

bool LogicalBits::inside(std::uint64_t packed) const {
  return std::ranges::all_of(axes_, [&](const Axis& a) {
    return a.bits == 0 || (packed >> a.offset & ((std::uint64_t{1} << a.bits) - 1)) < a.extent;
  });
}

bool LogicalBits::ragged(std::string_view name) const {
  int bit = 0;
  const Axis* a = axis_of(name, bit);
  return a != nullptr && a->extent > 0 && !std::has_single_bit(a->extent);
}

int LogicalBits::bit_of(std::string_view name) const {
  if (!single_.empty()) {
    const auto at = std::ranges::find(single_, name, &NamedBits::value_type::first);
    return at == single_.end() ? -1 : static_cast<int>(at - single_.begin());
  }
  int bit = 0;
  const Axis* a = axis_of(name, bit);
  return a == nullptr ? -1 : bit < a->bits ? a->offset + bit : total_;
}

const LogicalBits::Axis* LogicalBits::axis_of(std::string_view name, int& found) const {
  const Axis* best = nullptr;
  std::size_t best_length = 0;
  for (const Axis& a : axes_) {
    if (!name.starts_with(a.name) || a.name.size() < best_length || a.name.empty()) continue;
    const std::string_view digits = name.substr(a.name.size());
    int bit = 0;
    if (!digits.empty()) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bit);
      if (error != std::errc{} || end != digits.data() + digits.size()) continue;
    }
    best_length = a.name.size();
    best = &a;
    found = bit;
  }
  return best;
}

std::string LogicalBits::name_of(int bit) const {
  if (!single_.empty()) return single_[static_cast<std::size_t>(bit)].first;
  for (const Axis& a : axes_) {
    if (bit < a.offset || bit >= a.offset + a.bits) continue;
    // An axis of two with a long name is a flag, and its bit is written as the flag: "ReIm".
    return a.bits == 1 && a.name.size() > 1 ? a.name : fmt::format("{}{}", a.name, bit - a.offset);
  }
  return fmt::format("bit{}", bit);
}

std::string LogicalBits::in_words(std::uint64_t packed) const {
  if (!single_.empty()) {
    std::vector<std::string> values;
    for (std::size_t n = 0; n < single_.size(); ++n)
      values.push_back(fmt::format("{}={}", single_[n].first, packed >> n & 1));
    return fmt::format("({})", fmt::join(values, ","));
  }
  std::vector<std::uint64_t> at;
  for (const Axis& a : axes_) at.push_back(packed >> a.offset & ((std::uint64_t{1} << a.bits) - 1));
  return fmt::format("({})", fmt::join(at, ","));
}

std::string LogicalBits::axes_in_words() const {
  std::vector<std::string> names;
  for (const auto& [name, bit] : single_) names.push_back(name);
  for (const Axis& a : axes_) names.push_back(a.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

namespace {

struct Numbered {
  std::string stem;
  int number = 0;
};

std::optional<Numbered> numbered(const std::string& name) {
  const std::size_t at = without_trailing_digits(name).size();
  const bool padded = name.size() - at > 1 && name[at] == '0';  // x00 is not x0
  if (at == 0 || at == name.size() || padded) return std::nullopt;
  Numbered n{name.substr(0, at), 0};
  const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), n.number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return n;
}

/// Variables of one stem in one function and scope, as far as they have been met.
struct Gathered {
  std::string stem, function;
  std::vector<std::pair<int, int>> members;  ///< number, id
  std::size_t order = 0;                     ///< of the first one
};

bool complete(const Gathered& g) {
  if (g.members.size() < 2 || !std::has_single_bit(g.members.size())) return false;
  for (std::size_t i = 0; i < g.members.size(); ++i)
    if (g.members[i].first != static_cast<int>(i)) return false;
  return true;
}

}  // namespace

std::vector<Family> families(const source::Source& source) {
  std::vector<Gathered> gathered;
  std::vector<std::pair<std::size_t, Family>> found;
  for (std::size_t order = 0; order < source.variables.size(); ++order) {
    const source::Variable& v = source.variables[order];
    const std::optional<Numbered> n = numbered(v.name);
    if (!n) {
      found.push_back({order, {v.name, {v.id}, v.function}});
      continue;
    }
    auto open = std::find_if(gathered.rbegin(), gathered.rend(),
                             [&](const Gathered& g) { return g.stem == n->stem && g.function == v.function; });
    const bool again = open != gathered.rend() &&
                       std::ranges::any_of(open->members, [&](const auto& m) { return m.first == n->number; });
    if (open == gathered.rend() || again) {
      gathered.push_back({n->stem, v.function, {}, order});
      open = gathered.rbegin();
    }
    open->members.emplace_back(n->number, v.id);
  }
  for (Gathered& g : gathered) {
    std::ranges::sort(g.members);
    if (complete(g)) {
      Family f{g.stem, {}, g.function};
      for (const auto& [number, id] : g.members) f.variables.push_back(id);
      found.push_back({g.order, std::move(f)});
      continue;
    }
    for (const auto& [number, id] : g.members)
      found.push_back({g.order, {g.stem + std::to_string(number), {id}, g.function}});
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, Family>::first);
  std::vector<Family> out;
  for (auto& [order, family] : found) out.push_back(std::move(family));
  return out;
}

}  // namespace lanescope::claims
