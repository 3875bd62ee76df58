#include "app/engine/prepare/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lanescope::engine {
namespace {

enum class NumberKind { integer, f16, bf16, f32, f64 };

/// "const float4 &" -> "float4"; "unsigned int" stays two words.
std::string bare_type(std::string_view type) {
  std::string bare;
  std::size_t at = 0;
  while (at < type.size()) {
    const std::size_t end = std::min(type.find_first_of(" \t&", at), type.size());
    const std::string_view word = type.substr(at, end - at);
    if (!word.empty() && word != "const" && word != "volatile" && word != "__restrict__" && word != "__grid_constant__")
      bare += (bare.empty() ? "" : " ") + std::string(word);
    at = end + 1;
  }
  return bare;
}

NumberKind number_of(std::string_view type) {
  const std::string bare = bare_type(type);
  const auto starts = [&](std::string_view prefix) { return bare.starts_with(prefix); };
  if (starts("double")) return NumberKind::f64;
  if (starts("float")) return NumberKind::f32;
  if (starts("__half") || starts("half")) return NumberKind::f16;
  if (starts("__nv_bfloat16") || starts("nv_bfloat16")) return NumberKind::bf16;
  return NumberKind::integer;
}

void put(std::vector<std::byte>& out, auto value) {
  const auto* raw = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), raw, raw + sizeof value);
}

std::uint64_t load_bits(std::span<const std::byte> data, std::uint64_t index, unsigned bits) {
  const std::uint64_t first = index * bits, byte = first / 8;
  std::uint64_t word = 0;
  for (unsigned i = 0; i < (bits + 7) / 8 && byte + i < data.size(); ++i)
    word |= std::to_integer<std::uint64_t>(data[byte + i]) << (8 * i);
  return bits < 8 ? word >> first % 8 & ((1u << bits) - 1) : word;
}

/// A double to a smaller binary format with `exponent` and `mantissa` bits, to nearest even.
std::uint16_t narrow(double value, int exponent_bits, int mantissa_bits) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  const auto infinity = static_cast<std::uint16_t>(top << mantissa_bits);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | 1 << (mantissa_bits - 1));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const double scaled = std::nearbyint(std::ldexp(std::abs(value), mantissa_bits - exponent));
  // A carry out of the mantissa, or a subnormal, falls into place when fields are added rather than joined.
  const double fields = scaled + std::ldexp(static_cast<double>(exponent + bias - 1), mantissa_bits);
  return fields >= infinity ? sign | infinity : static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(fields));
}

}  // namespace

std::uint16_t half_bits(double value) { return narrow(value, 5, 10); }
std::uint16_t bfloat16_bits(double value) { return narrow(value, 8, 7); }

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? std::nan("") : INFINITY)
                                  : std::ldexp(1024 + mantissa, exponent - 25);
  return bits >> 15 ? -value : value;
}

