#include "kernels/source/data/number_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

/// IEEE-like binary formats by the widths of their fields.
struct FloatFormat {
  int bits, exponent_bits, fraction_bits;
};

FloatFormat format_of(std::string_view type) {
  if (type == "f16") return {16, 5, 10};
  if (type == "bf16") return {16, 8, 7};
  if (type == "f32") return {32, 8, 23};
  return {64, 11, 52};
}

std::uint64_t round_to(const FloatFormat& f, double value) {
  if (f.bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (f.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const std::uint64_t infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (f.bits - 1) : 0;
  if (std::isnan(value)) return infinity | (std::uint64_t{1} << (f.fraction_bits - 1));
  if (std::isinf(value)) return sign | infinity;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // nearbyint rounds halves to even in the default mode; a carry into the next exponent is right by itself.
  const auto steps = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, f.fraction_bits - exponent)));
  const std::uint64_t below = static_cast<std::uint64_t>(exponent + bias - 1) << f.fraction_bits;
  const std::uint64_t bits = below + steps;
  return sign | std::min(bits, infinity);
}

double widen(const FloatFormat& f, std::uint64_t bits) {
  if (f.bits == 64) return std::bit_cast<double>(bits);
  if (f.bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << f.fraction_bits) - 1);
  const auto exponent = static_cast<int>(bits >> f.fraction_bits & ((1U << f.exponent_bits) - 1));
  const double sign = (bits >> (f.bits - 1) & 1) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << f.exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), 1 - bias - f.fraction_bits);
  return sign * std::ldexp(static_cast<double>(fraction | std::uint64_t{1} << f.fraction_bits),
                           exponent - bias - f.fraction_bits);
}

std::uint64_t mask_of(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

bool is_float_type(std::string_view t) { return t == "f16" || t == "bf16" || t == "f32" || t == "f64"; }

std::uint64_t encode(std::string_view element_type, double value) {
  if (is_float_type(element_type)) return round_to(format_of(element_type), value);
  const std::uint64_t mask = mask_of(element_bits(element_type));
  if (std::isnan(value)) return 0;
  if (value < 0)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::max(value, -9.2233720368547758e18))) & mask;
  return (value >= 1.8446744073709552e19 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(value)) & mask;
}

double decode(std::string_view element_type, std::uint64_t bits) {
  if (is_float_type(element_type)) return widen(format_of(element_type), bits);
  const int width = element_bits(element_type);
  const bool negative = element_type.starts_with('s') && width > 0 && (bits >> (width - 1) & 1) != 0;
  return negative ? -static_cast<double>((~bits & mask_of(width)) + 1) : static_cast<double>(bits);
}

Misfit misfit(std::string_view element_type, double value) {
  if (is_float_type(element_type)) {
    const double kept = decode(element_type, encode(element_type, value));
    if (std::isinf(kept) && !std::isinf(value)) {
      const FloatFormat f = format_of(element_type);
      const std::uint64_t infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
      return {fmt::format("{} is too large for {}", value, element_type),
              fmt::format("the largest number is {}", widen(f, infinity - 1))};
    }
    if (kept == 0 && value != 0)
      return {fmt::format("{} is too small for {}, where it becomes 0", value, element_type),
              "write 0, or use f32 or f64"};
    return {};
  }
  if (value != std::floor(value) || std::isinf(value))  // a NaN equals nothing
    return {fmt::format("{} is not a whole number, as {} needs", value, element_type), "use f32 for fractions"};
  const int bits = element_bits(element_type);
  const bool is_signed = element_type.starts_with('s');
  const double above = std::ldexp(1.0, is_signed ? bits - 1 : bits), least = is_signed ? -above : 0;
  if (value >= least && value < above) return {};
  const std::uint64_t largest = is_signed ? mask_of(bits) >> 1 : mask_of(bits);
  return {fmt::format("{} does not fit into {}", value, element_type),
          is_signed ? fmt::format("its numbers are -{} to {}", largest + 1, largest)
                    : fmt::format("its numbers are 0 to {}", largest)};
}

Misfit misfit(std::string_view element_type, const Contents& contents) {
  if (contents.kind == Contents::Kind::constant) return misfit(element_type, contents.value);
  if (contents.kind != Contents::Kind::values) return {};
  for (const double value : contents.values)
    if (Misfit m = misfit(element_type, value); !m.message.empty()) return m;
  return {};
}

