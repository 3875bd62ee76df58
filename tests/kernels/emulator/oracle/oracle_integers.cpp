// Integers, bits, video instructions, moves.

#include <algorithm>
#include <bit>

#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {

using u64 = std::uint64_t;
using s64 = std::int64_t;
using Wide = __int128;
using UWide = unsigned __int128;

namespace {

int bits_of_integer(const std::string& t) { return std::stoi(t.substr(1)); }
u64 keep_of(int bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }
Wide value_of(u64 x, const std::string& type) {
  const int bits = bits_of_integer(type);
  x &= keep_of(bits);
  return type[0] == 's' && (x >> (bits - 1) & 1) != 0 ? Wide{x} - (Wide{1} << bits) : Wide{x};
}
Wide clamp_to(Wide x, int bits, bool is_signed) {
  const Wide low = is_signed ? -(Wide{1} << (bits - 1)) : Wide{0},
             high = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(x, low, high);
}

/// The flag that the statement before leaves.
bool flag_before(const Words& w, const Inputs& in) {
  const Words before = words_of(w.before + " %e0, %a0, %b0");
  const int bits = bits_of_integer(before.parts.back());
  const u64 keep = keep_of(bits), a = in.a & keep, b = in.b & keep;
  if (before.name == "add") return (UWide{a} + b) >> bits != 0;
  return a >= b;  // no borrow
}

u64 by_halves(const Words& w, const Inputs& in) {
  const bool is_signed = w.parts.back()[0] == 's';
  u64 d = 0;
  for (int i = 0; i < 32; i += 16) {
    const auto half = [&](const std::string& o) { return value_of(in.of(o) >> i, is_signed ? "s16" : "u16"); };
    const Wide a = half(w.operands[1]), b = half(w.operands[2]);
    Wide x = w.name == "add" ? a + b : w.name == "min" ? std::min(a, b) : std::max(a, b);
    if (w.has("relu")) x = std::max(x, Wide{0});
    d |= (static_cast<u64>(x) & 0xffff) << i;
  }
  return d;
}

std::optional<u64> bits_and_logic(const Words& w, const Inputs& in) {
  const std::string& type = w.parts.back();
  const auto operand = [&](std::size_t i) { return in.of(w.operands[i]); };
  if (w.name == "prmt" || w.name == "lop3") return std::nullopt;
  const int bits = type == "pred" ? 1 : bits_of_integer(type);
  const u64 keep = keep_of(bits), a = operand(1);
  if (w.name == "and") return a & operand(2);
  if (w.name == "or") return a | operand(2);
  if (w.name == "xor") return a ^ operand(2);
  if (w.name == "not") return ~a & keep;
  if (w.name == "cnot") return a == 0;
  if (w.name == "popc") return std::popcount(a);
  if (w.name == "clz") return std::countl_zero(a) - (64 - bits);
  if (w.name == "brev") {
    u64 d = 0;
    for (int i = 0; i < bits; ++i) d |= (a >> i & 1) << (bits - 1 - i);
    return d;
  }
  if (w.name == "bfind") {
    const bool flips = type[0] == 's' && (a >> (bits - 1) & 1) != 0;
    const u64 x = flips ? ~a & keep : a;
    if (x == 0) return 0xffffffff;
    const int top = 63 - std::countl_zero(x);
    return w.has("shiftamt") ? bits - 1 - top : top;
  }
  if (w.name == "fns") {
    const u64 base = operand(2);
    const auto n = static_cast<std::int32_t>(operand(3));
    if (operand(3) == 0x80000000) return 0;
    if (base > 31) return 0xffffffff;
    if (n == 0) return (a >> base & 1) != 0 ? base : 0xffffffff;
    s64 left = n < 0 ? -s64{n} : n;
    for (s64 i = static_cast<s64>(base); i >= 0 && i<32; i += n> 0 ? 1 : -1)
      if ((a >> i & 1) != 0 && --left == 0) return static_cast<u64>(i);
    return 0xffffffff;
  }
  if (w.name == "bfe") {
    const u64 low = bits == 64 ? ~u64{0} : 0xff, position = operand(2) & low, length = operand(3) & low;
    const bool is_signed = type[0] == 's';
    u64 d = 0;
    const u64 last = std::min<u64>(position + length - 1, bits - 1);
    const bool sign = is_signed && length != 0 && (a >> last & 1) != 0;
    for (u64 i = 0; i < static_cast<u64>(bits); ++i) {
      const bool inside = i < length && position + i < static_cast<u64>(bits);
      d |= u64{inside ? (a >> (position + i) & 1) != 0 : sign} << i;
    }
    return d;
  }
  if (w.name == "bfi") {
    const u64 low = bits == 64 ? ~u64{0} : 0xff, position = operand(3) & low, length = operand(4) & low;
    u64 d = operand(2);
    for (u64 i = 0; i < length && position + i < static_cast<u64>(bits); ++i)
      d = (d & ~(u64{1} << (position + i))) | (a >> i & 1) << (position + i);
    return d;
  }
  if (w.name == "szext") {
    const u64 n = w.has("wrap") ? operand(2) & 31 : operand(2);
    if (n == 0) return 0;
    if (n >= 32) return a;
    const u64 low = a & keep_of(static_cast<int>(n));
    return type[0] == 's' && (low >> (n - 1) & 1) != 0 ? (low | ~keep_of(static_cast<int>(n))) & keep : low;
  }
  if (w.name == "bmsk") {
    const bool wraps = w.has("wrap");
    const u64 from = wraps ? a & 31 : a, n = wraps ? operand(2) & 31 : operand(2);
    u64 d = 0;
    for (u64 i = from; i < 32 && i - from < n; ++i) d |= u64{1} << i;
    return d;
  }
  if (w.name == "shf") {
    const u64 by = w.has("wrap") ? operand(3) & 31 : std::min<u64>(operand(3), 32);
    const u64 both = operand(2) << 32 | a;
    const UWide shifted = w.has("l") ? UWide{both} << by : UWide{both} >> by;
    return static_cast<u64>(w.has("l") ? shifted >> 32 : shifted) & keep;
  }
  if (w.name == "shl") return operand(2) >= static_cast<u64>(bits) ? 0 : a << operand(2) & keep;
  if (w.name == "shr") {
    const Wide x = value_of(a, type[0] == 'b' ? "u" + type.substr(1) : type);
    return static_cast<u64>(x >> std::min<u64>(operand(2), 127)) & keep;
  }
  return std::nullopt;
}

u64 permuted(const Words& w, u64 a, u64 b, u64 c) {
  const u64 both = b << 32 | a;
  const auto byte = [&](u64 i) { return both >> (8 * (i & 7)) & 0xff; };
  const std::string mode = w.parts.size() > 1 ? w.parts[1] : "";
  const u64 s = c & 3;
  u64 d = 0;
  for (u64 i = 0; i < 4; ++i) {
    u64 x = 0;
    if (mode.empty()) {
      const u64 selector = c >> (4 * i) & 15;
      x = byte(selector);
      if ((selector & 8) != 0) x = (x & 0x80) != 0 ? 0xff : 0;
    } else {
      x = byte(mode == "f4e"   ? s + i
               : mode == "b4e" ? (s - i) & 7
               : mode == "rc8" ? s
               : mode == "ecl" ? std::max(i, s)
               : mode == "ecr" ? std::min(i, s)
                               : 2 * (s & 1) + (i & 1));
    }
    d |= x << (8 * i);
  }
  return d;
}

}  // namespace