Expected<std::vector<std::byte>> scalar_bytes(std::string_view type, std::uint64_t bytes, double value) {
  std::vector<std::byte> out;
  const NumberKind number = number_of(type);
  // A number that becomes infinity or 0 in a narrower float is not the number that was written.
  const auto lost = [&](double kept) { return std::isinf(kept) != std::isinf(value) || (kept == 0) != (value == 0); };
  const bool is_lost = (number == NumberKind::f32 && bytes == 4 && lost(static_cast<float>(value))) ||
                       (number == NumberKind::f16 && bytes == 2 && lost(half_value(half_bits(value)))) ||
                       (number == NumberKind::bf16 && bytes == 2 &&
                        lost(std::bit_cast<float>(static_cast<std::uint32_t>(bfloat16_bits(value)) << 16)));
  if (is_lost)
    return failure(fmt::format("{} is too {} for a parameter of type '{}'", value,
                               std::abs(value) < 1 ? "small" : "large", bare_type(type)));
  if (bare_type(type) == "bool" && value != 0 && value != 1)
    return failure(fmt::format("{} is not a value of a parameter of type 'bool'", value), "write true or false");
  if (number == NumberKind::f64 && bytes == 8) return put(out, value), out;
  if (number == NumberKind::f32 && bytes == 4) return put(out, static_cast<float>(value)), out;
  if (number == NumberKind::f16 && bytes == 2) return put(out, half_bits(value)), out;
  if (number == NumberKind::bf16 && bytes == 2) return put(out, bfloat16_bits(value)), out;
  if (value != std::floor(value))
    return failure(
        fmt::format("{} is not a whole number, which a parameter of type '{}' needs", value, bare_type(type)),
        "write a whole number");
  const int bits = static_cast<int>(std::min<std::uint64_t>(bytes, 8) * 8);
  if (value >= std::ldexp(1.0, bits) || value < -std::ldexp(1.0, bits - 1))
    return failure(
        fmt::format("{} does not fit the {} bytes of a parameter of type '{}'", value, bytes, bare_type(type)),
        fmt::format("its values are {:.0f} to {}", -std::ldexp(1.0, bits - 1), ~std::uint64_t{0} >> (64 - bits)));
  const auto integer =
      value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
  put(out, integer);
  out.resize(bytes);
  return out;
}

Expected<std::vector<std::byte>> field_bytes(std::string_view type, std::uint64_t bytes,
                                             std::span<const double> fields) {
  if (fields.empty() || bytes % fields.size() != 0)
    return failure(fmt::format("{} fields do not divide the {} bytes of a parameter of type '{}'", fields.size(), bytes,
                               bare_type(type)),
                   "give one number per field of a vector type");
  std::vector<std::byte> out;
  // A struct of unknown name holds floats as soon as one of its numbers is not whole.
  const bool fraction = std::ranges::any_of(fields, [](double v) { return v != std::floor(v); });
  const std::uint64_t each = bytes / fields.size();
  const std::string_view guessed = each == 8 ? "double" : each == 2 ? "__half" : "float";
  for (const double field : fields) {
    auto one = scalar_bytes(fraction && number_of(type) == NumberKind::integer ? guessed : type, each, field);
    if (!one) return one;
    out.insert(out.end(), one->begin(), one->end());
  }
  return out;
}

bool is_floating(std::string_view element_type) {
  return element_type.starts_with("f") || element_type.starts_with("bf");
}

double element_value(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index) {
  const std::size_t digit = element_type.find_first_of("0123456789");
  if (digit == std::string_view::npos) return 0;
  const unsigned bits = static_cast<unsigned>(std::atoi(std::string(element_type.substr(digit)).c_str()));
  const std::uint64_t raw = load_bits(data, index, bits);
  if (element_type.starts_with("bf")) return std::bit_cast<float>(static_cast<std::uint32_t>(raw) << 16);
  if (element_type == "f16") return half_value(static_cast<std::uint16_t>(raw));
  if (element_type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
  if (element_type == "f64") return std::bit_cast<double>(raw);
  if (element_type.starts_with("s")) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    return static_cast<double>(static_cast<std::int64_t>((raw ^ sign) - sign));
  }
  return static_cast<double>(raw);
}

std::string element_words(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index) {
  if (element_type == "s64" || element_type == "u64") {
    std::int64_t value = 0;
    std::memcpy(&value, &data[index * sizeof value], sizeof value);
    return element_type.starts_with('s') ? fmt::format("{}", value)
                                         : fmt::format("{}", static_cast<std::uint64_t>(value));
  }
  const double value = element_value(element_type, data, index);
  if (element_type == "f64") return fmt::format("{}", value);
  constexpr int half_digits = 5, bfloat_digits = 4;  // 11 and 8 significant bits
  if (element_type == "f16") return fmt::format("{:.{}g}", value, half_digits);
  if (element_type.starts_with("bf")) return fmt::format("{:.{}g}", value, bfloat_digits);
  if (element_type == "f32") return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

}  // namespace lanescope::engine
