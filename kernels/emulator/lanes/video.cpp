// Video instructions: bytes, half-words or words of two registers, extended to signed numbers that hold every result,
// one operation on each, then saturation and a second operation or a merge with c. Source: PTX ISA 9.0, "Scalar Video
// Instructions", "SIMD Video Instructions".

#include <algorithm>
#include <limits>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

s64 part(u64 both, u32 at, u32 bits, bool is_signed) {
  const u64 raw = both >> at & ((u64{1} << bits) - 1);
  return is_signed && (raw >> (bits - 1) & 1) != 0 ? static_cast<s64>(raw) - (s64{1} << bits) : static_cast<s64>(raw);
}

s64 clamped(s64 x, u32 bits, bool is_signed) {
  const s64 low = is_signed ? -(s64{1} << (bits - 1)) : 0, high = (s64{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(x, low, high);
}

bool holds(VideoOp::Compare compare, s64 a, s64 b) {
  switch (compare) {
    case VideoOp::Compare::eq:
      return a == b;
    case VideoOp::Compare::ne:
      return a != b;
    case VideoOp::Compare::lt:
      return a < b;
    case VideoOp::Compare::le:
      return a <= b;
    case VideoOp::Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

s64 computed(const VideoOp& v, s64 a, s64 b) {
  switch (v.kind) {
    case VideoOp::Kind::add:
      return a + b;
    case VideoOp::Kind::sub:
      return a - b;
    case VideoOp::Kind::absdiff:
      return a < b ? b - a : a - b;
    case VideoOp::Kind::min:
      return std::min(a, b);
    case VideoOp::Kind::max:
      return std::max(a, b);
    case VideoOp::Kind::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOp::Kind::shl:
    case VideoOp::Kind::shr: {
      const s64 by = v.wraps ? b & 31 : std::min<s64>(b, 32);
      if (v.kind == VideoOp::Kind::shr) return a >> by;
      const __int128 wide = static_cast<__int128>(a) * (__int128{1} << by);  // up to 65 bits
      constexpr __int128 most = std::numeric_limits<s64>::max(), least = std::numeric_limits<s64>::min();
      return static_cast<s64>(v.saturates ? std::clamp(wide, least, most) : wide);
    }
    case VideoOp::Kind::set:
      return holds(v.compare, a, b) ? 1 : 0;
    case VideoOp::Kind::mad:
      break;
  }
  return 0;
}

u32 multiply_add(const VideoOp& v, s64 a, s64 b, u32 c) {
  using Wide = __int128;
  const bool is_signed = v.a_signed || v.b_signed || v.negates_product || v.negates_c;
  Wide sum = Wide{a} * b;
  const auto c_value = [&](u32 bits) { return is_signed ? Wide{static_cast<s32>(bits)} : Wide{bits}; };
  if (v.plus_one)
    sum += c_value(c) + 1;
  else if (v.negates_product)
    sum = ~sum + c_value(c) + 1;
  else if (v.negates_c)
    sum += c_value(~c) + 1;
  else
    sum += c_value(c);
  sum >>= v.scale;
  if (v.saturates) {
    const Wide low = is_signed ? -(Wide{1} << 31) : Wide{0}, high = (Wide{1} << (is_signed ? 31 : 32)) - 1;
    sum = std::clamp(sum, low, high);
  }
  return static_cast<u32>(sum);
}

u32 one(const VideoOp& v, s64 result, u32 c) {
  if (v.saturates) result = clamped(result, v.d_bits, v.d_signed);
  const u32 word = static_cast<u32>(result);
  const auto less = [&](u32 x, u32 y) { return v.d_signed ? static_cast<s32>(x) < static_cast<s32>(y) : x < y; };
  switch (v.second) {
    case VideoOp::Second::add:
      return word + c;
    case VideoOp::Second::min:
      return less(word, c) ? word : c;
    case VideoOp::Second::max:
      return less(word, c) ? c : word;
    case VideoOp::Second::none:
      break;
  }
  if (v.d_mask == 0) return word;
  const u32 keep = ((1u << v.d_bits) - 1) << v.d_at;
  return (c & ~keep) | (word << v.d_at & keep);
}

u32 several(const VideoOp& v, u64 both, u32 c) {
  const u32 bits = v.d_bits, keep = (1u << bits) - 1;
  u32 sum = c, merged = 0;
  for (u32 i = 0; i < v.count; ++i) {
    s64 t = computed(v, part(both, v.a_at[i], bits, v.a_signed), part(both, v.b_at[i], bits, v.b_signed));
    if (v.saturates) t = clamped(t, bits, v.d_signed);
    const bool on = (v.d_mask >> i & 1) != 0;
    if (on) sum += static_cast<u32>(t);
    merged |= (on ? static_cast<u32>(t) & keep : c >> (bits * i) & keep) << (bits * i);
  }
  return v.second == VideoOp::Second::add ? sum : merged;
}

}  // namespace

void exec_video(u8* r, const Op& op, u32 mask) {
  const VideoOp& v = *op.video;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const u32 a = row<u32>(r, op.a)[l], b = row<u32>(r, op.b)[l], c = op.c_bits == 0 ? 0 : row<u32>(r, op.c)[l];
    u32 d = 0;
    if (v.count > 1) {
      d = several(v, u64{b} << 32 | a, c);
    } else {
      const s64 x = part(a, v.a_at[0], v.a_bits, v.a_signed), y = part(b, v.b_at[0], v.b_bits, v.b_signed);
      d = v.kind == VideoOp::Kind::mad ? multiply_add(v, x, y, c) : one(v, computed(v, x, y), c);
    }
    row<u32>(r, op.d)[l] = d;
  }
}

}  // namespace lanescope::emulator
