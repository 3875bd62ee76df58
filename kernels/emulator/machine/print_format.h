#pragma once
// Text of printf in device code, from a format and packed arguments, independent of the machine.
//
// As the CUDA C++ Programming Guide says ("Formatted Output"): %[flags][width][.precision][size]type with the flags
// #0- +, the sizes h, l and ll and the types %cdiouxXpeEfFgGaAs, the host's C library formats the text, at most 32
// arguments are used and the conversions after them are copied. Arguments lie one after the other as the compiler packs
// them:
//
//   printf("%d %f %s", 7, 1.0f, s)   offset 0: 7 (4 bytes), 8: 1.0 (8 bytes, as double), 16: the address of s
//
// Conversions that only the host has (%zu, %hhd, %.*f, %n) are copied too. On an H200 (driver 580) they are copied if no
// other one follows, else the device and the host disagree about the arguments: numbers are those of other memory, and a
// string after one of them ends the kernel with an illegal address.
//
// The program's locale must be that of C.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::emulator {

inline constexpr int most_print_arguments = 32;
inline constexpr std::size_t longest_print = 65'536;  ///< bytes of text that one call writes

struct PrintedText {
  std::string text;
  int arguments = 0;  ///< that were used, those of `*` too
  bool cut = false;   ///< longest_print ended it
  /// The first conversion that only the host has: "%zu"; empty: none.
  std::string of_host_only{};
  bool string_after = false;  ///< a string is printed after it
  /// The unreadable part: none; argument `arguments` + 1; or the string that it points to, at `address`.
  enum class Missing : std::uint8_t { nothing, argument, string } missing = Missing::nothing;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  ///< of the argument that is missing
};

/// `arguments`: all readable bytes from the first argument on. `memory_at`: all readable bytes from an address on.
PrintedText print_text(std::string_view format, std::span<const std::uint8_t> arguments,
                       const std::function<std::span<const std::uint8_t>(std::uint64_t address)>& memory_at);

}  // namespace lanescope::emulator