std::optional<Results> integer_oracle(const Words& w, const Inputs& in) {
  const auto operand = [&](std::size_t i) { return in.of(w.operands[i]); };
  if (w.name == "prmt") return Results{permuted(w, operand(1), operand(2), operand(3))};
  if (w.name == "lop3") {
    const bool logic = w.has("and") || w.has("or");
    const u64 table = std::stoull(w.operands[4], nullptr, 0);
    u64 d = 0;
    for (int i = 0; i < 32; ++i)
      d |= (table >> ((operand(1) >> i & 1) << 2 | (operand(2) >> i & 1) << 1 | (operand(3) >> i & 1)) & 1) << i;
    if (!logic) return Results{d};
    const u64 q = operand(5), p = w.has("and") ? u64{d != 0} & q : u64{d != 0} | q;
    if (w.operands[0].starts_with('_')) return Results{p};
    return Results{d, p};
  }
  if (w.name == "dp4a" || w.name == "dp2a") {
    const bool four = w.name == "dp4a";
    const std::string ta = w.parts[w.parts.size() - 2], tb = w.parts.back();
    Wide sum = static_cast<Wide>(operand(3));
    for (int i = 0; i < (four ? 4 : 2); ++i)
      sum += value_of(operand(1) >> (four ? 8 : 16) * i, ta.substr(0, 1) + (four ? "8" : "16")) *
             value_of(operand(2) >> (8 * i + (w.has("hi") ? 16 : 0)), tb.substr(0, 1) + "8");
    return Results{static_cast<u64>(sum) & 0xffffffff};
  }
  if (const auto d = bits_and_logic(w, in)) return Results{*d};
  const std::string& type = w.parts.back();
  if (type.ends_with("x2")) return Results{by_halves(w, in)};
  const int bits = bits_of_integer(type);
  const u64 keep = keep_of(bits);
  const bool is_signed = type[0] == 's';
  const auto v = [&](std::size_t i) { return value_of(operand(i), type); };
  const bool wide = w.has("wide"), hi = w.has("hi");
  Wide x = 0;
  const std::string& op = w.name;
  const bool carry_in = !w.before.empty() && flag_before(w, in);
  if (op == "add" || op == "addc")
    x = v(1) + v(2) + (carry_in ? 1 : 0);
  else if (op == "sub")
    x = v(1) - v(2);
  else if (op == "subc")
    x = v(1) - v(2) - (carry_in ? 0 : 1);
  else if (op == "mul")
    x = v(1) * v(2);
  else if (op == "mad" || op == "madc") {
    const UWide product = static_cast<UWide>(v(1) * v(2));
    const Wide high = is_signed ? static_cast<Wide>(product) >> bits : static_cast<Wide>(product >> bits);
    const Wide c = wide ? static_cast<Wide>(operand(3)) : v(3);
    x = (hi ? high : static_cast<Wide>(product & (wide ? ~UWide{0} : UWide{keep}))) + c + (carry_in ? 1 : 0);
  } else if (op == "mul24" || op == "mad24") {
    const auto low = [&](std::size_t i) { return value_of(operand(i), is_signed ? "s24" : "u24"); };
    x = low(1) * low(2) >> (hi ? 16 : 0);
    if (op == "mad24") {
      x = value_of(static_cast<u64>(x), type);  // 32 bits of the product
      x += v(3);
    }
  } else if (op == "sad")
    x = v(3) + (v(1) < v(2) ? v(2) - v(1) : v(1) - v(2));
  else if (op == "div")
    x = v(2) == 0 ? -1 : v(1) / v(2);
  else if (op == "rem")
    x = v(2) == 0 ? -1 : v(1) % v(2);
  else if (op == "abs")
    x = v(1) < 0 ? -v(1) : v(1);
  else if (op == "neg")
    x = -v(1);
  else if (op == "min")
    x = std::min(v(1), v(2));
  else if (op == "max")
    x = std::max(v(1), v(2));
  else
    return std::nullopt;
  if (w.has("relu")) x = std::max(x, Wide{0});
  if (w.has("sat")) x = clamp_to(x, bits, is_signed);
  if (op == "mul" && hi) x = is_signed ? x >> bits : static_cast<Wide>(static_cast<UWide>(x) >> bits);
  Results r{static_cast<u64>(x) & (wide ? keep_of(2 * bits) : keep)};
  if (!w.before.empty()) {
    const Words before = words_of(w.before + " %e0, %a0, %b0");
    const int width = bits_of_integer(before.parts.back());
    r.e = (before.name == "add" ? in.a + in.b : in.a - in.b) & keep_of(width);
  }
  return r;
}

