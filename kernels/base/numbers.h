#pragma once
// Numbers in words, as every sentence and every view writes them, and numbers in a text.

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

/// The whole text as a number; nullopt: it is none, or does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view text, [[maybe_unused]] int base = 10) {
  Number number{};
  std::from_chars_result read{};
  if constexpr (std::integral<Number>)
    read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  else
    read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "16 384"; thousands spaced with a no-break space.
std::string spaced(std::uint64_t number);
/// "1 sector", "4 sectors".
std::string counted(std::uint64_t number, std::string_view singular);
/// "16 384", "3.25", "0.125": integers in full, others with three significant digits.
std::string number_text(double value);

/// "40 s", "3 min", "2 h 5 min": rounded, for a sentence.
std::string duration_words(double seconds);

}  // namespace lanescope
