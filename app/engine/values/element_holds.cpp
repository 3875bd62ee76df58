#include "app/engine/values/element_holds.h"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

std::uint64_t packed(const Element& e) { return static_cast<std::uint64_t>(e.first) << 40 | e.second; }

}  // namespace

ElementHolds::ElementHolds(const trace::TagPool& tags, const std::vector<Element>& elements) : tags_(tags) {
  for (const Element& e : elements) {
    Pin pin{.element = e};
    if (e.first >= 0 && static_cast<std::size_t>(e.first) < tags.space.buffers.size()) {
      const trace::TagSpace::Range& range = tags.space.buffers[static_cast<std::size_t>(e.first)];
      pin.bits = std::max(range.element_bits, 1);
      pin.first_bit = std::uint64_t{range.first_word} * 32 + e.second * static_cast<std::uint64_t>(pin.bits);
      pin.traced = range.traced && pin.first_bit + static_cast<std::uint64_t>(pin.bits) <=
                                       (std::uint64_t{range.first_word} + range.words) * 32;
    }
    if (pin.traced) words_.push_back(static_cast<std::uint32_t>(pin.first_bit / 32));
    pins_.push_back(pin);
  }
}

std::uint64_t ElementHolds::pins_of_source_bit(std::uint64_t bit) const {
  std::uint64_t found = 0;
  for (std::size_t p = 0; p < pins_.size(); ++p) {
    const Pin& pin = pins_[p];
    if (pin.traced && bit >= pin.first_bit && bit - pin.first_bit < static_cast<std::uint64_t>(std::min(pin.bits, 32)))
      found |= std::uint64_t{1} << p;
  }
  return found;
}

/// A large set is a graph of unions, which can be as deep as a sum is long.
std::uint64_t ElementHolds::pins_of_set(std::uint32_t set) {
  std::vector<std::uint32_t> todo{set};
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    if (sets_.contains(at)) {
      todo.pop_back();
      continue;
    }
    std::uint64_t found = 0;
    if (const auto halves = tags_.halves(at)) {
      const auto left = sets_.find(halves->first), right = sets_.find(halves->second);
      if (left == sets_.end()) todo.push_back(halves->first);
      if (right == sets_.end()) todo.push_back(halves->second);
      if (todo.back() != at) continue;
      found = left->second | right->second;
    } else {
      const auto all = tags_.set(at);
      for (std::size_t p = 0; p < pins_.size(); ++p)
        if (pins_[p].traced && std::ranges::binary_search(all, packed(pins_[p].element)))
          found |= std::uint64_t{1} << p;
    }
    sets_.emplace(at, found);
    todo.pop_back();
  }
  return sets_.at(set);
}

std::uint64_t ElementHolds::pins_of_bit(trace::BitTag bit) {
  switch (bit.kind()) {
    case trace::BitKind::none:
      return 0;
    case trace::BitKind::source:
      return pins_of_source_bit(bit.payload());
    case trace::BitKind::parity: {
      const auto set = static_cast<std::uint32_t>(bit.payload());
      const auto [entry, fresh] = parities_.try_emplace(set, 0);
      if (fresh)
        for (const std::uint64_t source : tags_.set(set)) entry->second |= pins_of_source_bit(source);
      return entry->second;
    }
    case trace::BitKind::computed:
      break;
  }
  return pins_of_set(static_cast<std::uint32_t>(bit.payload()));
}

const std::vector<Hold>& ElementHolds::known(trace::WordTag tag) {
  const auto [entry, fresh] = known_.try_emplace(tag);
  if (!fresh) return entry->second;
  std::array<std::uint32_t, 64> where{};  // by pin: bits of the word that depend on it
  const trace::WordBits bits = tags_.bits(tag);
  std::uint64_t any = 0;
  for (std::size_t b = 0; b < 32; ++b) {
    const std::uint64_t here = pins_of_bit(bits[b]);
    any |= here;
    for (const std::size_t p : set_bits(here)) where[p] |= 1u << b;
  }
  for (const std::size_t p : set_bits(any)) {
    const Pin& pin = pins_[p];
    const int n = std::min(pin.bits, 32);
    bool found = false;
    for (int first = 0; first + n <= 32; first += n) {
      const std::uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << first;
      if ((where[p] & mask) != mask) continue;
      const trace::ElementTag e = tags_.element(tag, first, n);
      if (e.kind != trace::ElementTag::Kind::exact || Element{e.buffer, e.element} != pin.element) continue;
      entry->second.push_back({.pin = static_cast<int>(p), .first_bit = first, .bits = n});
      found = true;
    }
    if (found) continue;
    // A value that depends on it: the part where it begins, as wide as an element.
    const int first = std::countr_zero(where[p]) / n * n;
    const trace::ElementTag e = tags_.element(tag, first, n);
    const bool one = e.kind != trace::ElementTag::Kind::mixed;
    entry->second.push_back({.pin = static_cast<int>(p),
                             .first_bit = first,
                             .bits = n,
                             .exact = false,
                             .partial = e.kind == trace::ElementTag::Kind::partial,
                             .count = one ? 1 : std::max(e.count, 1u)});
  }
  return entry->second;
}

}  // namespace lanescope::engine