std::optional<Results> move_oracle(const Words& w, const Inputs& in) {
  const auto& o = w.operands;
  if (o.size() == 2 && o[1] != "%d128") return Results{in.of(o[1])};
  if (o.back() == "%d128") return Results{in.a, in.b};
  const auto width = [](const std::string& x) { return x == "_" ? 32 : std::stoi(x.substr(2)); };
  if (o[1].starts_with("%e") || o[1] == "_") {  // a register into its parts
    const int each = width(o[0]);
    const u64 whole = in.of(o.back());
    Results r{whole & keep_of(each), o[1] == "_" ? 0 : whole >> each & keep_of(each)};
    if (o.size() == 5) r.d |= (whole >> 32 & 0xffff) << 32 | (whole >> 48) << 48;
    return r;
  }
  Results r;
  int at = 0;
  for (std::size_t i = 1; i < o.size(); ++i) r.d |= in.of(o[i]) << at, at += width(o[i]);
  return r;
}

namespace {

struct Part {
  int bits = 32, at = 0;
};
Part part_of(const std::string& operand, std::string& plain) {
  const std::size_t point = operand.find('.');
  plain = operand.substr(0, point);
  if (point == std::string::npos) return {};
  const int bits = operand[point + 1] == 'b' ? 8 : 16;
  return {bits, bits * (operand[point + 2] - '0')};
}

Wide video_value(const Words& w, const std::string& op, Wide a, Wide b) {
  if (op == "vadd") return a + b;
  if (op == "vsub") return a - b;
  if (op == "vabsdiff") return a < b ? b - a : a - b;
  if (op == "vmin") return std::min(a, b);
  if (op == "vmax") return std::max(a, b);
  if (op == "vavrg") return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  if (op == "vshl" || op == "vshr") {
    const int by = static_cast<int>(w.has("wrap") ? b & 31 : std::min<Wide>(b, 32));
    return op == "vshl" ? a * (Wide{1} << by) : a >> by;
  }
  const bool holds = w.has("eq")   ? a == b
                     : w.has("ne") ? a != b
                     : w.has("lt") ? a < b
                     : w.has("le") ? a <= b
                     : w.has("gt") ? a > b
                                   : a >= b;
  return holds ? 1 : 0;
}

}  // namespace

