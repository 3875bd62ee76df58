#include "kernels/instrument/by_ids.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>

namespace lanescope::instrument {
namespace {

/// Bits of the bit number inside a word: bit k of l, for l = 0 .. 31.
constexpr std::array<std::uint32_t, 5> bit_numbers{0xaaaaaaaau, 0xccccccccu, 0xf0f0f0f0u, 0xff00ff00u, 0xffff0000u};

constexpr std::uint64_t spread = 0x9e3779b97f4a7c15u;

/// Random bits of a counter that is spread (the finisher of SplitMix64).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

Ids::Ids(const trace::TagSpace& space, std::vector<bool> carries, std::uint64_t seed, int witnesses)
    : space_(space), carries_(std::move(carries)), witnesses_(witnesses), seed_(mix(seed * spread)) {
  for (const auto& b : space_.buffers)
    total_words_ = std::max<std::uint64_t>(total_words_, b.first_word + std::uint64_t{b.words});
  names_ = std::max(static_cast<int>(std::bit_width(std::max<std::uint64_t>(total_words_ * 32, 2) - 1)), 6);
  order_.resize(static_cast<std::size_t>(names_));
  std::iota(order_.begin(), order_.end(), 0);
  std::mt19937_64 random(seed_);
  for (std::size_t n = order_.size(); n > 1; --n) std::swap(order_[n - 1], order_[random() % n]);
  inverted_ = random();
}

std::uint32_t Ids::content(int run, std::uint32_t word) const {
  if (run >= names_) {
    const int pair = (run - names_) / 2;
    const std::uint64_t bits = mix(seed_ + ((std::uint64_t{word} << 8) + static_cast<std::uint64_t>(pair)) * spread);
    return static_cast<std::uint32_t>((run - names_) % 2 == 0 ? bits : bits >> 32);
  }
  const int k = order_[static_cast<std::size_t>(run)];
  const std::uint32_t plain = k < 5 ? bit_numbers[static_cast<std::size_t>(k)] : (word >> (k - 5) & 1) != 0 ? ~0u : 0u;
  return (inverted_ >> k & 1) != 0 ? ~plain : plain;
}

void Ids::fill(int run, std::vector<trace::Buffer>& buffers) const {
  for (std::size_t b = 0; b < space_.buffers.size(); ++b) {
    if (!carries_[b]) continue;
    trace::Bytes& bytes = buffers[b].bytes;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
      const std::uint32_t word = content(run, space_.buffers[b].first_word + static_cast<std::uint32_t>(at / 4));
      std::memcpy(bytes.data() + at, &word, std::min<std::size_t>(4, bytes.size() - at));
    }
  }
}

bool Ids::carried(std::uint64_t source_bit) const {
  const std::uint64_t word = source_bit / 32;
  for (std::size_t b = 0; b < space_.buffers.size(); ++b)
    if (word - space_.buffers[b].first_word < space_.buffers[b].words) return carries_[b];
  return false;
}

std::uint64_t Ids::candidate(std::span<const std::uint32_t> seen, int bit) const {
  std::uint64_t number = 0;
  for (int r = 0; r < names_; ++r) {
    const int k = order_[static_cast<std::size_t>(r)];
    number |= ((seen[static_cast<std::size_t>(r)] >> bit ^ inverted_ >> k) & 1) << k;
  }
  return number;
}

bool Ids::agrees(std::span<const std::uint32_t> seen, int bit, std::uint64_t source_bit, bool inverted) const {
  const std::uint32_t flip = inverted ? 1 : 0;
  for (int r = 0; r < runs(); ++r) {
    const std::uint32_t expected = content(r, static_cast<std::uint32_t>(source_bit / 32)) >> (source_bit % 32);
    if (((seen[static_cast<std::size_t>(r)] >> bit ^ expected ^ flip) & 1) != 0) return false;
  }
  return true;
}

Ids::Bit Ids::bit(std::span<const std::uint32_t> seen, int bit) const {
  const bool varies = std::ranges::any_of(seen, [&](std::uint32_t w) { return ((w ^ seen[0]) >> bit & 1) != 0; });
  if (!varies) return {.origin = Origin::constant};
  const std::uint64_t number = candidate(seen, bit), complement = ~number & ((std::uint64_t{1} << names_) - 1);
  if (carried(number) && agrees(seen, bit, number, false)) return {Origin::source, false, number};
  if (carried(complement) && agrees(seen, bit, complement, true)) return {Origin::source, true, complement};
  return {};
}

bool Ids::whole_word(std::span<const std::uint32_t> seen, std::uint32_t& word) const {
  const std::uint64_t number = candidate(seen, 0);
  word = static_cast<std::uint32_t>(number / 32);
  if (number % 32 != 0 || !carried(number)) return false;
  for (int r = 0; r < runs(); ++r)
    if (seen[static_cast<std::size_t>(r)] != content(r, word)) return false;
  return true;
}

}  // namespace lanescope::instrument
