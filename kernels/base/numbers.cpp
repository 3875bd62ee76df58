#include "kernels/base/numbers.h"

#include <fmt/format.h>

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
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return (value < 0 ? "-" : "") + spaced(static_cast<std::uint64_t>(std::abs(value)));
  }
  return std::abs(value) >= 1000 && std::abs(value) < 1e15 ? number_text(std::round(value))
                                                           : fmt::format("{:.3g}", value);
}

}  // namespace lanescope
