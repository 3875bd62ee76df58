#include "kernels/source/host/c_random.h"

namespace lanescope::source::host {

void CRandom::start(std::uint32_t seed) {
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

std::int32_t CRandom::next() {
  // last_[at_] is r[i - 31]; r[i - 3] stands 28 places after it
  const std::uint32_t from = at_ + 28 < 31 ? at_ + 28 : at_ - 3;
  last_[at_] += last_[from];
  const std::uint32_t word = last_[at_];
  at_ = at_ + 1 < 31 ? at_ + 1 : 0;
  return static_cast<std::int32_t>(word >> 1);
}

}  // namespace lanescope::source::host
