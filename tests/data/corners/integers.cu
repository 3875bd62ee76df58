/*
32-bit integers at the ends of their ranges: shifts, fields, permutes, logic, sums that saturate.

[lanescope]
[[launch]]
kernel = "shifts"
block = 32
args = ["x", "shifts"]
[[launch]]
kernel = "funnel_shifts"
block = 32
args = ["x", "funnel_shifts"]
[[launch]]
kernel = "permutes"
block = 32
args = ["x", "permutes"]
[[launch]]
kernel = "logic_of_three"
block = 32
args = ["x", "logic_of_three"]
[[launch]]
kernel = "logic_with_predicate"
block = 32
args = ["x", "logic_with_predicate"]
[[launch]]
kernel = "fields_read"
block = 32
args = ["x", "fields_read"]
[[launch]]
kernel = "fields_written"
block = 32
args = ["x", "fields_written"]
[[launch]]
kernel = "leading_bits"
block = 32
args = ["x", "leading_bits"]
[[launch]]
kernel = "nth_set_bit"
block = 32
args = ["x", "nth_set_bit"]
[[launch]]
kernel = "extensions"
block = 32
args = ["x", "extensions"]
[[launch]]
kernel = "masks_of_bits"
block = 32
args = ["x", "masks_of_bits"]
[[launch]]
kernel = "dot_products"
block = 32
args = ["x", "dot_products"]
[[launch]]
kernel = "products_of_24_bits"
block = 32
args = ["x", "products_of_24_bits"]
[[launch]]
kernel = "high_products"
block = 32
args = ["x", "high_products"]
[[launch]]
kernel = "differences"
block = 32
args = ["x", "differences"]
[[launch]]
kernel = "signs"
block = 32
args = ["x", "signs"]
[[launch]]
kernel = "saturated"
block = 32
args = ["x", "saturated"]
[[launch]]
kernel = "quotients"
block = 32
args = ["x", "quotients"]
[[launch]]
kernel = "quotients_by_zero"
block = 32
args = ["x", "quotients_by_zero"]
[[launch]]
kernel = "pairs_of_16_bits"
block = 32
args = ["x", "pairs_of_16_bits"]
[[launch]]
kernel = "carries"
block = 32
args = ["x", "carries"]
[[launch]]
kernel = "carried_products"
block = 32
args = ["x", "carried_products"]
[[launch]]
kernel = "comparisons"
block = 32
args = ["x", "comparisons"]
[[launch]]
kernel = "video"
block = 32
args = ["x", "video"]
[[launch]]
kernel = "integer_conversions"
block = 32
args = ["x", "integer_conversions"]

[buffers]
x = { type = "u32", axes = "n:32", init = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 305419896, 2164227841, 1431655765, 2863311530, 2147483646, 2147483647, 2147483648, 2147483649, 4294967294, 4294967295] }
shifts = "u32 n:96 = zeros"
funnel_shifts = "u32 n:128 = zeros"
permutes = "u32 n:224 = zeros"
logic_of_three = "u32 n:32 = zeros"
logic_with_predicate = "u32 n:32 = zeros"
fields_read = "u32 n:64 = zeros"
fields_written = "u32 n:32 = zeros"
leading_bits = "u32 n:256 = zeros"
nth_set_bit = "u32 n:32 = zeros"
extensions = "u32 n:128 = zeros"
masks_of_bits = "u32 n:64 = zeros"
dot_products = "u32 n:256 = zeros"
products_of_24_bits = "u32 n:224 = zeros"
high_products = "u32 n:160 = zeros"
differences = "u32 n:64 = zeros"
signs = "u32 n:96 = zeros"
saturated = "u32 n:192 = zeros"
quotients = "u32 n:128 = zeros"
quotients_by_zero = "u32 n:128 = zeros"
pairs_of_16_bits = "u32 n:128 = zeros"
carries = "u32 n:64 = zeros"
carried_products = "u32 n:64 = zeros"
comparisons = "u32 n:96 = zeros"
video = "u32 n:160 = zeros"
integer_conversions = "u32 n:256 = zeros"
*/
#include "corners.cuh"
U2(shl32, "shl.b32") U2(shr32, "shr.u32") U2(sar32, "shr.s32")
U3(shfl_c, "shf.l.clamp.b32") U3(shfl_w, "shf.l.wrap.b32") U3(shfr_c, "shf.r.clamp.b32") U3(shfr_w, "shf.r.wrap.b32")
U3(prmt, "prmt.b32") U3(prmt_f4e, "prmt.b32.f4e") U3(prmt_b4e, "prmt.b32.b4e") U3(prmt_rc8, "prmt.b32.rc8")
U3(prmt_ecl, "prmt.b32.ecl") U3(prmt_ecr, "prmt.b32.ecr") U3(prmt_rc16, "prmt.b32.rc16")
U3(bfe_u, "bfe.u32") U3(bfe_s, "bfe.s32")
U1(bfind_u, "bfind.u32") U1(bfind_s, "bfind.s32") U1(bfind_su, "bfind.shiftamt.u32") U1(bfind_ss, "bfind.shiftamt.s32")
U1(clz, "clz.b32") U1(popc, "popc.b32") U1(brev, "brev.b32") U3(fns_b, "fns.b32")
U2(szext_cu, "szext.clamp.u32") U2(szext_cs, "szext.clamp.s32") U2(szext_wu, "szext.wrap.u32") U2(szext_ws, "szext.wrap.s32")
U2(bmsk_c, "bmsk.clamp.b32") U2(bmsk_w, "bmsk.wrap.b32")
U3(dp4a_uu, "dp4a.u32.u32") U3(dp4a_us, "dp4a.u32.s32") U3(dp4a_su, "dp4a.s32.u32") U3(dp4a_ss, "dp4a.s32.s32")
U3(dp2a_luu, "dp2a.lo.u32.u32") U3(dp2a_hus, "dp2a.hi.u32.s32") U3(dp2a_lsu, "dp2a.lo.s32.u32") U3(dp2a_hss, "dp2a.hi.s32.s32")
U2(mul24l_u, "mul24.lo.u32") U2(mul24h_u, "mul24.hi.u32") U2(mul24l_s, "mul24.lo.s32") U2(mul24h_s, "mul24.hi.s32")
U3(mad24l_s, "mad24.lo.s32") U3(mad24h_u, "mad24.hi.u32") U3(mad24hs, "mad24.hi.sat.s32")
U2(mulhi_u, "mul.hi.u32") U2(mulhi_s, "mul.hi.s32") U3(madhi_s, "mad.hi.s32") U3(madhi_u, "mad.hi.u32") U3(madhisat, "mad.hi.sat.s32")
U3(sad_u, "sad.u32") U3(sad_s, "sad.s32")
U1(abs_s, "abs.s32") U1(neg_s, "neg.s32") U1(not_b, "not.b32") U1(cnot_b, "cnot.b32")
U2(addsat, "add.sat.s32") U2(subsat, "sub.sat.s32") U2(min_u, "min.u32") U2(max_s, "max.s32") U2(minrelu, "min.relu.s32") U2(maxrelu, "max.relu.s32")
U2(div_s, "div.s32") U2(rem_s, "rem.s32") U2(div_u, "div.u32") U2(rem_u, "rem.u32")
U2(min16, "min.s16x2") U2(maxu16, "max.u16x2") U2(minr16, "min.relu.s16x2") U2(add16, "add.u16x2")