namespace {

/// How the elements of an iota of one length count.
struct IotaRule {
  enum class Kind : std::uint8_t { whole, rounded, patterns };
  Kind kind = Kind::whole;
  FloatFormat format{};
  std::uint64_t mask = 0;
  double first = 0;                             ///< rounded: element 0
  std::uint64_t first_normal = 0, normals = 0;  ///< patterns

  std::uint64_t operator()(std::uint64_t n) const {
    if (kind == Kind::whole) return n & mask;
    if (kind == Kind::rounded) {
      const double value = static_cast<double>(n) + first;
      if (format.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
      return format.bits == 64 ? std::bit_cast<std::uint64_t>(value) : round_to(format, value);
    }
    const std::uint64_t k = n % (2 * normals);
    return k < normals ? first_normal + k : (std::uint64_t{1} << (format.bits - 1)) + first_normal + (k - normals);
  }
};

IotaRule iota_rule(std::string_view element_type, std::uint64_t elements) {
  if (!is_float_type(element_type)) return {.mask = mask_of(element_bits(element_type))};
  IotaRule out{.kind = IotaRule::Kind::rounded, .format = format_of(element_type)};
  const FloatFormat& f = out.format;
  const std::uint64_t exact = std::uint64_t{1}
                              << (f.fraction_bits + 1);  // every whole number up to here has its own bits
  if (elements <= exact + 1) return out;
  if (elements <= 2 * exact + 1) return out.first = -static_cast<double>(exact), out;
  out.kind = IotaRule::Kind::patterns;
  out.first_normal = std::uint64_t{1} << f.fraction_bits;  // the smallest one
  out.normals = (((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits) - out.first_normal;
  return out;
}

template <class Word>
void fill_words(const IotaRule& rule, std::uint64_t elements, std::byte* out) {
  for (std::uint64_t n = 0; n < elements; ++n) {
    const auto word = static_cast<Word>(rule(n));
    std::memcpy(out + n * sizeof(Word), &word, sizeof(Word));
  }
}

}  // namespace

std::uint64_t iota_bits(std::string_view element_type, std::uint64_t n, std::uint64_t elements) {
  return iota_rule(element_type, elements)(n);
}

std::vector<std::byte> iota_bytes(std::string_view element_type, std::uint64_t elements) {
  const IotaRule rule = iota_rule(element_type, elements);
  const auto bits = static_cast<std::uint64_t>(element_bits(element_type));
  std::vector<std::byte> out((elements * bits + 7) / 8);
  if (bits == 8) fill_words<std::uint8_t>(rule, elements, out.data());
  if (bits == 16) fill_words<std::uint16_t>(rule, elements, out.data());
  if (bits == 32) fill_words<std::uint32_t>(rule, elements, out.data());
  if (bits == 64) fill_words<std::uint64_t>(rule, elements, out.data());
  for (std::uint64_t n = 0; bits < 8 && n < elements; ++n)
    out[n * bits / 8] |= static_cast<std::byte>(rule(n) << (n * bits % 8));
  return out;
}

namespace {

constexpr std::size_t most_exact_bytes = std::size_t{1} << 16;
constexpr std::string_view bytes_prefix = "bytes ";

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool is_exact_bits(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X") || text.starts_with(bytes_prefix);
}

std::optional<std::vector<std::byte>> exact_bits(std::string_view text) {
  if (!is_exact_bits(text)) return std::nullopt;
  const bool in_order = text.starts_with(bytes_prefix);
  std::vector<int> digits;
  for (const char c : text.substr(in_order ? bytes_prefix.size() : 2)) {
    if ((in_order && c == ' ') || (!in_order && c == '_')) {
      if (in_order && digits.size() % 2 != 0) return std::nullopt;  // half a byte
      continue;
    }
    digits.push_back(digit_of(c));
    if (digits.back() < 0 || digits.size() > 2 * most_exact_bytes) return std::nullopt;
  }
  if (digits.empty() || (in_order && digits.size() % 2 != 0)) return std::nullopt;
  if (!in_order && digits.size() % 2 != 0) digits.insert(digits.begin(), 0);
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    out.push_back(static_cast<std::byte>(16 * digits[i] + digits[i + 1]));
  if (!in_order) std::ranges::reverse(out);
  return out;
}

std::optional<std::vector<std::byte>> resized_bits(std::vector<std::byte> value, std::size_t bytes) {
  for (std::size_t i = bytes; i < value.size(); ++i)
    if (value[i] != std::byte{0}) return std::nullopt;
  value.resize(bytes);
  return value;
}

}  // namespace lanescope::source
