// Rarer register operations against plain C++: fields, dot products, packed integers, 16-bit floats, lop3 with a predicate.

#include <algorithm>
#include <bit>

#include "tests/kernels/emulator/one_operation.h"

namespace lanescope::emulator::test {
namespace {

using Unary = std::function<u64(u64)>;

u64 per_half(u64 a, u64 b, const std::function<u64(u64, u64)>& f) {
  return (f(a & 0xffff, b & 0xffff) & 0xffff) | (f(a >> 16 & 0xffff, b >> 16 & 0xffff) & 0xffff) << 16;
}

TEST(MoreOperations, MasksAndNthBits) {
  const auto mask = [](u64 first, u64 count) {
    u64 m = 0;
    for (u64 i = first; i < std::min<u64>(first + count, 32); ++i) m |= u64{1} << i;
    return m;
  };
  check({{"bmsk.clamp.b32 %d32, %a32, %b32;", [&](u64 a, u64 b, u64) { return mask(a, b); }},
         {"bmsk.wrap.b32 %d32, %a32, %b32;", [&](u64 a, u64 b, u64) { return mask(a % 32, b % 32); }}},
        70, 70);
  check({{"sub.s32 %c32, %c32, 20;\nfns.b32 %d32, %a32, %b32, %c32;",
          [](u64 a, u64 base, u64 c) -> u64 {
            const s32 offset = static_cast<s32>(c) - 20;
            std::vector<u64> set;  // set bits in the order in which they are met
            if (offset >= 0)
              for (u64 i = base; i < (offset == 0 ? base + 1 : 32); ++i) {
                if (a >> i & 1) set.push_back(i);
              }
            else
              for (u64 i = base + 1; i-- > 0;)
                if (a >> i & 1) set.push_back(i);
            const auto nth = static_cast<std::size_t>(std::max(std::abs(offset), 1));
            return nth <= set.size() ? set[nth - 1] : 0xffffffffu;
          }}},
        0, 32, 41);
}

TEST(MoreOperations, VectorsOfRegistersAreMovedAtOnce) {
  check(
      {{"mov.v2.b32 {%a32, %b32}, {%b32, %a32};\nmov.b32 %d32, %a32;", [](u64, u64 b, u64) { return b & 0xffffffff; }},
       {"mov.v2.b32 {%a32, %b32}, {%b32, %a32};\nmov.b32 %d32, %b32;", [](u64 a, u64, u64) { return a & 0xffffffff; }},
       {"mov.v4.b32 {%a32, %b32, %c32, %d32}, {%c32, %a32, %b32, %a32};",
        [](u64 a, u64, u64) { return a & 0xffffffff; }},
       {"mov.v4.b32 {%a32, %b32, %d32, _}, {%c32, %c32, %b32, %a32};",
        [](u64, u64 b, u64) { return b & 0xffffffff; }}});
}

TEST(MoreOperations, DotProductsOfTwo) {
  const auto dot = [](bool a_signed, bool b_signed, u32 first) {
    return [=](u64 a, u64 b, u64 c) {
      s64 sum = static_cast<s64>(c & 0xffffffff);
      for (u32 i = 0; i < 2; ++i) {
        const s64 x = a_signed ? static_cast<s16>(a >> 16 * i) : static_cast<s64>(a >> 16 * i & 0xffff);
        const s64 y = b_signed ? static_cast<s8>(b >> 8 * (first + i)) : static_cast<s64>(b >> 8 * (first + i) & 0xff);
        sum += x * y;
      }
      return static_cast<u64>(static_cast<u32>(sum));
    };
  };
  check({{"dp2a.lo.u32.u32 %d32, %a32, %b32, %c32;", dot(false, false, 0)},
         {"dp2a.hi.u32.u32 %d32, %a32, %b32, %c32;", dot(false, false, 2)},
         {"dp2a.lo.s32.u32 %d32, %a32, %b32, %c32;", dot(true, false, 0)},
         {"dp2a.hi.s32.s32 %d32, %a32, %b32, %c32;", dot(true, true, 2)},
         {"dp2a.lo.u32.s32 %d32, %a32, %b32, %c32;", dot(false, true, 0)}});
}

TEST(MoreOperations, PackedIntegers) {
  const auto halves = [](std::function<u64(u64, u64)> f) {
    return [f](u64 a, u64 b, u64) { return per_half(a, b, f); };
  };
  const auto sign = [](u64 x) { return static_cast<s16>(x); };
  check({{"add.u16x2 %d32, %a32, %b32;", halves([](u64 a, u64 b) { return a + b; })},
         {"add.s16x2 %d32, %a32, %b32;", halves([](u64 a, u64 b) { return a + b; })},
         {"min.u16x2 %d32, %a32, %b32;", halves([](u64 a, u64 b) { return std::min(a, b); })},
         {"max.u16x2 %d32, %a32, %b32;", halves([](u64 a, u64 b) { return std::max(a, b); })},
         {"min.s16x2 %d32, %a32, %b32;", halves([&](u64 a, u64 b) { return u64(u16(std::min(sign(a), sign(b)))); })},
         {"max.s16x2 %d32, %a32, %b32;", halves([&](u64 a, u64 b) { return u64(u16(std::max(sign(a), sign(b)))); })},
         {"min.relu.s16x2 %d32, %a32, %b32;",
          halves([&](u64 a, u64 b) { return u64(std::max<s16>(0, std::min(sign(a), sign(b)))); })},
         {"max.relu.s16x2 %d32, %a32, %b32;",
          halves([&](u64 a, u64 b) { return u64(std::max<s16>(0, std::max(sign(a), sign(b)))); })}});
}

TEST(MoreOperations, ClampedPacks) {
  const auto clamp = [](u64 x, s64 low, s64 high, u64 keep) {
    return static_cast<u64>(std::clamp<s64>(static_cast<s32>(x), low, high)) & keep;
  };
  check({{"cvt.pack.sat.u16.s32 %d32, %a32, %b32;",
          [&](u64 a, u64 b, u64) { return clamp(a, 0, 65535, 0xffff) << 16 | clamp(b, 0, 65535, 0xffff); }},
         {"cvt.pack.sat.s16.s32 %d32, %a32, %b32;",
          [&](u64 a, u64 b, u64) { return clamp(a, -32768, 32767, 0xffff) << 16 | clamp(b, -32768, 32767, 0xffff); }},
         {"cvt.pack.sat.u8.s32.b32 %d32, %a32, %b32, %c32;",
          [&](u64 a, u64 b, u64 c) {
            return (c << 16 & 0xffffffff) | clamp(a, 0, 255, 0xff) << 8 | clamp(b, 0, 255, 0xff);
          }},
         {"cvt.pack.sat.s8.s32.b32 %d32, %a32, %b32, %c32;", [&](u64 a, u64 b, u64 c) {
            return (c << 16 & 0xffffffff) | clamp(a, -128, 127, 0xff) << 8 | clamp(b, -128, 127, 0xff);
          }}});
}

TEST(MoreOperations, ThreeInputLogicWithAPredicate) {
  const auto majority = [](u64 a, u64 b, u64 c) { return ((a & b) | (a & c) | (b & c)) & 0xffffffff; };
  const auto bit = [](bool b) { return u64{b}; };
  check({{"lop3.or.b32 %d32|%p, %a32, %b32, %c32, 0xE8, %pa;\nselp.u64 %d64, 1, 0, %p;",
          [&](u64 a, u64 b, u64 c) { return bit(majority(a, b, c) != 0 || a & 1); }},
         {"lop3.and.b32 %d32|%p, %a32, %b32, %c32, 0xE8, %pa;\nselp.u64 %d64, 1, 0, %p;",
          [&](u64 a, u64 b, u64 c) { return bit(majority(a, b, c) != 0 && a & 1); }},
         {"lop3.and.b32 %d32|%p, %a32, %b32, %c32, 0xE8, !%pa;\nselp.u64 %d64, 1, 0, %p;",
          [&](u64 a, u64 b, u64 c) { return bit(majority(a, b, c) != 0 && !(a & 1)); }}},
        4, 4, 4);
}

/// The bf16 nearest to a number, ties to even, by looking at both neighbours.
u64 nearest_bfloat(__float128 exact, bool negative_zero) {
  const auto value = [](u64 h) {
    return h == 0x7f80 ? __float128(2) * (u64{1} << 63) * (u64{1} << 63) * 2 : __float128(f(h << 16));
  };
  const u64 sign = exact < 0 || (exact == 0 && negative_zero) ? 0x8000 : 0;
  const __float128 m = exact < 0 ? -exact : exact;
  u64 low = 0, high = 0x7f80;  // value(low) <= m
  if (m >= value(high)) return sign | high;
  while (high - low > 1) {
    const u64 middle = (low + high) / 2;
    (value(middle) <= m ? low : high) = middle;
  }
  const __float128 below = m - value(low), above = value(high) - m;
  return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

TEST(MoreOperations, Bfloats) {
  Numbers numbers(77);
  std::vector<u64> a(960), b(960), c(960);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Near each other most of the time, so that sums cancel and round.
    a[i] = numbers.below(0x10000);
    b[i] = i % 3 == 0 ? numbers.below(0x10000) : (a[i] ^ numbers.below(0x100)) ^ (numbers.below(2) << 15);
    c[i] = i % 2 == 0 ? numbers.below(0x10000) : 0x3f80 + numbers.below(0x100);
  }
  const auto finite = [](u64 x) { return (x & 0x7f80) != 0x7f80; };
  const auto number = [](u64 x) { return f((x & 0xffff) << 16); };
  using Q = __float128;
  const auto check_op = [&](const std::string& instruction, const std::function<u64(u64, u64, u64)>& want) {
    const auto got = run_one(instruction, a, b, c, 960);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (finite(a[i]) && finite(b[i]) && finite(c[i])) {
        ASSERT_EQ(got[i], want(a[i], b[i], c[i]))
            << instruction << std::hex << " " << a[i] << " " << b[i] << " " << c[i];
      }
  };
  check_op("add.rn.bf16 %d16, %a16, %b16;", [&](u64 x, u64 y, u64) {
    return nearest_bfloat(Q(number(x)) + Q(number(y)), std::signbit(number(x) + number(y)));
  });
  check_op("sub.rn.bf16 %d16, %a16, %b16;", [&](u64 x, u64 y, u64) {
    return nearest_bfloat(Q(number(x)) - Q(number(y)), std::signbit(number(x) - number(y)));
  });
  check_op("mul.rn.bf16 %d16, %a16, %c16;", [&](u64 x, u64, u64 z) {
    return nearest_bfloat(Q(number(x)) * Q(number(z)), std::signbit(number(x) * number(z)));
  });
  check_op("fma.rn.bf16 %d16, %a16, %c16, %b16;", [&](u64 x, u64 y, u64 z) {
    return nearest_bfloat(Q(number(x)) * Q(number(z)) + Q(number(y)), std::signbit(number(x) * number(z) + number(y)));
  });
  check_op("fma.rn.relu.bf16 %d16, %a16, %c16, %b16;", [&](u64 x, u64 y, u64 z) {
    const Q exact = Q(number(x)) * Q(number(z)) + Q(number(y));
    return exact > 0 ? nearest_bfloat(exact, false) : 0;
  });
  check_op("neg.bf16 %d16, %a16;", [](u64 x, u64, u64) { return x ^ 0x8000; });
  check_op("abs.bf16 %d16, %a16;", [](u64 x, u64, u64) { return x & 0x7fff; });
  check_op("max.bf16 %d16, %a16, %b16;", [&](u64 x, u64 y, u64) {
    return number(x) > number(y) || (number(x) == number(y) && x >> 15 == 0) ? x : y;
  });
}

/// `.ftz` is the plain operation between flushes; `.relu` is the plain conversion, then no negatives.
TEST(MoreOperations, FlushedHalvesAndReluFollowFromThePlainOnes) {
  Numbers numbers(5);
  std::vector<u64> a(960), b(960), c(960);
  for (auto* v : {&a, &b, &c})
    for (u64& x : *v)
      x = per_half(numbers.next(), 0, [&](u64 h, u64) { return numbers.below(3) == 0 ? h & 0x83ff : h & 0xbfff; });
  const auto flush = [](u64 x) {
    return per_half(x, 0, [](u64 h, u64) { return (h & 0x7c00) == 0 ? h & 0x8000 : h; });
  };
  const auto flushed = [&](std::vector<u64> v) {
    std::ranges::transform(v, v.begin(), flush);
    return v;
  };
  for (const std::string op : {"add", "sub", "mul"})
    EXPECT_EQ(run_one(op + ".ftz.f16x2 %d32, %a32, %b32;", a, b, c, 960),
              flushed(run_one(op + ".f16x2 %d32, %a32, %b32;", flushed(a), flushed(b), c, 960)))
        << op;
  for (const std::string op : {"min", "max"})
    EXPECT_EQ(run_one(op + ".ftz.f16x2 %d32, %a32, %b32;", a, b, c, 960),
              run_one(op + ".f16x2 %d32, %a32, %b32;", flushed(a), flushed(b), c, 960))
        << op;
  EXPECT_EQ(run_one("fma.rn.ftz.f16x2 %d32, %a32, %b32, %c32;", a, b, c, 960),
            flushed(run_one("fma.rn.f16x2 %d32, %a32, %b32, %c32;", flushed(a), flushed(b), flushed(c), 960)));
  EXPECT_EQ(run_one("setp.lt.ftz.f16 %p, %a16, %b16;\n@%p mov.u64 %d64, 1;", a, b, c, 960),
            run_one("setp.lt.f16 %p, %a16, %b16;\n@%p mov.u64 %d64, 1;", flushed(a), flushed(b), c, 960));

  const auto single = [&] {
    const u64 x = numbers.below(4) == 0
                      ? numbers.corner() & 0xffffffff
                      : std::bit_cast<u32>(static_cast<float>(static_cast<s64>(numbers.next())) * 0x1p-60f);
    return x == 0x80000000 ? 0 : x;  // PTX does not say what becomes of -0
  };
  for (auto* v : {&a, &b}) std::ranges::generate(*v, single);
  for (const std::string type : {"f16", "bf16"}) {
    const auto relu = [&](std::vector<u64> v) {
      for (u64& x : v)
        x = per_half(x, 0, [&](u64 h, u64) {
          const u64 infinity = type == "f16" ? 0x7c00 : 0x7f80;
          return (h & 0x7fff) > infinity ? 0x7fff : h >> 15 != 0 ? 0 : h;
        });
      return v;
    };
    EXPECT_EQ(run_one("cvt.rn.relu." + type + ".f32 %d16, %a32;", a, b, c, 960),
              relu(run_one("cvt.rn." + type + ".f32 %d16, %a32;", a, b, c, 960)))
        << type;
    EXPECT_EQ(run_one("cvt.rn.relu." + type + "x2.f32 %d32, %a32, %b32;", a, b, c, 960),
              relu(run_one("cvt.rn." + type + "x2.f32 %d32, %a32, %b32;", a, b, c, 960)))
        << type;
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
