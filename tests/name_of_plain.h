#pragma once
// The inverse of plain_name() (kernels/base/plain_name.h): %XX is a byte again, and all else stays.

#include <string>
#include <string_view>

namespace lanescope {

inline std::string name_of_plain(std::string_view plain) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::size_t high = plain[i] == '%' && plain.size() - i > 2 ? digits.find(plain[i + 1]) : std::string::npos,
                      low = high == std::string::npos ? high : digits.find(plain[i + 2]);
    out += low == std::string::npos ? plain[i] : static_cast<char>(high * 16 + low);
    if (low != std::string::npos) i += 2;
  }
  return out;
}

}  // namespace lanescope
