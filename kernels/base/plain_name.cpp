#include "kernels/base/plain_name.h"

#include <algorithm>
#include <cstddef>

#include "kernels/base/text.h"

namespace lanescope {
namespace {

constexpr std::string_view own_prefix = "lanescope-";

bool is_plain(char c) {
  return is_letter(c) || is_digit(c) || std::string_view("/._+-").find(c) != std::string_view::npos;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

}  // namespace

std::string plain_name(std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const bool like_our_own = name.starts_with(own_prefix);
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (is_plain(name[i]) && !(like_our_own && i == 0)) {
      out += name[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(name[i]);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string without_escapes(std::string_view literal) {
  constexpr std::string_view letters = "abfnrtv\\\"'?", meant = "\a\b\f\n\r\t\v\\\"'?";
  std::string out;
  out.reserve(literal.size());
  for (std::size_t i = 0; i < literal.size(); ++i) {
    const std::string_view rest = literal.substr(i + 1, 3);
    if (literal[i] != '\\' || rest.empty()) {
      out += literal[i];
    } else if (is_octal(rest[0])) {
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_octal);
      int value = 0;
      for (auto digit = rest.begin(); digit != end; ++digit) value = value * 8 + (*digit - '0');
      out += static_cast<char>(value);
      i += static_cast<std::size_t>(end - rest.begin());
    } else if (const std::size_t letter = letters.find(rest[0]); letter != std::string_view::npos) {
      out += meant[letter];
      ++i;
    } else {
      out += '\\';
    }
  }
  return out;
}

}  // namespace lanescope