std::optional<Results> video_oracle(const Words& w, const Inputs& in) {
  std::string op = w.name;
  const int count = op.back() == '2' ? 2 : op.back() == '4' ? 4 : 1;
  if (count > 1) op.pop_back();
  std::vector<std::string> types;
  for (const std::string& p : w.parts)
    if (p == "u32" || p == "s32") types.push_back(p);
  const bool is_set = op == "vset";
  const bool d_signed = !is_set && types[0] == "s32", a_signed = types[is_set ? 0 : 1] == "s32",
             b_signed = types[is_set ? 1 : 2] == "s32";
  std::string pd, pa, pb;
  const Part d_part = part_of(w.operands[0], pd), a_part = part_of(w.operands[1], pa),
             b_part = part_of(w.operands[2], pb);
  const u64 c = w.operands.size() > 3 ? in.of(w.operands[3]) : 0;
  const auto name = [](bool is_signed, int bits) { return (is_signed ? "s" : "u") + std::to_string(bits); };
  if (count > 1) {
    const int bits = 32 / count;
    const u64 both = in.of(pb) << 32 | in.of(pa);
    const auto digit = [&](const std::string& operand, int i, int own) {
      const std::size_t point = operand.find('.');
      return point == std::string::npos ? own + i : operand[operand.size() - 1 - static_cast<std::size_t>(i)] - '0';
    };
    u64 sum = c, merged = 0;
    for (int i = 0; i < count; ++i) {
      const Wide a = value_of(both >> bits * digit(w.operands[1], i, 0), name(a_signed, bits));
      const Wide b = value_of(both >> bits * digit(w.operands[2], i, count), name(b_signed, bits));
      Wide x = video_value(w, op, a, b);
      if (w.has("sat")) x = clamp_to(x, bits, d_signed);
      const std::size_t point = w.operands[0].find('.');
      const bool on =
          point == std::string::npos || w.operands[0].find(static_cast<char>('0' + i), point + 2) != std::string::npos;
      if (on) sum += static_cast<u64>(x);
      merged |= (on ? static_cast<u64>(x) & keep_of(bits) : c >> bits * i & keep_of(bits)) << bits * i;
    }
    return Results{(w.has("add") ? sum : merged) & 0xffffffff};
  }
  const auto source = [&](std::string plain, Part p, bool is_signed) {
    if (plain.starts_with('-')) plain = plain.substr(1);
    return value_of(in.of(plain) >> p.at, name(is_signed, p.bits));
  };
  const Wide a = source(pa, a_part, a_signed), b = source(pb, b_part, b_signed);
  if (op == "vmad") {
    const bool minus = pa.starts_with('-') != pb.starts_with('-'), minus_c = w.operands[3].starts_with('-');
    const bool is_signed = a_signed || b_signed || minus || minus_c;
    Wide x = minus ? -(a * b) : a * b;
    const Wide add = value_of(c, is_signed ? "s32" : "u32");
    x += minus_c ? -add : add;
    if (w.has("po")) x += 1;
    x >>= w.has("shr7") ? 7 : w.has("shr15") ? 15 : 0;
    if (w.has("sat")) x = clamp_to(x, 32, is_signed);
    return Results{static_cast<u64>(x) & 0xffffffff};
  }
  Wide x = video_value(w, op, a, b);
  if (w.has("sat")) x = clamp_to(x, d_part.bits, d_signed);
  const Wide word = value_of(static_cast<u64>(x), d_signed ? "s32" : "u32"),
             other = value_of(c, d_signed ? "s32" : "u32");
  if (w.has("add")) return Results{(static_cast<u64>(x) + c) & 0xffffffff};
  if (w.has("min")) return Results{static_cast<u64>(std::min(word, other)) & 0xffffffff};
  if (w.has("max")) return Results{static_cast<u64>(std::max(word, other)) & 0xffffffff};
  if (w.operands[0].find('.') == std::string::npos) return Results{static_cast<u64>(x) & 0xffffffff};
  const u64 keep = keep_of(d_part.bits) << d_part.at;
  return Results{(c & ~keep) | (static_cast<u64>(x) << d_part.at & keep)};
}

}  // namespace lanescope::emulator::test
