// Conversions, comparisons and selections.

#include <algorithm>
#include <cmath>

#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {

using u64 = std::uint64_t;
using Wide = __int128;
using UWide = unsigned __int128;

namespace {

bool is_float_type(const std::string& t) { return t == "f16" || t == "bf16" || t == "f32" || t == "f64"; }
u64 mask_of(int bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }

struct Small {
  std::string name;
  int exponent, mantissa;
  u64 nan, top;
};
const Small smalls[] = {{"e4m3", 4, 3, 0x7f, 0x7e},
                        {"e5m2", 5, 2, 0x7f, 0x7b},
                        {"e2m3", 2, 3, 0x1f, 0x1f},
                        {"e3m2", 3, 2, 0x1f, 0x1f},
                        {"e2m1", 2, 1, 7, 7}};

/// Magnitude of a code without infinity and NaN.
Quad small_value(const Small& s, u64 code) {
  const u64 exponent = code >> s.mantissa, mantissa = code & ((u64{1} << s.mantissa) - 1);
  const int bias = (1 << (s.exponent - 1)) - 1;
  return exponent == 0 ? ldexpf128(static_cast<Quad>(mantissa), 1 - bias - s.mantissa)
                       : ldexpf128(static_cast<Quad>(mantissa + (u64{1} << s.mantissa)),
                                   static_cast<int>(exponent) - bias - s.mantissa);
}

/// The nearest code by looking at all of them, ties to the even one.
u64 small_code(const Small& s, const Number& n, bool relu) {
  if (n.nan) return s.nan;
  if (relu && n.negative) return 0;
  const u64 sign = u64{n.negative} << (s.exponent + s.mantissa);
  if (n.infinite || n.magnitude >= small_value(s, s.top)) return sign | s.top;
  u64 best = 0;
  for (u64 code = 0; code <= s.top; ++code) {
    const auto distance = [&](u64 x) {
      const Quad d = small_value(s, x) - n.magnitude;
      return d < 0 ? -d : d;
    };
    if (distance(code) < distance(best) || (distance(code) == distance(best) && code % 2 == 0)) best = code;
  }
  return sign | best;
}

/// One f32 whose discarded bits are added to `random` of `random_bits` bits, the first of both below the last bit that is
/// kept: a carry rounds up. In integers.
u64 randomly_rounded(u64 word, const Small& s, bool has_infinity, bool finite, bool relu, u64 random, int random_bits) {
  const u64 sign = word >> 31 & 1, exponent = word >> 23 & 0xff, mantissa = word & 0x7fffff;
  if (exponent == 0xff && mantissa != 0) return s.nan;
  if (relu && sign != 0) return 0;
  const u64 infinity = ((u64{1} << s.exponent) - 1) << s.mantissa;
  const u64 over = has_infinity && !finite ? infinity : s.top, negative = sign << (s.exponent + s.mantissa);
  if (exponent == 0xff) return negative | over;
  const u64 significand = exponent == 0 ? mantissa : mantissa | 0x800000;
  if (significand == 0) return negative;
  const int place = static_cast<int>(exponent == 0 ? 1 : exponent) - 127 - 23;  // of its lowest bit
  int top_bit = 0;
  while (significand >> (top_bit + 1) != 0) ++top_bit;
  const int least = 2 - (1 << (s.exponent - 1));
  const int unit = std::max(place + top_bit, least) - s.mantissa, dropped = unit - place;
  u64 kept = 0, carry = 0;
  if (dropped <= 0) {
    kept = significand << -dropped;
  } else if (dropped < 64) {
    kept = significand >> dropped;
    const UWide rest = significand & mask_of(dropped);
    const UWide added = dropped >= random_bits ? UWide{random} << (dropped - random_bits) : UWide{random};
    const int width = std::max(dropped, random_bits);
    carry = static_cast<u64>(((dropped >= random_bits ? rest : rest << (random_bits - dropped)) + added) >> width);
  }
  const u64 code = kept + carry + (static_cast<u64>(unit + s.mantissa - least) << s.mantissa);
  return negative | (code > s.top ? over : code);
}

/// cvt.rs: two halves, or four numbers of few bits; the first source is the uppermost element.
std::optional<Results> randomly_rounded(const Words& w, const Inputs& in) {
  static const Small halves[] = {{"f16", 5, 10, 0x7fff, 0x7bff}, {"bf16", 8, 7, 0x7fff, 0x7f7f}};
  const std::string& to = w.parts[w.parts.size() - 2];
  const bool pair = to.ends_with("f16x2");
  const Small* s = to.starts_with("bf16") ? &halves[1] : &halves[0];
  for (const Small& known : smalls)
    if (to.starts_with(known.name)) s = &known;
  const u64 random = in.of(w.operands.back());
  const int count = pair ? 2 : 4, width = pair ? 16 : s->name == "e2m1" ? 4 : 8;
  u64 d = 0;
  for (int i = 0; i < count; ++i) {  // i = 0: operand a
    const bool upper = i < count / 2;
    u64 bits = upper ? random >> 16 & 0xffff : random & 0xffff;
    if (s->name == "f16") bits &= 0x1fff;
    if (s->name == "e2m1")
      bits = upper ? (random >> 24 & 0xff) << 8 | (random >> 8 & 0xff) : (random >> 16 & 0xff) << 8 | (random & 0xff);
    const bool has_infinity = pair || s->name == "e5m2";
    d = d << width | randomly_rounded(in.of(w.operands[static_cast<std::size_t>(i) + 1]), *s, has_infinity,
                                      w.has("satfinite"), w.has("relu"), bits, s->name == "f16" ? 13 : 16);
  }
  return Results{d};
}

std::optional<u64> whole_number(const Number& n, Mode mode, const std::string& type, bool from_f64) {
  const int bits = std::stoi(type.substr(1));
  const bool is_signed = type[0] == 's';
  if (n.nan) return from_f64 || bits == 64 ? u64{1} << (bits - 1) : 0;
  const Quad low = is_signed ? -ldexpf128(1, bits - 1) : Quad(0), high = ldexpf128(1, is_signed ? bits - 1 : bits) - 1;
  Quad x = n.infinite ? (n.negative ? low : high) : n.value();
  if (!n.infinite) {
    const Quad down = floorf128(x), rest = x - down;
    x = mode == Mode::down   ? down
        : mode == Mode::up   ? (rest != 0 ? down + 1 : down)
        : mode == Mode::zero ? (x < 0 && rest != 0 ? down + 1 : down)
        : rest > Quad(0.5) || (rest == Quad(0.5) && down - 2 * floorf128(down / 2) != 0) ? down + 1
                                                                                         : down;
  }
  x = x < low ? low : x > high ? high : x;
  return static_cast<u64>(static_cast<Wide>(x)) & mask_of(bits);
}

u64 flushed_input(u64 bits, Format f) {
  const u64 exponent = ((u64{1} << f.exponent) - 1) << f.mantissa;
  return (bits & exponent) == 0 ? bits & u64{1} << (f.bits() - 1) : bits;
}

u64 as_float(const Number& n, const Words& w, Format f) {
  const bool sat = w.has("sat"), relu = w.has("relu"), finite = w.has("satfinite");
  if (n.nan) return sat ? 0 : nan_of(f);
  const u64 sign = u64{1} << (f.bits() - 1), infinity = ((u64{1} << f.exponent) - 1) << f.mantissa;
  const bool zero = !n.infinite && n.magnitude == 0;
  if (sat && (n.negative || zero)) return 0;
  if (sat && (n.infinite || n.magnitude > 1)) return ((u64{1} << (f.exponent - 1)) - 1) << f.mantissa;
  if (relu && n.negative) return 0;
  if (n.infinite) return (finite ? infinity - 1 : infinity) | (n.negative ? sign : 0);
  u64 bits = rounded(n.value(), 0, n.negative, f, mode_of(w));
  if (finite && (bits & ~sign) == infinity) bits -= 1;
  return bits;
}

}  // namespace

