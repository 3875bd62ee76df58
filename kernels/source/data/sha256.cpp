#include "kernels/source/data/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

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

using State = std::array<std::uint32_t, 8>;

void digest_block(const unsigned char* block, State& state) {
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
  const State add{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += add[i];
}

#ifdef __x86_64__
bool has_instructions() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0;
  }();
  return has;
}

/// The same by the instructions of the processor for it, which are five times as fast. They have the state as a b e f and
/// c d g h, from the highest lane on, and do two rounds each.
__attribute__((target("sha,ssse3,sse4.1"))) void digest_by_instructions(const unsigned char* data, std::size_t blocks,
                                                                        State& state) {
  const std::array<std::uint32_t, rounds>& round = constants().round;
  const __m128i from_big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  const auto lanes = [](std::uint32_t high, std::uint32_t b, std::uint32_t c, std::uint32_t low) {
    return _mm_set_epi32(static_cast<int>(high), static_cast<int>(b), static_cast<int>(c), static_cast<int>(low));
  };
  __m128i abef = lanes(state[0], state[1], state[4], state[5]), cdgh = lanes(state[2], state[3], state[6], state[7]);
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // words of the last 16 rounds
    for (std::size_t i = 0; i < 16; ++i) {
      if (i < 4) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data + 16 * i)), from_big_endian);
      } else {
        const __m128i last = w[(i + 3) % 4], before = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
        w[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), before), last);
      }
      const __m128i sum =
          _mm_add_epi32(w[i % 4], _mm_loadu_si128(reinterpret_cast<const __m128i*>(round.data() + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const auto lane = [](__m128i v, std::size_t i) {
    std::array<std::uint32_t, 4> all;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(all.data()), v);
    return all[i];
  };
  state = {lane(abef, 3), lane(abef, 2), lane(cdgh, 3), lane(cdgh, 2),
           lane(abef, 1), lane(abef, 0), lane(cdgh, 1), lane(cdgh, 0)};
}
#endif

void digest(const unsigned char* data, std::size_t blocks, State& state) {
#ifdef __x86_64__
  if (has_instructions()) return digest_by_instructions(data, blocks, state);
#endif
  for (std::size_t i = 0; i < blocks; ++i) digest_block(data + i * 64, state);
}

}  // namespace

std::string sha256(std::span<const std::byte> bytes) {
  State state = constants().start;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  digest(data, whole / 64, state);
  std::vector<unsigned char> tail(data + whole, data + bytes.size());
  tail.push_back(0x80);
  while (tail.size() % 64 != 56) tail.push_back(0);
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail.push_back(static_cast<unsigned char>(bits >> shift));
  digest(tail.data(), tail.size() / 64, state);
  std::string out;
  for (const std::uint32_t word : state) out += fmt::format("{:08x}", word);
  return out;
}

std::string sha256(std::string_view text) { return sha256(std::as_bytes(std::span(text.data(), text.size()))); }

}  // namespace lanescope::source
