#include "kernels/source/data/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace lanescope::source {
namespace {

constexpr int rounds = 64;

/// The first 32 bits of the fractional parts of square and cube roots of the first primes, as the standard defines them.
struct Constants {
  std::array<std::uint32_t, 8> start{};
  std::array<std::uint32_t, rounds> round{};
};

std::uint32_t fraction(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

Constants make_constants() {
  Constants c;
  int found = 0;
  for (int n = 2; found < rounds; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    if (found < 8) c.start[static_cast<std::size_t>(found)] = fraction(std::sqrt(static_cast<long double>(n)));
    c.round[static_cast<std::size_t>(found)] = fraction(std::cbrt(static_cast<long double>(n)));
    ++found;
  }
  return c;
}

const Constants& constants() {
  static const Constants c = make_constants();
  return c;
}

void digest_block(const unsigned char* block, std::array<std::uint32_t, 8>& state) {
  const std::array<std::uint32_t, rounds>& round = constants().round;
  std::array<std::uint32_t, rounds> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  for (std::size_t i = 16; i < rounds; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> add{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += add[i];
}

}  // namespace

std::string sha256(std::span<const std::byte> bytes) {
  std::array<std::uint32_t, 8> state = constants().start;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t i = 0; i < whole; i += 64) digest_block(data + i, state);
  std::vector<unsigned char> tail(data + whole, data + bytes.size());
  tail.push_back(0x80);
  while (tail.size() % 64 != 56) tail.push_back(0);
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail.push_back(static_cast<unsigned char>(bits >> shift));
  for (std::size_t i = 0; i < tail.size(); i += 64) digest_block(tail.data() + i, state);
  std::string out;
  for (const std::uint32_t word : state) out += fmt::format("{:08x}", word);
  return out;
}

std::string sha256(std::string_view text) { return sha256(std::as_bytes(std::span(text.data(), text.size()))); }

}  // namespace lanescope::source
