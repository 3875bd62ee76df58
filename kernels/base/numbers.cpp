#include "kernels/base/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope {

std::string spaced(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, "\u00a0");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", spaced(number), singular, number == 1 ? "" : "s");
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return (value < 0 ? "-" : "") + spaced(static_cast<std::uint64_t>(std::abs(value)));
  return std::abs(value) >= 1000 && std::abs(value) < 1e15 ? number_text(std::round(value))
                                                           : fmt::format("{:.3g}", value);
}

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
