// Sums, products, quotients and roots of floating-point numbers.

#include <cmath>

#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {

using u64 = std::uint64_t;

namespace {

struct Arithmetic {
  Format f;
  Mode mode = Mode::nearest;
  bool ftz = false, sat = false, relu = false;

  u64 flush(u64 bits) const {
    const u64 exponent = ((u64{1} << f.exponent) - 1) << f.mantissa, sign = u64{1} << (f.bits() - 1);
    return ftz && (bits & exponent) == 0 ? bits & sign : bits;
  }
  /// Of f64 the first of these that is a NaN, made quiet (measured on H200: second, third, first operand); else the canonical NaN.
  u64 nan_among(std::initializer_list<u64> operands) const {
    if (f.bits() == 64)
      for (const u64 bits : operands)
        if (number_of(bits, f).nan) return bits | u64{1} << 51;
    return nan_of(f);
  }
  u64 one() const { return ((u64{1} << (f.exponent - 1)) - 1) << f.mantissa; }
  u64 finish(u64 bits) const {
    const Number n = number_of(bits, f);
    if (sat) {
      if (n.nan || n.negative || (n.magnitude == 0 && !n.infinite)) return 0;
      if (n.infinite || n.magnitude >= 1) return one();
    }
    if (relu && !n.nan && (n.negative || n.magnitude == 0)) return n.infinite && !n.negative ? bits : 0;
    return flush(bits);
  }
  u64 infinity(bool negative) const {
    return ((u64{1} << f.exponent) - 1) << f.mantissa | (negative ? u64{1} << (f.bits() - 1) : 0);
  }
  /// product (exact) + c
  u64 sum(Quad p, bool p_negative, Quad c, bool c_negative) const {
    const Quad s = p + c, back = s - p, beyond = (p - (s - back)) + (c - back);
    const bool negative_zero = p_negative == c_negative ? p_negative : mode == Mode::down;
    return rounded(s, beyond > 0 ? 1 : beyond < 0 ? -1 : 0, negative_zero, f, mode);
  }
  u64 fma(u64 a_bits, u64 b_bits, u64 c_bits) const {
    const Number a = number_of(flush(a_bits), f), b = number_of(flush(b_bits), f), c = number_of(flush(c_bits), f);
    const bool p_negative = a.negative != b.negative, p_infinite = a.infinite || b.infinite;
    if (a.nan || b.nan || c.nan) return finish(nan_among({b_bits, c_bits, a_bits}));
    if ((p_infinite && !(a.infinite ? b.infinite || b.magnitude != 0 : a.magnitude != 0)) ||
        (p_infinite && c.infinite && p_negative != c.negative))
      return finish(nan_of(f));
    if (p_infinite) return finish(infinity(p_negative));
    if (c.infinite) return finish(infinity(c.negative));
    const Quad p = a.magnitude * b.magnitude;
    return finish(sum(p_negative ? -p : p, p_negative, c.value(), c.negative));
  }
  u64 add(u64 a, u64 c) const { return fma(a, one(), c); }
  u64 mul(u64 a_bits, u64 b_bits) const {
    const bool negative = ((a_bits ^ b_bits) >> (f.bits() - 1) & 1) != 0;
    return fma(a_bits, b_bits, negative ? u64{1} << (f.bits() - 1) : 0);  // + zero of its sign
  }
  u64 div(u64 a_bits, u64 b_bits) const {
    const Number a = number_of(flush(a_bits), f), b = number_of(flush(b_bits), f);
    const bool negative = a.negative != b.negative;
    const bool a_zero = !a.infinite && a.magnitude == 0, b_zero = !b.infinite && b.magnitude == 0;
    if (a.nan || b.nan) return finish(nan_among({a_bits, b_bits}));
    if ((a.infinite && b.infinite) || (a_zero && b_zero)) return finish(nan_of(f));
    if (a.infinite || b_zero) return finish(infinity(negative));
    if (b.infinite || a_zero) return finish(negative ? u64{1} << (f.bits() - 1) : 0);
    const Quad q = a.magnitude / b.magnitude, left = a.magnitude - q * b.magnitude;
    const int beyond = left > 0 ? 1 : left < 0 ? -1 : 0;
    return finish(rounded(negative ? -q : q, negative ? -beyond : beyond, negative, f, mode));
  }
  u64 root(u64 bits) const {
    const Number a = number_of(flush(bits), f);
    if (a.nan) return finish(nan_among({bits}));
    if (a.negative && (a.infinite || a.magnitude != 0)) return finish(nan_of(f));
    if (a.infinite || a.magnitude == 0) return flush(bits);
    const Quad q = sqrtf128(a.magnitude), left = a.magnitude - q * q;
    return finish(rounded(q, left > 0 ? 1 : left < 0 ? -1 : 0, false, f, mode));
  }
  u64 extreme(u64 a_bits, u64 b_bits, bool is_max, bool nan_wins) const {
    a_bits = flush(a_bits), b_bits = flush(b_bits);
    const Number a = number_of(a_bits, f), b = number_of(b_bits, f);
    if (a.nan && b.nan) return nan_among({b_bits});
    if (nan_wins && (a.nan || b.nan)) return nan_of(f);
    if (a.nan) return b_bits;
    if (b.nan) return a_bits;
    const auto order = [](const Number& n) -> Quad {
      const Quad m = n.infinite ? ldexpf128(1, 12000) : n.magnitude;
      return n.negative ? -m : m;
    };
    const Quad x = order(a), y = order(b);
    const bool a_less = x < y || (x == y && a.negative);
    return a_less == is_max ? b_bits : a_bits;
  }
};

}  // namespace

