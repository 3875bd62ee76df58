// Values in words, by element type.
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "viz/views/base/elements.h"

namespace lanescope::views {
namespace {

double half_to_double(std::uint32_t h) {
  const int exponent = (h >> 10) & 31;
  const double fraction = h & 0x3ff;
  const double sign = h & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

// printf-like, but "1e5" for "1e+05": a cell has room for four characters.
std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, exponent.find_first_not_of("+-0"));
  return text.substr(0, e) + (negative ? "e-" : "e") + exponent;
}

std::string hex(std::uint32_t value, int bits) { return fmt::format("0x{:0{}X}", value, (bits + 3) / 4); }

}  // namespace

std::string value_text(std::string_view type, int bits, std::uint32_t value, int digits) {
  if (bits < 32) value &= (1u << bits) - 1;
  if (type == "f32" && bits == 32) return number_text(std::bit_cast<float>(value), digits);
  if (type == "f16" && bits == 16) return number_text(half_to_double(value), digits);
  if (type == "bf16" && bits == 16) return number_text(std::bit_cast<float>(value << 16), digits);
  if (type.starts_with('s') && bits <= 32) {
    const auto shift = 32 - bits;
    return std::to_string(static_cast<std::int32_t>(value << shift) >> shift);
  }
  if ((type.starts_with('u') || type.starts_with('b')) && bits <= 32) return std::to_string(value);
  return hex(value, bits);
}

std::string value_and_bits(std::string_view type, int bits, std::uint32_t value) {
  if (bits < 32) value &= (1u << bits) - 1;
  const std::string words = value_text(type, bits, value);
  const std::string raw = hex(value, bits);
  return words == raw ? raw : fmt::format("{} ({} {})", words, type, raw);
}

}  // namespace lanescope::views
