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

std::string short_value_text(std::string_view type, int bits, std::uint32_t value, int columns) {
  std::string own(type);
  if (own.empty() && bits == 32) {
    constexpr std::uint32_t small = 1u << 20;
    const float as_float = std::abs(std::bit_cast<float>(value));
    const bool float_like = std::isfinite(as_float) && as_float > 1e-12f && as_float < 1e12f;
    own = value < small || value > ~small ? "s32" : float_like ? "f32" : "u32";
  } else if (own.empty()) {
    own = fmt::format("u{}", bits);
  }
  const auto fits = [&](const std::string& text) { return static_cast<int>(text.size()) <= columns; };
  std::string text;
  for (const int digits : {3, 2, 1}) {
    text = value_text(own, bits, value, digits);
    if (fits(text)) return text;
  }
  const bool whole = own.starts_with('s') || own.starts_with('u') || own.starts_with('b');
  if (!whole || bits > 32) return text;
  const bool negative = own.starts_with('s') && value >> (bits - 1) & 1;
  const std::uint32_t mask = bits < 32 ? (1u << bits) - 1 : ~0u;
  const double number = negative ? -static_cast<double>((~value & mask) + 1.0) : static_cast<double>(value & mask);
  return number_text(number, 1);
}

std::string value_and_bits(std::string_view type, int bits, std::uint32_t value) {
  if (bits < 32) value &= (1u << bits) - 1;
  const std::string words = value_text(type, bits, value);
  const std::string raw = hex(value, bits);
  return words == raw ? raw : fmt::format("{} ({} {})", words, type, raw);
}

}  // namespace lanescope::views
