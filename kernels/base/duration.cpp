#include "kernels/base/numbers.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope {

std::string duration_words(double seconds) {
  constexpr double longest = 1e12;
  const auto whole = static_cast<long>(std::clamp(seconds, 0.0, longest) + 0.5);
  constexpr long day = 24 * 3600;
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 6000) return fmt::format("{} min", (whole + 30) / 60);
  if (whole < 4 * day) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} days", (whole + day / 2) / day);
}

}  // namespace lanescope