std::optional<Results> conversion_oracle(const Words& w, const Inputs& in) {
  const std::string& from = w.parts.back();
  if (w.has("pack")) {
    const std::string type = w.parts[2];
    const int bits = std::stoi(type.substr(1));
    const Wide low = type[0] == 's' ? -(Wide{1} << (bits - 1)) : Wide{0},
               high = (Wide{1} << (type[0] == 's' ? bits - 1 : bits)) - 1;
    const auto part = [&](std::size_t i) {
      const Wide x = static_cast<std::int32_t>(in.of(w.operands[i]));
      return static_cast<u64>(std::clamp(x, low, high)) & mask_of(bits);
    };
    const u64 c = bits == 16 ? 0 : in.of(w.operands[3]) << 2 * bits;
    return Results{(c | part(1) << bits | part(2)) & 0xffffffff};
  }
  if (w.has("rs")) return randomly_rounded(w, in);
  const std::string& to = w.parts[w.parts.size() - 2];
  const auto small = [](const std::string& t) {
    return std::find_if(std::begin(smalls), std::end(smalls), [&](const Small& s) { return t.starts_with(s.name); });
  };
  if (to == "ue8m0x2" || from == "ue8m0x2" || to == "tf32") {
    const auto scale = [&](u64 bits, Format f) -> u64 {
      const Number n = number_of(bits, f);
      if (n.nan) return 0xff;
      if (n.infinite) return w.has("satfinite") ? 0xfe : 0xff;
      u64 code = 0;  // the largest power of two that is not above it
      const auto power = [](u64 c) { return ldexpf128(1, static_cast<int>(c) - 127); };
      while (code < 0xfe && power(code + 1) <= n.magnitude) ++code;
      if (w.has("rp") && n.magnitude > power(code)) ++code;
      return code == 0xff && w.has("satfinite") ? 0xfe : code;
    };
    if (to == "ue8m0x2" && from == "f32")
      return Results{scale(in.of(w.operands[1]), f32_format) << 8 | scale(in.of(w.operands[2]), f32_format)};
    if (to == "ue8m0x2") {
      const u64 a = in.of(w.operands[1]);
      return Results{scale(a >> 16, bf16_format) << 8 | scale(a & 0xffff, bf16_format)};
    }
    if (from == "ue8m0x2") {
      const auto one = [](u64 c) -> u64 { return c == 0xff ? 0x7fff : c == 0 ? 0x40 : c << 7; };
      const u64 a = in.of(w.operands[1]);
      return Results{one(a >> 8 & 0xff) << 16 | one(a & 0xff)};
    }
    const Format tf32{8, 10};
    const Number n = number_of(in.of(w.operands[1]), f32_format);
    if (n.nan)
      return Results{!w.has("rna") ? 0x7fffe000
                                   : (in.of(w.operands[1]) & 0xffffe000) - (w.has("satfinite") ? 0x2000 : 0)};
    u64 bits = as_float(n, w, tf32);
    if (w.has("rna") && !n.infinite) {
      const u64 x = in.of(w.operands[1]) & 0x7fffffff;  // half a unit up, in magnitude
      bits = ((x + 0x1000) >> 13) | u64{n.negative} << 18;
      if (w.has("satfinite") && (bits & 0x3ffff) == 0x3fc00) bits -= 1;
    }
    return Results{bits << 13 & 0xffffffff};
  }
  if (const auto s = small(to); s != std::end(smalls)) {
    const bool relu = w.has("relu");
    const int bits = s->exponent + s->mantissa == 3 ? 4 : 8;
    u64 high = 0, low = 0;
    if (from == "f32") {
      high = small_code(*s, number_of(in.of(w.operands[1]), f32_format), relu);
      low = small_code(*s, number_of(in.of(w.operands[2]), f32_format), relu);
    } else {
      const u64 a = in.of(w.operands[1]);
      high = small_code(*s, number_of(a >> 16, f16_format), relu);
      low = small_code(*s, number_of(a & 0xffff, f16_format), relu);
    }
    return Results{high << bits | low};
  }
  if (const auto s = small(from); s != std::end(smalls)) {
    const int bits = s->exponent + s->mantissa == 3 ? 4 : 8, used = 1 + s->exponent + s->mantissa;
    const u64 a = in.of(w.operands[1]);
    const auto one = [&](u64 code) -> u64 {
      code &= mask_of(used);
      const bool negative = (code >> (used - 1)) != 0;
      const u64 m = code & mask_of(used - 1);
      Number n{.negative = negative, .magnitude = 0};
      if (m > s->top)
        (s->name == "e5m2" && m == 0x7c) ? n.infinite = true : n.nan = true;
      else
        n.magnitude = small_value(*s, m);
      return as_float(n, w, f16_format);
    };
    return Results{one(a >> bits) << 16 | one(a)};
  }
  if (to.ends_with("x2")) {
    const Format f = format_of(to);
    const auto one = [&](std::size_t i) { return as_float(number_of(in.of(w.operands[i]), f32_format), w, f); };
    return Results{one(1) << 16 | one(2)};
  }
  const int width = std::stoi(w.operands[0].substr(2));
  if (!is_float_type(from)) {
    const int bits = std::stoi(from.substr(1));
    u64 x = in.of(w.operands[1]) & mask_of(bits);
    const Wide value = from[0] == 's' && (x >> (bits - 1) & 1) != 0 ? Wide{x} - (Wide{1} << bits) : Wide{x};
    if (is_float_type(to)) {
      Number n{.negative = value < 0, .magnitude = static_cast<Quad>(value < 0 ? -value : value)};
      return Results{as_float(n, w, format_of(to))};
    }
    const int out = std::stoi(to.substr(1));
    Wide y = value;
    if (w.has("sat")) {
      const bool is_signed = to[0] == 's';
      y = std::clamp(y, is_signed ? -(Wide{1} << (out - 1)) : Wide{0}, (Wide{1} << (is_signed ? out - 1 : out)) - 1);
    }
    u64 d = static_cast<u64>(y) & mask_of(out);
    if (to[0] == 's' && (d >> (out - 1) & 1) != 0) d |= ~mask_of(out);
    return Results{d & mask_of(width)};
  }
  const Format f = format_of(from);
  u64 bits = in.of(w.operands[1]);
  if (is_float_type(to) && number_of(bits, f).nan && !w.has("sat")) {
    // From and to f64 the payload stays, cut or filled with zeros; f64 to f64, f32 and bf16 to f32 are moves.
    const Format g = format_of(to);
    const u64 sign = bits >> (f.bits() - 1) << (g.bits() - 1);
    const u64 payload = bits & ((u64{1} << f.mantissa) - 1);
    const u64 quiet = ((u64{1} << g.exponent) - 1) << g.mantissa | u64{1} << (g.mantissa - 1);
    const bool rounds = w.has("rni") || w.has("rzi") || w.has("rmi") || w.has("rpi");
    if (from == "f64" && to == "f64" && !rounds) return Results{bits};
    if (from == "f64") return Results{sign | quiet | payload >> (52 - g.mantissa)};
    if (to == "f64" && w.has("ftz")) return Results{0x7fffffffe0000000};
    if (to == "f64") return Results{sign | quiet | payload << (52 - f.mantissa)};
    if (to == "f32" && from == "f32" && !rounds && !w.has("ftz")) return Results{bits};
    if (to == "f32" && from == "bf16") return Results{bits << 16};
    return Results{nan_of(g)};
  }
  if (w.has("ftz") && from == "f32" && to != "f16") bits = flushed_input(bits, f);
  Number n = number_of(bits, f);
  const bool integral = w.has("rni") || w.has("rzi") || w.has("rmi") || w.has("rpi");
  if (!is_float_type(to)) {
    u64 d = *whole_number(n, mode_of(w), to, from == "f64");
    const int out = std::stoi(to.substr(1));
    if (to[0] == 's' && (d >> (out - 1) & 1) != 0) d |= ~mask_of(out);
    return Results{d & mask_of(width)};
  }
  if (integral && !n.nan && !n.infinite) {
    Words whole = w;
    const Quad down = floorf128(n.magnitude), rest = n.magnitude - down;
    const Mode mode = mode_of(w);
    const bool away = mode == Mode::nearest
                          ? rest > Quad(0.5) || (rest == Quad(0.5) && down - 2 * floorf128(down / 2) != 0)
                      : mode == Mode::zero ? false
                                           : rest != 0 && (mode == Mode::up) != n.negative;
    n.magnitude = away ? down + 1 : down;
  }
  u64 d = as_float(n, w, format_of(to));
  if (w.has("ftz") && to == "f32") d = flushed_input(d, f32_format);
  return Results{d};
}