std::optional<Results> float_oracle(const Words& w, const Inputs& in) {
  const std::string& type = w.parts.back();
  const bool mixed = w.parts.size() > 1 && w.parts[w.parts.size() - 2] == "f32";
  Arithmetic m{mixed ? f32_format : format_of(type), mode_of(w), w.has("ftz"), w.has("sat"), w.has("relu")};
  const int width = m.f.bits();
  const int count = type.ends_with("x2") ? 2 : 1;
  const u64 keep = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
  const u64 sign = u64{1} << (width - 1);
  if (w.name == "testp") {
    const Number n = number_of(in.of(w.operands[1]), m.f);
    const u64 exponent = in.of(w.operands[1]) >> m.f.mantissa & ((u64{1} << m.f.exponent) - 1);
    const bool finite = !n.nan && !n.infinite;
    const std::string& t = w.parts[0];
    return Results{t == "finite"       ? finite
                   : t == "infinite"   ? n.infinite
                   : t == "number"     ? !n.nan
                   : t == "notanumber" ? n.nan
                   : t == "normal"     ? finite && (exponent != 0 || n.magnitude == 0)
                                       : finite && exponent == 0 && n.magnitude != 0};
  }
  Results r;
  for (int i = 0; i < count; ++i) {
    const auto operand = [&](std::size_t k) {
      const u64 bits = in.of(w.operands[k]) >> (i * width) & keep;
      const bool half = mixed && (w.name == "fma" ? k < 3 : k < 2);
      if (!half) return bits;
      const Number n = number_of(bits, format_of(type));
      if (n.nan) return nan_of(f32_format);
      if (n.infinite) return m.infinity(n.negative);
      return rounded(n.value(), 0, n.negative, f32_format, Mode::nearest);
    };
    u64 x = 0;
    const std::string& op = w.name;
    if (op == "add")
      x = m.add(operand(1), operand(2));
    else if (op == "sub")
      x = m.add(operand(1), number_of(operand(2), m.f).nan ? operand(2) : operand(2) ^ sign);
    else if (op == "mul")
      x = m.mul(operand(1), operand(2));
    else if (op == "fma" || op == "mad")
      x = m.fma(operand(1), operand(2), operand(3));
    else if (op == "div")
      x = m.div(operand(1), operand(2));
    else if (op == "rcp")
      x = m.div(m.one(), operand(1));
    else if (op == "sqrt")
      x = m.root(operand(1));
    else if (op == "abs")
      x = number_of(operand(1), m.f).nan ? m.nan_among({operand(1)}) : m.flush(operand(1)) & ~sign;
    else if (op == "neg")
      x = number_of(operand(1), m.f).nan ? m.nan_among({operand(1)}) : m.flush(operand(1)) ^ sign;
    else if (op == "copysign")
      x = (operand(2) & ~sign) | (operand(1) & sign);
    else if (op == "min" || op == "max") {
      const bool is_max = op == "max", nan_wins = w.has("NaN");
      const u64 drop = w.has("abs") ? sign : 0;
      x = m.extreme(operand(1) & ~drop, operand(2) & ~drop, is_max, nan_wins);
      if (w.has("xorsign") && !number_of(x, m.f).nan) x |= (operand(1) ^ operand(2)) & sign;
      if (w.operands.size() == 4) x = m.extreme(x, operand(3) & ~drop, is_max, nan_wins);
    } else {
      return std::nullopt;
    }
    r.d |= (x & keep) << (i * width % 64);
  }
  return r;
}

}  // namespace lanescope::emulator::test
