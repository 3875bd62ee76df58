#pragma once
// rand() of the GNU C library: the additive generator that its documentation describes (r[i] = r[i-3] + r[i-31]), so that
// arrays filled with it hold the numbers that the program would see on Linux.

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::source::host {

class CRandom {
 public:
  explicit CRandom(std::uint32_t seed) { start(seed); }
  void start(std::uint32_t seed);
  std::int32_t next();  ///< 0 to RAND_MAX, 2^31 - 1

 private:
  std::array<std::uint32_t, 31> last_{};
  std::uint32_t at_ = 0;
};

inline void CRandom::start(std::uint32_t seed) {
  constexpr std::int64_t factor = 16807, modulus = 2147483647;  // the generator that fills the table
  constexpr int thrown_away = 310;
  std::int64_t word = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
  last_[0] = static_cast<std::uint32_t>(word);
  for (std::size_t i = 1; i < last_.size(); ++i) {
    word = factor * word % modulus;
    if (word < 0) word += modulus;
    last_[i] = static_cast<std::uint32_t>(word);
  }
  at_ = 3;
  for (int i = 0; i < thrown_away; ++i) next();
}

inline std::int32_t CRandom::next() {
  // last_[at_] is r[i - 31]; r[i - 3] stands 28 places after it
  const std::uint32_t from = at_ + 28 < 31 ? at_ + 28 : at_ - 3;
  last_[at_] += last_[from];
  const std::uint32_t word = last_[at_];
  at_ = at_ + 1 < 31 ? at_ + 1 : 0;
  return static_cast<std::int32_t>(word >> 1);
}

inline constexpr std::string_view rand_note = "rand() gives the numbers of the GNU C library";

/// The generators of a run: rand(), and splitmix64 from a fixed seed for all others.
struct Random {
  CRandom c{1};
  std::uint64_t word48 = 0;  ///< of drand48(): x = 0x5deece66d * x + 11, modulo 2^48 (POSIX; glibc begins with 0)
  std::uint64_t next48() { return word48 = (0x5deece66dULL * word48 + 11) & 0xffffffffffffULL; }
  std::uint16_t c_unknown = 0;  ///< why it is unknown how many numbers rand() has given; 0: it is known
};

}  // namespace lanescope::source::host