std::optional<Results> comparison_oracle(const Words& w, const Inputs& in) {
  const auto width_of = [](const std::string& t) {
    return t.ends_with("x2") ? 32 : std::stoi(t.substr(t.find_first_of("0123456789")));
  };
  if (w.name == "selp") return Results{in.of(w.operands[3]) != 0 ? in.of(w.operands[1]) : in.of(w.operands[2])};
  if (w.name == "slct") {
    const u64 c = in.of(w.operands[3]);
    bool take_a = false;
    if (w.parts.back() == "s32") {
      take_a = static_cast<std::int32_t>(c) >= 0;
    } else {
      const Number n = number_of(w.has("ftz") ? flushed_input(c, f32_format) : c, f32_format);
      take_a = !n.nan && (!n.negative || (!n.infinite && n.magnitude == 0));
    }
    return Results{take_a ? in.of(w.operands[1]) : in.of(w.operands[2])};
  }
  const std::string& type = w.parts.back();
  const bool is_float = type.find('f') != std::string::npos, pair = type.ends_with("x2");
  const std::string& op = w.parts[0];
  const auto holds = [&](u64 a, u64 b) {
    int order = 0;
    bool unordered = false;
    if (is_float) {
      const Format f = format_of(type);
      if (w.has("ftz")) a = flushed_input(a, f), b = flushed_input(b, f);
      const Number x = number_of(a, f), y = number_of(b, f);
      unordered = x.nan || y.nan;
      const auto value = [](const Number& n) -> Quad {
        return n.infinite ? (n.negative ? -1 : 1) * ldexpf128(1, 12000) : n.value();
      };
      order = value(x) < value(y) ? -1 : value(x) > value(y) ? 1 : 0;
      if (op == "num") return !unordered;
      if (op == "nan") return unordered;
      if (op.size() == 3 && op != "num") {
        if (unordered) return true;
      } else if (unordered) {
        return false;
      }
    } else {
      const int bits = std::stoi(type.substr(1));
      const bool is_signed = type[0] == 's' && op != "lo" && op != "ls" && op != "hi" && op != "hs";
      const auto value = [&](u64 v) {
        return is_signed && (v >> (bits - 1) & 1) != 0 ? Wide{v} - (Wide{1} << bits) : Wide{v};
      };
      order = value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0;
    }
    const std::string base = op.substr(0, 2);
    return base == "eq"                   ? order == 0
           : base == "ne"                 ? order != 0
           : base == "lt" || base == "lo" ? order < 0
           : base == "le" || base == "ls" ? order <= 0
           : base == "gt" || base == "hi" ? order > 0
                                          : order >= 0;
  };
  const auto combined = [&](bool r) {
    const bool and_ = w.has("and"), or_ = w.has("or"), xor_ = w.has("xor");
    if (!and_ && !or_ && !xor_) return r;
    const bool c = in.of(w.operands[3]) != 0;
    return and_ ? r && c : or_ ? r || c : r != c;
  };
  const u64 a = in.of(w.operands[1]), b = in.of(w.operands[2]);
  const bool low = holds(pair ? a & 0xffff : a, pair ? b & 0xffff : b);
  const bool high = pair && holds(a >> 16, b >> 16);
  if (w.name == "setp") {
    u64 d = combined(low);
    if (w.operands[0].find("|%q") != std::string::npos) d |= u64{combined(pair ? high : !low)} << 1;
    return Results{d};
  }
  const std::string& to = w.parts[w.parts.size() - 2];
  const u64 one = to == "f32"              ? 0x3f800000
                  : to.starts_with("f16")  ? 0x3c00
                  : to.starts_with("bf16") ? 0x3f80
                                           : mask_of(width_of(to));
  if (!pair) return Results{combined(low) ? one : 0};
  const u64 part = to.ends_with("x2") ? one : 0xffff;
  return Results{(combined(low) ? part : 0) | (combined(high) ? part << 16 : 0)};
}

}  // namespace lanescope::emulator::test
