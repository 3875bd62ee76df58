#include "tests/kernels/emulator/oracle/oracle.h"

#include <algorithm>
#include <cmath>

namespace lanescope::emulator::test {

using u64 = std::uint64_t;

bool Words::has(std::string_view part) const { return at(part) >= 0; }
int Words::at(std::string_view part) const {
  const auto found = std::find(parts.begin(), parts.end(), part);
  return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

Words words_of(std::string_view instance) {
  Words w;
  const std::size_t end = instance.rfind("; ");
  if (end != std::string_view::npos) {
    const std::size_t begin = instance.rfind("; ", end - 1);
    const std::string_view before = instance.substr(begin == std::string_view::npos ? 0 : begin + 2);
    w.before = before.substr(0, before.find(' '));
    instance.remove_prefix(end + 2);
  }
  std::string_view opcode = instance.substr(0, instance.find(' '));
  w.name = opcode.substr(0, opcode.find('.'));
  while (opcode.find('.') != std::string_view::npos) {
    opcode.remove_prefix(opcode.find('.') + 1);
    w.parts.emplace_back(opcode.substr(0, opcode.find('.')));
  }
  if (instance.find(' ') == std::string_view::npos) return w;
  std::string operand;
  for (const char c : instance.substr(instance.find(' ')))
    if (c == ',')
      w.operands.push_back(operand), operand.clear();
    else if (c != ' ' && c != '{' && c != '}')
      operand += c;
  w.operands.push_back(operand);
  return w;
}

u64 Inputs::of(const std::string& operand) const {
  std::string_view o = operand;
  const bool negated = o.starts_with('!');
  if (negated) o.remove_prefix(1);
  if (o.starts_with('-')) o.remove_prefix(1);
  if (o == "%pa") return (a & 1) ^ u64 { negated };
  if (o == "%pb") return (a >> 1 & 1) ^ u64 { negated };
  if (!o.starts_with('%')) return std::stoull(std::string(o), nullptr, 0);
  const u64 word = o[1] == 'a' ? a : o[1] == 'b' ? b : o[1] == 'c' ? c : o[1] == 'x' ? c >> 32 : b >> 32;
  const int bits = std::stoi(std::string(o.substr(2)));
  return bits >= 64 ? word : word & ((u64{1} << bits) - 1);
}

Format format_of(std::string_view t) {
  return t.starts_with("f16") ? f16_format : t.starts_with("bf16") ? bf16_format : t == "f64" ? f64_format : f32_format;
}

Mode mode_of(const Words& w) {
  return w.has("rz") || w.has("rzi")   ? Mode::zero
         : w.has("rm") || w.has("rmi") ? Mode::down
         : w.has("rp") || w.has("rpi") ? Mode::up
                                       : Mode::nearest;
}

Number number_of(u64 bits, Format f) {
  Number n;
  n.negative = (bits >> (f.exponent + f.mantissa) & 1) != 0;
  const u64 exponent = bits >> f.mantissa & ((u64{1} << f.exponent) - 1),
            mantissa = bits & ((u64{1} << f.mantissa) - 1);
  const int bias = (1 << (f.exponent - 1)) - 1;
  if (exponent == (u64{1} << f.exponent) - 1) {
    n.nan = mantissa != 0;
    n.infinite = !n.nan;
    return n;
  }
  const u64 whole = exponent == 0 ? mantissa : mantissa | u64{1} << f.mantissa;
  n.magnitude = ldexpf128(static_cast<Quad>(whole), static_cast<int>(exponent == 0 ? 1 : exponent) - bias - f.mantissa);
  return n;
}

u64 nan_of(Format f) { return f.bits() == 64 ? 0xfff8000000000000u : (u64{1} << (f.bits() - 1)) - 1; }

u64 rounded(Quad value, int beyond, bool negative_zero, Format f, Mode mode) {
  const int least = 2 - (1 << (f.exponent - 1));
  const u64 infinity = ((u64{1} << f.exponent) - 1) << f.mantissa;
  const u64 sign_bit = u64{1} << (f.exponent + f.mantissa);
  if (value == 0 && beyond == 0) return negative_zero ? sign_bit : 0;
  const bool negative = value != 0 ? value < 0 : beyond < 0;
  const Quad m = value < 0 ? -value : value;
  if (negative) beyond = -beyond;
  int exponent = 0;
  frexpf128(m, &exponent);
  const int unit = std::max(exponent - 1, least) - f.mantissa;
  Quad units = ldexpf128(m, -unit);
  Quad whole = floorf128(units);
  Quad rest = units - whole;
  if (rest == 0 && beyond < 0) whole -= 1, rest = Quad(0.75);  // just below a whole number of units
  const bool inexact = rest != 0 || beyond != 0;
  bool up = false;
  if (mode == Mode::nearest)
    up = rest > Quad(0.5) ||
         (rest == Quad(0.5) && (beyond > 0 || (beyond == 0 && whole - 2 * floorf128(whole / 2) != 0)));
  else
    up = inexact && ((mode == Mode::up && !negative) || (mode == Mode::down && negative));
  if (up) whole += 1;
  // Units of 2^unit: from the first normal binade on, a binade has 2^mantissa of them.
  const Quad bits = whole + ldexpf128(static_cast<Quad>(unit + f.mantissa - least), f.mantissa);
  u64 magnitude = bits >= static_cast<Quad>(infinity) ? infinity : static_cast<u64>(bits);
  if (magnitude == infinity &&
      (mode == Mode::zero || (mode == Mode::down && !negative) || (mode == Mode::up && negative)))
    magnitude = infinity - 1;
  return magnitude | (negative ? sign_bit : 0);
}

}  // namespace lanescope::emulator::test
