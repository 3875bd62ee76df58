// Vectors of 32 bytes, for processors with AVX2 only: a row of 32 bits is four of them, and eleven stay in registers. A mask
// is a vector whose signs decide, or bits of eax. Operations with several forms (rows.cpp, instructions.cpp, accesses.cpp)
// call these for narrow vectors; instructions of AVX-512 that stand for themselves are replaced by sequences here.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

namespace lanescope::emulator {

/// Each has 32 bytes. They are in memory after the code, because no register is left for them.
void Generator::constants() {
  align(32);
  L(constants_);
  const auto all = [&](u64 two_words) {
    for (int i = 0; i < 4; ++i) dq(two_words);
  };
  all(0x7fffffff'7fffffff);  // nans
  all(0x80000000'80000000);  // signs_32
  all(u64{1} << 63);         // signs_64
  all(0x47800000'47800000);  // two_to_16
  for (u32 l = 0; l < 8; ++l) dd(31 - l);
  for (u32 l = 0; l < 4; ++l) dq(63 - l);
}

/// d: a in lanes whose bits of eax are set, else b.
void Generator::choose_narrow(const Vector& d, const Vector& a, const Vector& b, u8 bits) {
  const Vector mask = scratch(0);
  vmovd(Xbyak::Xmm(mask.getIdx()), eax);
  vpbroadcastd(mask, Xbyak::Xmm(mask.getIdx()));
  if (bits == 64) {
    vpsllvq(mask, mask, constant(shifts_64));
    vblendvpd(d, b, a, mask);
  } else {
    vpsllvd(mask, mask, constant(shifts_32));
    vblendvps(d, b, a, mask);
  }
}

/// Adds the lanes of this part to eax. There are "equal" and "greater" of signed numbers, in which all others are.
void Generator::compare_narrow(const NativeComparison& n, u32 part, const Vector& a, const Vector& b) {
  using Type = NativeComparison::Type;
  enum : u8 { equal, less, less_or_equal, unequal = 4, not_less, greater };
  const bool floats = n.type == Type::f32, wide = n.type == Type::s64 || n.type == Type::u64;
  const Vector result = scratch(0), other = scratch(1);
  if (floats) {
    vcmpps(result, a, b, n.predicate);
  } else if (n.predicate == equal || n.predicate == unequal) {
    wide ? vpcmpeqq(result, a, b) : vpcmpeqd(result, a, b);
  } else {
    const bool swapped = n.predicate == less || n.predicate == not_less;
    Vector more = swapped ? b : a, than = swapped ? a : b;
    if (n.type == Type::u32 || n.type == Type::u64) {
      vpxor(result, more, constant(wide ? signs_64 : signs_32));
      vpxor(other, than, constant(wide ? signs_64 : signs_32));
      more = result, than = other;
    }
    wide ? vpcmpgtq(result, more, than) : vpcmpgtd(result, more, than);
  }
  const Xbyak::Reg32& lanes_here = part == 0 ? eax : ecx;
  wide ? vmovmskpd(lanes_here, result) : vmovmskps(lanes_here, result);
  if (part != 0) {
    shl(ecx, static_cast<int>(part * (wide ? 4 : 8)));
    or_(eax, ecx);
  }
  const bool last = part + 1 == vectors_of(wide ? 64 : 32);
  if (last && !floats && (n.predicate == unequal || n.predicate == less_or_equal || n.predicate == not_less)) not_(eax);
}

void Generator::vpbroadcastq(const Vector& d, const Xbyak::Reg64& a) {
  if (!narrow()) return CodeGenerator::vpbroadcastq(d, a);
  vmovq(Xbyak::Xmm(d.getIdx()), a);
  vpbroadcastq(d, Xbyak::Xmm(d.getIdx()));
}

void Generator::vpandd(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpand(d, a, b) : CodeGenerator::vpandd(d, a, b);
}
void Generator::vpandnd(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpandn(d, a, b) : CodeGenerator::vpandnd(d, a, b);
}
void Generator::vpord(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpor(d, a, b) : CodeGenerator::vpord(d, a, b);
}
void Generator::vpxord(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpxor(d, a, b) : CodeGenerator::vpxord(d, a, b);
}
void Generator::vpandq(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpand(d, a, b) : CodeGenerator::vpandq(d, a, b);
}
void Generator::vporq(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpor(d, a, b) : CodeGenerator::vporq(d, a, b);
}
void Generator::vpxorq(const Vector& d, const Vector& a, const Vector& b) {
  narrow() ? vpxor(d, a, b) : CodeGenerator::vpxorq(d, a, b);
}

/// (ah 2^32 + al) (bh 2^32 + bl) = (ah bl + al bh) 2^32 + al bl
void Generator::vpmullq(const Vector& d, const Vector& a, const Vector& b) {
  if (!narrow()) return CodeGenerator::vpmullq(d, a, b);
  const Vector high = scratch(1), t = scratch(3);
  vpshufd(high, b, 0xb1);
  vpmulld(high, high, a);
  vpsrlq(t, high, 32);
  vpaddd(high, high, t);
  vpsllq(high, high, 32);
  vpmuludq(t, a, b);
  vpaddq(d, high, t);
}

/// Of a negative number the complement is shifted.
void Generator::vpsravq(const Vector& d, const Vector& a, const Vector& amounts) {
  if (!narrow()) return CodeGenerator::vpsravq(d, a, amounts);
  const Vector negative = scratch(0), t = scratch(1);
  vpxor(negative, negative, negative);
  vpcmpgtq(negative, negative, a);
  vpxor(t, a, negative);
  vpsrlvq(t, t, amounts);
  vpxor(d, t, negative);
}

/// The halves of a word are converted and multiplied exactly, and their sum is rounded once.
void Generator::vcvtudq2ps(const Vector& d, const Vector& a) {
  if (!narrow()) return CodeGenerator::vcvtudq2ps(d, a);
  const Vector high = scratch(0), low = scratch(1);
  vpslld(low, a, 16);
  vpsrld(low, low, 16);
  vpsrld(high, a, 16);
  vcvtdq2ps(low, low);
  vcvtdq2ps(high, high);
  vfmadd132ps(high, low, constant(two_to_16));
  vmovaps(d, high);
}

/// The table as an exclusive or of products of d, b and c: bit i of `products` stands for the product of those of the
/// three that bits of i name (4: d, 2: b, 1: c), as the bits of the table do.
void Generator::vpternlogd(const Vector& d, const Vector& b, const Vector& c, u8 table) {
  if (!narrow()) return CodeGenerator::vpternlogd(d, b, c, table);
  u32 products = table;
  products ^= (products & 0x55) << 1;
  products ^= (products & 0x33) << 2;
  products ^= (products & 0x0f) << 4;
  const Vector sum = d.copyAndSetIdx(scratch(3).getIdx()), t = d.copyAndSetIdx(scratch(4).getIdx());
  if ((products & 1) != 0)
    vpcmpeqd(sum, sum, sum);
  else
    vpxor(sum, sum, sum);
  const Vector factors[] = {c, b, d};
  for (u32 i = 1; i < 8; ++i) {
    if ((products >> i & 1) == 0) continue;
    const Vector* product = nullptr;
    for (u32 f = 0; f < 3; ++f) {
      if ((i >> f & 1) == 0) continue;
      if (product != nullptr) vpand(t, *product, factors[f]);
      product = product != nullptr ? &t : &factors[f];
    }
    vpxor(sum, sum, *product);
  }
  vmovaps(d, sum);
}

}  // namespace lanescope::emulator

#endif
