// Every register operation against plain C++ written on its own (one_operation.h says how).

#include <bit>
#include <cmath>

#include "tests/kernels/emulator/one_operation.h"

namespace lanescope::emulator::test {
namespace {

TEST(Operations, IntegerArithmetic) {
  check({
      {"add.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a + b)); }},
      {"add.u16 %d16, %a16, %b16;", [](u64 a, u64 b, u64) { return u64(u16(a + b)); }},
      {"add.s64 %d64, %a64, %b64;", [](u64 a, u64 b, u64) { return a + b; }},
      {"add.sat.s32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         const s64 sum = s64(s32(a)) + s32(b);
         return u64(u32(s32(std::clamp<s64>(sum, INT32_MIN, INT32_MAX))));
       }},
      {"sub.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a - b)); }},
      {"sub.s16 %d16, %a16, %b16;", [](u64 a, u64 b, u64) { return u64(u16(a - b)); }},
      {"mul.lo.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a) * u32(b)); }},
      {"mul.lo.u16 %d16, %a16, %b16;", [](u64 a, u64 b, u64) { return u64(u16(u32(u16(a)) * u16(b))); }},
      {"mul.hi.u32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a)) * u32(b) >> 32; }},
      {"mul.hi.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32((s64(s32(a)) * s32(b)) >> 32)); }},
      {"mul.hi.u64 %d64, %a64, %b64;",
       [](u64 a, u64 b, u64) { return u64((static_cast<unsigned __int128>(a) * b) >> 64); }},
      {"mul.hi.s64 %d64, %a64, %b64;",
       [](u64 a, u64 b, u64) { return u64((static_cast<__int128>(s64(a)) * s64(b)) >> 64); }},
      {"mul.wide.u32 %d64, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a)) * u32(b); }},
      {"mul.wide.s32 %d64, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(s64(s32(a)) * s32(b)); }},
      {"mul.wide.s16 %d32, %a16, %b16;", [](u64 a, u64 b, u64) { return u64(u32(s32(s16(a)) * s16(b))); }},
      {"mad.lo.s32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) { return u64(u32(a) * u32(b) + u32(c)) & 0xffffffff; }},
      {"mad.hi.u32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) { return u64(u32((u64(u32(a)) * u32(b) >> 32) + c)); }},
      {"mad.wide.s32 %d64, %a32, %b32, %c64;", [](u64 a, u64 b, u64 c) { return u64(s64(s32(a)) * s32(b)) + c; }},
      {"div.u32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u32(b) == 0 ? 0xffffffff : u64(u32(a) / u32(b)); }},
      {"div.s32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         return s32(b) == 0 ? 0xffffffff : s32(b) == -1 ? u64(u32(0 - u32(a))) : u64(u32(s32(a) / s32(b)));
       }},
      {"rem.s64 %d64, %a64, %b64;",
       [](u64 a, u64 b, u64) { return b == 0         ? ~u64{0}
                                      : s64(b) == -1 ? 0
                                                     : u64(s64(a) % s64(b)); }},
      {"min.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(std::min(s32(a), s32(b)))); }},
      {"max.u64 %d64, %a64, %b64;", [](u64 a, u64 b, u64) { return std::max(a, b); }},
      {"abs.s32 %d32, %a32;", [](u64 a, u64, u64) { return u64(s32(a) < 0 ? 0u - u32(a) : u32(a)); }},
      {"neg.s16 %d16, %a16;", [](u64 a, u64, u64) { return u64(u16(0 - a)); }},
      {"sad.s32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) {
         const s64 difference = s64(s32(a)) - s32(b);
         return u64(u32(c + u64(difference < 0 ? -difference : difference)));
       }},
      {"mul24.lo.s32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) { return u64(u32(u64(s64(s32(u32(a) << 8) >> 8) * (s32(u32(b) << 8) >> 8)))); }},
      {"dp4a.u32.s32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) {
         s64 sum = s64(u32(c));
         for (int i = 0; i < 4; ++i) sum += s64(u8(a >> 8 * i)) * s8(b >> 8 * i);
         return u64(u32(sum));
       }},
  });
}

TEST(Operations, Carry) {
  check({
      {"{ .reg .b32 %x0,%x1,%y0,%y1; mov.b64 {%x0,%x1}, %a64; mov.b64 {%y0,%y1}, %b64; add.cc.u32 %x0, %x0, %y0; "
       "addc.u32 %x1, %x1, %y1; mov.b64 %d64, {%x0,%x1}; }",
       [](u64 a, u64 b, u64) { return a + b; }},
      {"{ .reg .b32 %x0,%x1,%y0,%y1; mov.b64 {%x0,%x1}, %a64; mov.b64 {%y0,%y1}, %b64; sub.cc.u32 %x0, %x0, %y0; "
       "subc.u32 %x1, %x1, %y1; mov.b64 %d64, {%x0,%x1}; }",
       [](u64 a, u64 b, u64) { return a - b; }},
      {"{ .reg .b32 %x0,%x1; mad.lo.cc.u32 %x0, %a32, %b32, %c32; madc.hi.u32 %x1, %a32, %b32, 0; mov.b64 %d64, "
       "{%x0,%x1}; }",
       [](u64 a, u64 b, u64 c) { return u64(u32(a)) * u32(b) + u32(c); }},
  });
}

TEST(Operations, Bits) {
  check({
      {"and.b64 %d64, %a64, %b64;", [](u64 a, u64 b, u64) { return a & b; }},
      {"xor.b16 %d16, %a16, %b16;", [](u64 a, u64 b, u64) { return u64(u16(a ^ b)); }},
      {"not.b32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(~a)); }},
      {"cnot.b32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(a) == 0); }},
      {"lop3.b32 %d32, %a32, %b32, %c32, 0xE2;",
       [](u64 a, u64 b, u64 c) {
         u64 out = 0;
         for (int i = 0; i < 32; ++i) out |= (0xE2ull >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
         return out;
       }},
      {"shl.b32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u32(b) > 31 ? 0 : u64(u32(a) << u32(b)); }},
      {"shl.b64 %d64, %a64, %b32;", [](u64 a, u64 b, u64) { return u32(b) > 63 ? 0 : a << u32(b); }},
      {"shr.u32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u32(b) > 31 ? 0 : u64(u32(a) >> u32(b)); }},
      {"shr.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(s32(a) >> std::min(u32(b), 31u))); }},
      {"shr.s16 %d16, %a16, %b32;", [](u64 a, u64 b, u64) { return u64(u16(s16(a) >> std::min(u32(b), 15u))); }},
      {"shr.s64 %d64, %a64, %b32;", [](u64 a, u64 b, u64) { return u64(s64(a) >> std::min(u32(b), 63u)); }},
      {"shf.l.wrap.b32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) {
         const u32 n = c & 31;
         return n == 0 ? u64(u32(b)) : u64(u32(b) << n | u32(a) >> (32 - n));
       }},
      {"shf.r.clamp.b32 %d32, %a32, %b32, %c32;",
       [](u64 a, u64 b, u64 c) {
         const u32 n = std::min(u32(c), 32u);
         return n == 0 ? u64(u32(a)) : n == 32 ? u64(u32(b)) : u64(u32(b) << (32 - n) | u32(a) >> n);
       }},
      {"brev.b32 %d32, %a32;",
       [](u64 a, u64, u64) {
         u64 o = 0;
         for (int i = 0; i < 32; ++i) o |= (a >> i & 1) << (31 - i);
         return o;
       }},
      {"brev.b64 %d64, %a64;",
       [](u64 a, u64, u64) {
         u64 o = 0;
         for (int i = 0; i < 64; ++i) o |= (a >> i & 1) << (63 - i);
         return o;
       }},
      {"clz.b32 %d32, %a32;", [](u64 a, u64, u64) { return u64(std::countl_zero(u32(a))); }},
      {"clz.b64 %d32, %a64;", [](u64 a, u64, u64) { return u64(std::countl_zero(a)); }},
      {"popc.b32 %d32, %a32;", [](u64 a, u64, u64) { return u64(std::popcount(u32(a))); }},
      {"popc.b64 %d32, %a64;", [](u64 a, u64, u64) { return u64(std::popcount(a)); }},
      {"bfind.u32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(31 - std::countl_zero(u32(a)))); }},
      {"bfind.shiftamt.s32 %d32, %a32;",
       [](u64 a, u64, u64) {
         const u32 x = s32(a) < 0 ? ~u32(a) : u32(a);
         return x == 0 ? 0xffffffff : u64(std::countl_zero(x));
       }},
      {"selp.b32 %d32, %b32, %c32, %pa;", [](u64 a, u64 b, u64 c) { return u64(u32((a & 1) != 0 ? b : c)); }},
      {"selp.b64 %d64, %b64, %c64, !%pa;", [](u64 a, u64 b, u64 c) { return (a & 1) != 0 ? c : b; }},
      {"slct.b32.s32 %d32, %a32, %b32, %c32;", [](u64 a, u64 b, u64 c) { return u64(u32(s32(c) >= 0 ? a : b)); }},
      {"mov.b32 %d32, {%a16, %b16};", [](u64 a, u64 b, u64) { return u64(u16(b)) << 16 | u16(a); }},
      {"{ .reg .b32 %x; mov.b64 {_, %x}, %a64; mov.b32 %d32, %x; }", [](u64 a, u64, u64) { return a >> 32; }},
      {"szext.clamp.s32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         const u32 n = u32(b);
         return n == 0 ? 0 : n >= 32 ? u64(u32(a)) : u64(u32(s32(u32(a) << (32 - n)) >> (32 - n)));
       }},
  });
  const auto byte = [](u64 a, u64 b, u64 s, int i) {
    const u64 both = u64(u32(b)) << 32 | u32(a);
    const u64 nibble = s >> (4 * i) & 15;
    const u64 x = both >> (8 * (nibble & 7)) & 0xff;
    return ((nibble & 8) != 0 ? ((x & 0x80) != 0 ? 0xff : 0) : x) << (8 * i);
  };
  check({{"prmt.b32 %d32, %a32, %b32, %c32;", [&](u64 a, u64 b, u64 c) {
            return byte(a, b, c, 0) | byte(a, b, c, 1) | byte(a, b, c, 2) | byte(a, b, c, 3);
          }}});
  const auto field = [](u64 a, u64 pos, u64 len, u32 width, bool sign) {
    u64 out = 0;
    const u64 last = std::min<u64>(pos + len - 1, width - 1);
    const u64 fill = len != 0 && sign ? a >> last & 1 : 0;
    for (u64 i = 0; i < width; ++i) out |= (i < len && pos + i < width ? a >> (pos + i) & 1 : fill) << i;
    return out;
  };
  check({{"bfe.u32 %d32, %a32, %b32, %c32;", [&](u64 a, u64 b, u64 c) { return field(a, b, c, 32, false); }},
         {"bfe.s32 %d32, %a32, %b32, %c32;", [&](u64 a, u64 b, u64 c) { return field(a, b, c, 32, true); }},
         {"bfe.s64 %d64, %a64, %b32, %c32;", [&](u64 a, u64 b, u64 c) { return field(a, b, c, 64, true); }}},
        0, 70, 70);
  check({{"bfi.b32 %d32, %a32, -1, %b32, %c32;",
          [](u64 a, u64 b, u64 c) {
            u64 out = 0xffffffff;
            for (u64 i = 0; i < c && b + i < 32; ++i) out = (out & ~(1ull << (b + i))) | (a >> i & 1) << (b + i);
            return out;
          }}},
        0, 40, 40);
}

TEST(Operations, FloatArithmetic) {
  check({
      {"add.rn.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return bits(f(a) + f(b)); }},
      {"sub.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return bits(f(a) - f(b)); }},
      {"mul.rn.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return bits(f(a) * f(b)); }},
      {"fma.rn.f32 %d32, %a32, %b32, %c32;", [](u64 a, u64 b, u64 c) { return bits(std::fma(f(a), f(b), f(c))); }},
      {"div.rn.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return bits(f(a) / f(b)); }},
      {"sqrt.rn.f32 %d32, %a32;", [](u64 a, u64, u64) { return bits(std::sqrt(f(a))); }},
      {"min.f32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         if (f(a) == 0 && f(b) == 0) return u64(u32(a) | u32(b));
         return bits(std::fmin(f(a), f(b)));
       }},
      {"max.NaN.f32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         if (std::isnan(f(a)) || std::isnan(f(b))) return u64(0x7fffffff);
         if (f(a) == 0 && f(b) == 0) return u64(u32(a) & u32(b));
         return bits(std::fmax(f(a), f(b)));
       }},
      {"add.f64 %d64, %a64, %b64;",
       [](u64 a, u64 b, u64) {
         return bits64(d(a) + d(b), {b, a});
       }},
      {"fma.rn.f64 %d64, %a64, %b64, %c64;",
       [](u64 a, u64 b, u64 c) {
         return bits64(std::fma(d(a), d(b), d(c)), {b, c, a});
       }},
      {"copysign.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return (b & 0x7fffffff) | (a & 0x80000000); }},
      {"setp.lt.f32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(f(a) < f(b)); }},
      {"setp.neu.f32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(!(f(a) == f(b))); }},
      {"setp.ne.f32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(f(a) < f(b) || f(a) > f(b)); }},
      {"setp.nan.f32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(std::isnan(f(a)) || std::isnan(f(b))); }},
      {"testp.subnormal.f32 %p, %a32;", [](u64 a, u64, u64) { return u64(std::fpclassify(f(a)) == FP_SUBNORMAL); }},
  });
}

TEST(Operations, FlushToZeroAndSaturate) {
  const auto z = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; };
  check({
      {"mul.ftz.f32 %d32, %a32, %b32;", [&](u64 a, u64 b, u64) { return bits(z(z(f(a)) * z(f(b)))); }},
      {"fma.rn.ftz.f32 %d32, %a32, %b32, %c32;",
       [&](u64 a, u64 b, u64 c) { return bits(z(std::fma(z(f(a)), z(f(b)), z(f(c))))); }},
      {"add.sat.f32 %d32, %a32, %b32;",
       [](u64 a, u64 b, u64) {
         const float x = f(a) + f(b);
         return bits(x > 0 ? std::min(x, 1.0f) : 0.0f);
       }},
      {"setp.eq.ftz.f32 %p, %a32, %b32;", [&](u64 a, u64 b, u64) { return u64(z(f(a)) == z(f(b))); }},
  });
}

/// Rounding toward zero and outwards, from the exact value that long double holds (f32 products need 48 bits).
TEST(Operations, DirectedRounding) {
  const auto directed = [](long double exact, int direction) -> u64 {
    const float nearest = static_cast<float>(exact);
    if (std::isnan(nearest)) return 0x7fffffff;
    float x = nearest;
    if (direction < 0 && static_cast<long double>(x) > exact) x = std::nextafter(x, -INFINITY);
    if (direction > 0 && static_cast<long double>(x) < exact) x = std::nextafter(x, INFINITY);
    return std::bit_cast<u32>(x);
  };
  check({
      {"mul.rz.f32 %d32, %a32, %b32;",
       [&](u64 a, u64 b, u64) {
         const long double exact = static_cast<long double>(f(a)) * f(b);
         return directed(exact, std::signbit(exact) ? 1 : -1);
       }},
      {"mul.rm.f32 %d32, %a32, %b32;",
       [&](u64 a, u64 b, u64) { return directed(static_cast<long double>(f(a)) * f(b), -1); }},
      {"mul.rp.f32 %d32, %a32, %b32;",
       [&](u64 a, u64 b, u64) { return directed(static_cast<long double>(f(a)) * f(b), 1); }},
  });
}

TEST(Operations, Comparisons) {
  check({
      {"setp.lt.s32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(s32(a) < s32(b)); }},
      {"setp.ge.u64 %p, %a64, %b64;", [](u64 a, u64 b, u64) { return u64(a >= b); }},
      {"setp.hi.u32 %p, %a32, %b32;", [](u64 a, u64 b, u64) { return u64(u32(a) > u32(b)); }},
      {"setp.lt.and.s16 %p|%q, %a16, %b16, %pa;",
       [](u64 a, u64 b, u64) {
         const bool lt = s16(a) < s16(b), pa = (a & 1) != 0;
         return u64(lt && pa) | u64(!lt && pa) << 1;
       }},
      {"setp.eq.xor.b32 %p, %a32, %b32, !%pa;",
       [](u64 a, u64 b, u64) { return u64((u32(a) == u32(b)) != ((a & 1) == 0)); }},
      {"set.gt.u32.s32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return s32(a) > s32(b) ? 0xffffffff : 0ull; }},
      {"set.le.f32.f32 %d32, %a32, %b32;", [](u64 a, u64 b, u64) { return f(a) <= f(b) ? 0x3f800000 : 0ull; }},
  });
}

TEST(Operations, IntegerConversions) {
  check({
      {"cvt.s32.s8 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(s32(s8(a)))); }},
      {"cvt.u16.u32 %d16, %a32;", [](u64 a, u64, u64) { return u64(u16(a)); }},
      {"cvt.s64.s32 %d64, %a32;", [](u64 a, u64, u64) { return u64(s64(s32(a))); }},
      {"cvt.u64.u32 %d64, %a32;", [](u64 a, u64, u64) { return u64(u32(a)); }},
      {"cvt.s64.s16 %d64, %a16;", [](u64 a, u64, u64) { return u64(s64(s16(a))); }},
      {"cvt.u8.u32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u8(a)); }},
      {"cvt.s8.s32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(s32(s8(a)))); }},
      {"cvt.sat.s8.s32 %d32, %a32;", [](u64 a, u64, u64) { return u64(u32(std::clamp(s32(a), -128, 127))); }},
      {"cvt.sat.u16.s32 %d16, %a32;", [](u64 a, u64, u64) { return u64(std::clamp(s32(a), 0, 65535)); }},
  });
}

TEST(Operations, FloatConversions) {
  const auto to_int = [](double x, double low, double high) { return std::isnan(x) ? 0.0 : std::clamp(x, low, high); };
  check({
      {"cvt.rzi.s32.f32 %d32, %a32;",
       [&](u64 a, u64, u64) { return u64(u32(s32(to_int(std::trunc(double(f(a))), -2147483648.0, 2147483647.0)))); }},
      {"cvt.rni.s32.f32 %d32, %a32;",
       [&](u64 a, u64, u64) {
         return u64(u32(s32(to_int(std::nearbyint(double(f(a))), -2147483648.0, 2147483647.0))));
       }},
      {"cvt.rmi.u32.f32 %d32, %a32;",
       [&](u64 a, u64, u64) { return u64(u32(to_int(std::floor(double(f(a))), 0, 4294967295.0))); }},
      {"cvt.rn.f32.s32 %d32, %a32;", [](u64 a, u64, u64) { return bits(static_cast<float>(s32(a))); }},
      {"cvt.rn.f32.u64 %d32, %a64;", [](u64 a, u64, u64) { return bits(static_cast<float>(a)); }},
      {"cvt.rz.f32.s32 %d32, %a32;",
       [](u64 a, u64, u64) {
         float x = static_cast<float>(s32(a));
         if (std::fabs(double(x)) > std::fabs(double(s32(a)))) x = std::nextafter(x, 0.0f);
         return bits(x);
       }},
      {"cvt.f64.f32 %d64, %a32;",
       [](u64 a, u64, u64) {
         const u64 payload = (a & 0x80000000u) << 32 | 0x7ff8ull << 48 | (a & 0x7fffff) << 29;
         return std::isnan(f(a)) ? payload : std::bit_cast<u64>(double(f(a)));
       }},
      {"cvt.rn.f32.f64 %d32, %a64;",
       [](u64 a, u64, u64) {
         const u64 payload = (a >> 32 & 0x80000000u) | 0x7fc00000u | (a >> 29 & 0x7fffffu);
         return std::isnan(d(a)) ? payload : u64(std::bit_cast<u32>(static_cast<float>(d(a))));
       }},
      {"cvt.rpi.f32.f32 %d32, %a32;", [](u64 a, u64, u64) { return bits(std::ceil(f(a))); }},
      {"cvt.sat.f32.f32 %d32, %a32;", [](u64 a, u64, u64) { return bits(f(a) > 0 ? std::min(f(a), 1.0f) : 0.0f); }},
      {"cvt.rn.bf16.f32 %d16, %a32;",
       [](u64 a, u64, u64) {
         if (std::isnan(f(a))) return u64(0x7fff);
         const u64 x = u32(a);
         return (x + 0x7fff + (x >> 16 & 1)) >> 16;
       }},
      {"cvt.f32.bf16 %d32, %a16;", [](u64 a, u64, u64) { return u64(u16(a)) << 16; }},
  });
}

/// All 65,536 halves: widening against ldexp, narrowing as the inverse, rounding by neighbours.
TEST(Operations, HalfConversionsExhaustively) {
  const auto widened = [](u32 h) {
    const int exponent = static_cast<int>(h >> 10 & 31);
    const double fraction = h & 0x3ff;
    const double x = exponent == 31  ? ((h & 0x3ff) != 0 ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
    return (h & 0x8000) != 0 ? -x : x;
  };
  for (u32 start = 0; start < 65536; start += 1024) {
    std::vector<u64> a(1024), zero(1024);
    for (u32 i = 0; i < 1024; ++i) a[i] = start + i;
    const auto wide = run_one("cvt.f32.f16 %d32, %a16;", a, zero, zero, 1024);
    const auto back = run_one("cvt.rn.f16.f32 %d16, %a32;", wide, zero, zero, 1024);
    for (u32 i = 0; i < 1024; ++i) {
      const double x = widened(start + i);
      ASSERT_EQ(wide[i], bits(static_cast<float>(x))) << start + i;
      ASSERT_EQ(back[i], std::isnan(x) ? 0x7fffu : start + i);
    }
  }
  // Between two neighbours: below, at and above the middle.
  Numbers numbers(5);
  std::vector<u64> a(1024), zero(1024), want(1024);
  for (u32 i = 0; i < 1024; ++i) {
    const u32 low = static_cast<u32>(numbers.below(0x7bff));
    const double middle = (widened(low) + widened(low + 1)) / 2;
    const int side = static_cast<int>(numbers.below(3)) - 1;
    a[i] = std::bit_cast<u32>(side == 0 ? static_cast<float>(middle)
                                        : std::nextafter(static_cast<float>(middle), side > 0 ? INFINITY : 0.0f));
    want[i] = side < 0 ? low : side > 0 ? low + 1 : low + (low & 1);
  }
  const auto got = run_one("cvt.rn.f16.f32 %d16, %a32;", a, zero, zero, 1024);
  for (u32 i = 0; i < 1024; ++i) ASSERT_EQ(got[i], want[i]) << std::hex << a[i];
}

double half(u64 h) {
  const u32 exponent = h >> 10 & 31;
  const double m = exponent == 31  ? ((h & 0x3ff) != 0 ? NAN : INFINITY)
                   : exponent == 0 ? std::ldexp(double(h & 0x3ff), -24)
                                   : std::ldexp(1024.0 + double(h & 0x3ff), int(exponent) - 25);
  return (h & 0x8000) != 0 ? -m : m;
}
/// The nearest half of an exact value, by searching: slow, and hard to get wrong.
u64 nearest_half(__float128 exact, bool negative_zero) {
  if (exact != exact) return 0x7fff;
  const bool negative = exact < 0 || (exact == 0 && negative_zero);
  const __float128 m = exact < 0 ? -exact : exact;
  u64 low = 0, high = 0x7c00;
  while (high - low > 1) {
    const u64 middle = (low + high) / 2;
    if (static_cast<__float128>(half(middle)) <= m)
      low = middle;
    else
      high = middle;
  }
  const __float128 top = high == 0x7c00 ? static_cast<__float128>(65536.0) : static_cast<__float128>(half(high));
  const __float128 below = m - static_cast<__float128>(half(low)), above = top - m;
  const u64 h = below < above || (below == above && (low & 1) == 0) ? low : high;
  return h | (negative ? 0x8000 : 0);
}

TEST(Operations, HalfArithmeticRoundsOnce) {
  const auto finite = [](u64 a) { return (a & 0x7c00) != 0x7c00; };
  const auto lanewise = [&](auto op) {
    return [=](u64 a, u64 b, u64 c) {
      u64 out = 0;
      for (int h = 0; h < 2; ++h) {
        const u64 x = a >> (16 * h) & 0xffff, y = b >> (16 * h) & 0xffff, w = c >> (16 * h) & 0xffff;
        out |= op(x, y, w) << (16 * h);
      }
      return out;
    };
  };
  std::vector<u64> a(960), b(960), c(960);
  Numbers numbers(77);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Products near a midpoint with a tiny addend are what a double rounding gets wrong.
    a[i] = numbers.next() & 0xffffffff;
    b[i] = numbers.next() & 0xffffffff;
    c[i] = (numbers.next() & 0xffffffff) & (i % 2 == 0 ? 0x83ff83ff : 0xffffffff);
  }
  const auto check_op = [&](const std::string& instruction, auto exact) {
    const auto got = run_one(instruction, a, b, c, 960);
    const auto want = lanewise(exact);
    for (std::size_t i = 0; i < a.size(); ++i) {
      bool all_finite = true;
      for (u64 v : {a[i], b[i], c[i]}) all_finite = all_finite && finite(v) && finite(v >> 16);
      if (!all_finite) continue;
      ASSERT_EQ(got[i], want(a[i], b[i], c[i])) << instruction << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
    }
  };
  using Q = __float128;
  check_op("add.f16x2 %d32, %a32, %b32;",
           [](u64 x, u64 y, u64) { return nearest_half(Q(half(x)) + Q(half(y)), std::signbit(half(x) + half(y))); });
  check_op("mul.f16x2 %d32, %a32, %b32;",
           [](u64 x, u64 y, u64) { return nearest_half(Q(half(x)) * Q(half(y)), std::signbit(half(x) * half(y))); });
  check_op("fma.rn.f16x2 %d32, %a32, %b32, %c32;", [](u64 x, u64 y, u64 w) {
    return nearest_half(Q(half(x)) * Q(half(y)) + Q(half(w)), std::signbit(half(x) * half(y) + half(w)));
  });
}

}  // namespace
}  // namespace lanescope::emulator::test