/// shl and shr clamp counts above 31.
__global__ void shifts(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0;
  for (int j = 0; j < 32; ++j) fold(a, shl32(x[j], x[t])), fold(b, shr32(x[j], x[t])), fold(c, sar32(x[j], x[t]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

__global__ void funnel_shifts(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 0; j < 32; ++j) {
    const u32 lo = x[j], hi = x[(j + 5) % 32];
    fold(a, shfl_c(lo, hi, x[t])), fold(b, shfl_w(lo, hi, x[t])), fold(c, shfr_c(lo, hi, x[t])), fold(d, shfr_w(lo, hi, x[t]));
  }
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

/// All modes; selectors with the sign bit replicate the sign of a byte.
__global__ void permutes(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[7] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 lo = x[j], hi = x[(j + 9) % 32], select = x[t] * 0x9e3779b9u + j;
    fold(s[0], prmt(lo, hi, select)), fold(s[1], prmt_f4e(lo, hi, select)), fold(s[2], prmt_b4e(lo, hi, select));
    fold(s[3], prmt_rc8(lo, hi, select)), fold(s[4], prmt_ecl(lo, hi, select)), fold(s[5], prmt_ecr(lo, hi, select));
    fold(s[6], prmt_rc16(lo, hi, select));
  }
  for (int k = 0; k < 7; ++k) out[32 * k + t] = s[k];
}

__global__ void logic_of_three(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 sum = 0, r;
  #define LOP(n) asm volatile("lop3.b32 %0, %1, %2, %3, " #n ";" : "=r"(r) : "r"(x[t]), "r"(x[(t + 3) % 32]), "r"(x[(t + 11) % 32])); fold(sum, r);
  LOP(0x00) LOP(0x01) LOP(0x17) LOP(0x1b) LOP(0x27) LOP(0x3c) LOP(0x69) LOP(0x80) LOP(0x96) LOP(0xaa) LOP(0xca) LOP(0xcc) LOP(0xe8) LOP(0xf0) LOP(0xfe) LOP(0xff)
  out[t] = sum;
}

/// lop3 with a Boolean operation on its result.
__global__ void logic_with_predicate(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 r, q;
  asm volatile("{ .reg .pred p, s; setp.gt.u32 s, %4, 15; lop3.or.b32 %0|p, %2, %3, %4, 0x96, s; selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(q) : "r"(x[t]), "r"(x[31 - t]), "r"(t));
  out[t] = r ^ q << 16;
  asm volatile("{ .reg .pred p, s; setp.gt.u32 s, %4, 15; lop3.and.b32 %0|p, %2, %3, %4, 0x80, s; selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(q) : "r"(x[t]), "r"(x[31 - t]), "r"(t));
  out[t] += r * 3 + q;
}

/// Positions and lengths beyond 32 bits.
__global__ void fields_read(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0;
  for (int j = 0; j < 32; ++j)
    for (u32 p = 0; p < 300; p += 7) fold(a, bfe_u(x[j], p, x[t])), fold(b, bfe_s(x[j], p, x[t]));
  out[t] = a, out[32 + t] = b;
}

__global__ void fields_written(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, r;
  for (int j = 0; j < 32; ++j)
    for (u32 p = 0; p < 300; p += 7) {
      asm volatile("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x[j]), "r"(x[31 - j]), "r"(p), "r"(x[t]));
      fold(a, r);
    }
  out[t] = a;
}

__global__ void leading_bits(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = bfind_u(x[t]), out[32 + t] = bfind_s(x[t]), out[64 + t] = bfind_su(x[t]), out[96 + t] = bfind_ss(x[t]);
  out[128 + t] = clz(x[t]), out[160 + t] = popc(x[t]), out[192 + t] = brev(x[t]), out[224 + t] = cnot_b(x[t]);
}

__global__ void nth_set_bit(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0;
  for (u32 base = 0; base < 32; base += 5)
    for (int offset = -9; offset <= 9; ++offset) fold(a, fns_b(x[t], base, offset));
  out[t] = a;
}

__global__ void extensions(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 0; j < 32; ++j) fold(a, szext_cu(x[j], x[t])), fold(b, szext_cs(x[j], x[t])), fold(c, szext_wu(x[j], x[t])), fold(d, szext_ws(x[j], x[t]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

__global__ void masks_of_bits(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0;
  for (int j = 0; j < 32; ++j) fold(a, bmsk_c(x[j], x[t])), fold(b, bmsk_w(x[j], x[t]));
  out[t] = a, out[32 + t] = b;
}

__global__ void dot_products(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[8] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[j], b = x[t], c = x[(j + t) % 32];
    fold(s[0], dp4a_uu(a, b, c)), fold(s[1], dp4a_us(a, b, c)), fold(s[2], dp4a_su(a, b, c)), fold(s[3], dp4a_ss(a, b, c));
    fold(s[4], dp2a_luu(a, b, c)), fold(s[5], dp2a_hus(a, b, c)), fold(s[6], dp2a_lsu(a, b, c)), fold(s[7], dp2a_hss(a, b, c));
  }
  for (int k = 0; k < 8; ++k) out[32 * k + t] = s[k];
}

__global__ void products_of_24_bits(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[7] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[j], b = x[t], c = x[(j + t) % 32];
    fold(s[0], mul24l_u(a, b)), fold(s[1], mul24h_u(a, b)), fold(s[2], mul24l_s(a, b)), fold(s[3], mul24h_s(a, b));
    fold(s[4], mad24l_s(a, b, c)), fold(s[5], mad24h_u(a, b, c)), fold(s[6], mad24hs(a, b, c));
  }
  for (int k = 0; k < 7; ++k) out[32 * k + t] = s[k];
}

__global__ void high_products(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[j], b = x[t], c = x[(j + t) % 32];
    fold(s[0], mulhi_u(a, b)), fold(s[1], mulhi_s(a, b)), fold(s[2], madhi_s(a, b, c)), fold(s[3], madhi_u(a, b, c)), fold(s[4], madhisat(a, b, c));
  }
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

__global__ void differences(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0;
  for (int j = 0; j < 32; ++j) fold(a, sad_u(x[j], x[t], x[(j + t) % 32])), fold(b, sad_s(x[j], x[t], x[(j + t) % 32]));
  out[t] = a, out[32 + t] = b;
}

__global__ void signs(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = abs_s(x[t]), out[32 + t] = neg_s(x[t]), out[64 + t] = not_b(x[t]);
}

__global__ void saturated(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[6] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[j], b = x[t];
    fold(s[0], addsat(a, b)), fold(s[1], subsat(a, b)), fold(s[2], min_u(a, b)), fold(s[3], max_s(a, b)), fold(s[4], minrelu(a, b)), fold(s[5], maxrelu(a, b));
  }
  for (int k = 0; k < 6; ++k) out[32 * k + t] = s[k];
}

/// No zero divisors.
__global__ void quotients(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 1; j < 32; ++j) fold(a, div_s(x[t], x[j])), fold(b, rem_s(x[t], x[j])), fold(c, div_u(x[t], x[j])), fold(d, rem_u(x[t], x[j]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

/// Unspecified by the PTX ISA.
__global__ void quotients_by_zero(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = div_s(x[t], x[0]), out[32 + t] = rem_s(x[t], x[0]), out[64 + t] = div_u(x[t], x[0]), out[96 + t] = rem_u(x[t], x[0]);
}

__global__ void pairs_of_16_bits(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 0; j < 32; ++j) fold(a, min16(x[t], x[j])), fold(b, maxu16(x[t], x[j])), fold(c, minr16(x[t], x[j])), fold(d, add16(x[t], x[j]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

/// A chain of carries through five words, and of borrows.
__global__ void carries(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 r[5], q[5];
  asm volatile("add.cc.u32 %0, %5, %6; addc.cc.u32 %1, %6, %7; addc.cc.u32 %2, %7, %7; addc.cc.u32 %3, %5, 0xffffffff; addc.u32 %4, 0, 0;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]) : "r"(x[t]), "r"(x[31 - t]), "r"(x[(t + 13) % 32]));
  asm volatile("sub.cc.u32 %0, %5, %6; subc.cc.u32 %1, %6, %7; subc.cc.u32 %2, %7, %7; subc.cc.u32 %3, %5, 0xffffffff; subc.u32 %4, 0, 0;"
               : "=r"(q[0]), "=r"(q[1]), "=r"(q[2]), "=r"(q[3]), "=r"(q[4]) : "r"(x[t]), "r"(x[31 - t]), "r"(x[(t + 13) % 32]));
  u32 a = 0, b = 0;
  for (int k = 0; k < 5; ++k) fold(a, r[k]), fold(b, q[k]);
  out[t] = a, out[32 + t] = b;
}

__global__ void carried_products(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 r[4];
  asm volatile("mad.lo.cc.u32 %0, %4, %5, %6; madc.hi.cc.u32 %1, %4, %5, %6; madc.lo.cc.u32 %2, %5, %6, %4; madc.hi.u32 %3, %5, %6, 0;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(x[t]), "r"(x[31 - t]), "r"(x[(t + 13) % 32]));
  u32 a = 0;
  for (int k = 0; k < 4; ++k) fold(a, r[k]);
  out[t] = a, out[32 + t] = r[3];
}

/// setp with a combining predicate, set, slct and selp.
__global__ void comparisons(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, r;
  for (int j = 0; j < 32; ++j) {
    asm volatile("{ .reg .pred p, q, s; setp.lt.s32 s, %1, %2; setp.hi.and.u32 p|q, %1, %2, s; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }" : "=r"(r) : "r"(x[t]), "r"(x[j]));
    fold(a, r);
    asm volatile("set.le.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(x[t]), "r"(x[j]));
    fold(b, r);
    asm volatile("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x[t]), "r"(x[j]), "r"(x[(t + j) % 32]));
    fold(c, r);
  }
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

/// Scalar and packed video instructions with selectors, saturation and merges.
__global__ void video(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5] = {}, r;
  for (int j = 0; j < 32; ++j) {
    asm volatile("vadd.s32.s32.u32.sat %0, %1.b1, %2.h1;" : "=r"(r) : "r"(x[t]), "r"(x[j]));
    fold(s[0], r);
    asm volatile("vabsdiff.u32.s32.s32.add %0, %1, %2.h0, %3;" : "=r"(r) : "r"(x[t]), "r"(x[j]), "r"(x[31 - j]));
    fold(s[1], r);
    asm volatile("vset.s32.u32.lt %0, %1.b3, %2.b0;" : "=r"(r) : "r"(x[t]), "r"(x[j]));
    fold(s[2], r);
    asm volatile("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(x[t]), "r"(x[j]), "r"(x[31 - j]));
    fold(s[3], r);
    asm volatile("vshr.u32.u32.u32.clamp.max %0, %1, %2, %3;" : "=r"(r) : "r"(x[t]), "r"(x[j]), "r"(x[31 - j]));
    fold(s[4], r);
  }
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

/// Saturating and cutting conversions between lengths.
__global__ void integer_conversions(const u32 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[8] = {}, r;
  u16 h;
  asm volatile("cvt.sat.u8.s32 %0, %1;" : "=r"(s[0]) : "r"(x[t]));
  asm volatile("cvt.sat.s8.s32 %0, %1;" : "=r"(s[1]) : "r"(x[t]));
  asm volatile("cvt.sat.u16.s32 %0, %1;" : "=h"(h) : "r"(x[t]));
  s[2] = h;
  asm volatile("cvt.sat.s16.u32 %0, %1;" : "=h"(h) : "r"(x[t]));
  s[3] = h;
  asm volatile("cvt.sat.u32.s32 %0, %1;" : "=r"(s[4]) : "r"(x[t]));
  asm volatile("cvt.s8.u32 %0, %1;" : "=r"(s[5]) : "r"(x[t]));
  asm volatile("cvt.u8.s32 %0, %1;" : "=r"(s[6]) : "r"(x[t]));
  asm volatile("{ .reg .b64 l; cvt.s64.s32 l, %1; shr.u64 l, l, 17; cvt.sat.s32.s64 %0, l; }" : "=r"(r) : "r"(x[t]));
  s[7] = r;
  for (int k = 0; k < 8; ++k) out[32 * k + t] = s[k];
}
