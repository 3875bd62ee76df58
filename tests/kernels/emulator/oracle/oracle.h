#pragma once
// Results of instructions on registers, written down apart from the emulator: integers of 128 bits, and floating-point
// numbers by exact sums and products in 113 bits with the lost part, rounded once by one function for every format.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::emulator::test {

/// An instance taken apart: "cvt.rn.f32.u16 %d32, %a16".
struct Words {
  std::string name;
  std::vector<std::string> parts;     ///< after the name
  std::vector<std::string> operands;  ///< as written, without blanks
  std::string before;                 ///< opcode of the statement before the last one; empty: there is none
  bool has(std::string_view part) const;
  int at(std::string_view part) const;  ///< index in parts, or -1
};
Words words_of(std::string_view instance);

struct Inputs {
  std::uint64_t a = 0, b = 0, c = 0;
  std::uint64_t of(const std::string& operand) const;  ///< "%a32", "%x32", "7", "%pa"
};
struct Results {
  std::uint64_t d = 0, e = 0;
};

std::optional<Results> integer_oracle(const Words& w, const Inputs& in);
std::optional<Results> float_oracle(const Words& w, const Inputs& in);
std::optional<Results> conversion_oracle(const Words& w, const Inputs& in);
std::optional<Results> comparison_oracle(const Words& w, const Inputs& in);
std::optional<Results> video_oracle(const Words& w, const Inputs& in);
std::optional<Results> move_oracle(const Words& w, const Inputs& in);

using Quad = __float128;
/// A binary format with a sign. `bits` of it are below 64.
struct Format {
  int exponent, mantissa;
  int bits() const { return 1 + exponent + mantissa; }
};
inline constexpr Format f16_format{5, 10}, bf16_format{8, 7}, f32_format{8, 23}, f64_format{11, 52};
enum class Mode { nearest, zero, down, up };
struct Number {
  bool nan = false, infinite = false, negative = false;
  Quad magnitude = 0;
  Quad value() const { return negative ? -magnitude : magnitude; }
};
Number number_of(std::uint64_t bits, Format f);
/// value + something so small that only its sign counts.
std::uint64_t rounded(Quad value, int beyond, bool negative_zero, Format f, Mode mode);
std::uint64_t nan_of(Format f);
Format format_of(std::string_view type);
Mode mode_of(const Words& w);

}  // namespace lanescope::emulator::test
