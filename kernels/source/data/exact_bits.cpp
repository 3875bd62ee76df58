#include "kernels/source/data/exact_bits.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::source {

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
