#pragma once
// rand() of the GNU C library: the additive generator that its documentation describes (r[i] = r[i-3] + r[i-31]), so that
// arrays filled with it hold the numbers that the program would see on Linux.

#include <array>
#include <cstdint>

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

}  // namespace lanescope::source::host
