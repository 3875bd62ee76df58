/*
64-bit and 16-bit integers at the ends of their ranges.

[lanescope]
[[launch]]
kernel = "shifts64"
block = 32
args = ["x", "shifts64"]
[[launch]]
kernel = "fields64"
block = 32
args = ["x", "fields64"]
[[launch]]
kernel = "fields64_written"
block = 32
args = ["x", "fields64_written"]
[[launch]]
kernel = "leading_bits64"
block = 32
args = ["x", "leading_bits64"]
[[launch]]
kernel = "products64"
block = 32
args = ["x", "products64"]
[[launch]]
kernel = "extremes64"
block = 32
args = ["x", "extremes64"]
[[launch]]
kernel = "quotients64"
block = 32
args = ["x", "quotients64"]
[[launch]]
kernel = "quotients64_by_zero"
block = 32
args = ["x", "quotients64_by_zero"]
[[launch]]
kernel = "wide_products"
block = 32
args = ["x", "wide_products"]
[[launch]]
kernel = "shifts16"
block = 32
args = ["x", "shifts16"]
[[launch]]
kernel = "arithmetic16"
block = 32
args = ["x", "arithmetic16"]
[[launch]]
kernel = "carries64"
block = 32
args = ["x", "carries64"]
[[launch]]
kernel = "saturating64"
block = 32
args = ["x", "saturating64"]
[[launch]]
kernel = "selected64"
block = 32
args = ["x", "selected64"]

[buffers]
x = { type = "u64", axes = "n:32", init = [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 2147483647, 2147483648, 4294967295, 4294967296, 4294967297, 1311768467463790320, "0xfedcba9876543210", 6148914691236517205, "0xaaaaaaaaaaaaaaaa", 9223372036854775806, 9223372036854775807, "0x8000000000000000", "0x8000000000000001", "0xfffffffffffffffe", "0xffffffffffffffff", "0xffffffff00000000", "0xffff0000ffff0000", 71777214294589695, "0x8000000080000000", 4611686018427387904, 9007199254740992] }
shifts64 = "u64 n:96 = zeros"
fields64 = "u32 n:64 = zeros"
fields64_written = "u32 n:32 = zeros"
leading_bits64 = "u64 n:160 = zeros"
products64 = "u32 n:128 = zeros"
extremes64 = "u32 n:96 = zeros"
quotients64 = "u32 n:128 = zeros"
quotients64_by_zero = "u64 n:128 = zeros"
wide_products = "u32 n:96 = zeros"
shifts16 = "u32 n:96 = zeros"
arithmetic16 = "u32 n:224 = zeros"
carries64 = "u64 n:64 = zeros"
saturating64 = "u32 n:160 = zeros"
selected64 = "u64 n:64 = zeros"
*/
#include "corners.cuh"
BINARY(shl64, "shl.b64", u64, "l", u64, "l", u32, "r") BINARY(shr64, "shr.u64", u64, "l", u64, "l", u32, "r") BINARY(sar64, "shr.s64", u64, "l", u64, "l", u32, "r")
TERNARY(bfe64, "bfe.u64", u64, "l", u64, "l", u32, "r", u32, "r") TERNARY(bfes64, "bfe.s64", u64, "l", u64, "l", u32, "r", u32, "r")
UNARY(bfind64, "bfind.u64", u32, "r", u64, "l") UNARY(bfinds64, "bfind.shiftamt.s64", u32, "r", u64, "l")
UNARY(clz64, "clz.b64", u32, "r", u64, "l") UNARY(popc64, "popc.b64", u32, "r", u64, "l") L1(brev64, "brev.b64")
L2(mulhi64, "mul.hi.u64") L2(mulhis64, "mul.hi.s64") L3(madhi64, "mad.hi.s64") L3(sad64, "sad.s64") L2(min64, "min.s64") L2(max64, "max.u64") L1(abs64, "abs.s64")
L2(div64, "div.s64") L2(rem64, "rem.s64") L2(divu64, "div.u64") L2(remu64, "rem.u64")
BINARY(widemul, "mul.wide.s32", u64, "l", u32, "r", u32, "r") TERNARY(widemad, "mad.wide.u32", u64, "l", u32, "r", u32, "r", u64, "l") BINARY(widemul16, "mul.wide.s16", u32, "r", u16, "h", u16, "h")
BINARY(shl16, "shl.b16", u16, "h", u16, "h", u32, "r") BINARY(sar16, "shr.s16", u16, "h", u16, "h", u32, "r") BINARY(shr16, "shr.u16", u16, "h", u16, "h", u32, "r")
H2(mulhi16, "mul.hi.s16") H2(mulhiu16, "mul.hi.u16") H3(sad16, "sad.s16") H2(div16, "div.s16") H2(rem16, "rem.u16") H1(abs16, "abs.s16") H1(neg16, "neg.s16")

__global__ void shifts64(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  u64 a = 0, b = 0, c = 0;
  for (u32 n = 0; n < 70; ++n) a = a * 31 + shl64(x[t], n), b = b * 31 + shr64(x[t], n), c = c * 31 + sar64(x[t], n);
  a += shl64(x[t], 0xffffffff) + shl64(x[t], 0x80000001), b += shr64(x[t], 0xffffffff), c += sar64(x[t], 0xffffffff);
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

__global__ void fields64(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0;
  for (u32 p = 0; p < 300; p += 5)
    for (u32 n = 0; n < 300; n += 7) fold(a, bfe64(x[t], p, n)), fold(b, bfes64(x[t], p, n));
  out[t] = a, out[32 + t] = b;
}

__global__ void fields64_written(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0;
  u64 r;
  for (u32 p = 0; p < 300; p += 5)
    for (u32 n = 0; n < 300; n += 7) {
      asm volatile("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(x[t]), "l"(x[31 - t]), "r"(p), "r"(n));
      fold(a, r);
    }
  out[t] = a;
}

__global__ void leading_bits64(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = bfind64(x[t]), out[32 + t] = bfinds64(x[t]), out[64 + t] = clz64(x[t]), out[96 + t] = popc64(x[t]), out[128 + t] = brev64(x[t]);
}

__global__ void products64(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 0; j < 32; ++j) fold(a, mulhi64(x[t], x[j])), fold(b, mulhis64(x[t], x[j])), fold(c, madhi64(x[t], x[j], x[31 - j])), fold(d, sad64(x[t], x[j], x[31 - j]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

__global__ void extremes64(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0;
  for (int j = 0; j < 32; ++j) fold(a, min64(x[t], x[j])), fold(b, max64(x[t], x[j]));
  u32 c = 0;
  fold(c, abs64(x[t]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

__global__ void quotients64(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0, d = 0;
  for (int j = 1; j < 32; ++j) fold(a, div64(x[t], x[j])), fold(b, rem64(x[t], x[j])), fold(c, divu64(x[t], x[j])), fold(d, remu64(x[t], x[j]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
}

/// Unspecified by the PTX ISA.
__global__ void quotients64_by_zero(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = div64(x[t], x[0]), out[32 + t] = rem64(x[t], x[0]), out[64 + t] = divu64(x[t], x[0]), out[96 + t] = remu64(x[t], x[0]);
}

__global__ void wide_products(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0;
  for (int j = 0; j < 32; ++j) fold(a, widemul(x[t], x[j])), fold(b, widemad(x[t], x[j], x[31 - j])), fold(c, widemul16(x[t], x[j]));
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

__global__ void shifts16(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 a = 0, b = 0, c = 0;
  for (u32 n = 0; n < 40; ++n) fold(a, shl16(x[t], n)), fold(b, sar16(x[t], n)), fold(c, shr16(x[t], n));
  fold(a, shl16(x[t], 0x10000)), fold(b, sar16(x[t], 0x80000000)), fold(c, shr16(x[t], 0xffffffff));
  out[t] = a, out[32 + t] = b, out[64 + t] = c;
}

__global__ void arithmetic16(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[7] = {};
  for (int j = 0; j < 32; ++j) {
    const u16 a = x[t], b = x[j] >> 3, d = b == 0 ? 7 : b;
    fold(s[0], mulhi16(a, b)), fold(s[1], mulhiu16(a, b)), fold(s[2], sad16(a, b, 9)), fold(s[3], div16(a, d)), fold(s[4], rem16(a, d)), fold(s[5], abs16(b)), fold(s[6], neg16(b));
  }
  for (int k = 0; k < 7; ++k) out[32 * k + t] = s[k];
}

__global__ void carries64(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  u64 r[3], q[3];
  asm volatile("add.cc.u64 %0, %3, %4; addc.cc.u64 %1, %4, %5; addc.u64 %2, %3, %3;" : "=l"(r[0]), "=l"(r[1]), "=l"(r[2]) : "l"(x[t]), "l"(x[31 - t]), "l"(x[(t + 13) % 32]));
  asm volatile("sub.cc.u64 %0, %3, %4; subc.cc.u64 %1, %4, %5; subc.u64 %2, 0, 0;" : "=l"(q[0]), "=l"(q[1]), "=l"(q[2]) : "l"(x[t]), "l"(x[31 - t]), "l"(x[(t + 13) % 32]));
  out[t] = r[0] + 3 * r[1] + 7 * r[2], out[32 + t] = q[0] + 3 * q[1] + 7 * q[2];
}

__global__ void saturating64(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5];
  u16 h;
  asm volatile("cvt.sat.s32.s64 %0, %1;" : "=r"(s[0]) : "l"(x[t]));
  asm volatile("cvt.sat.u32.u64 %0, %1;" : "=r"(s[1]) : "l"(x[t]));
  asm volatile("cvt.sat.u32.s64 %0, %1;" : "=r"(s[2]) : "l"(x[t]));
  asm volatile("cvt.sat.s16.s64 %0, %1;" : "=h"(h) : "l"(x[t]));
  s[3] = h;
  asm volatile("cvt.sat.u8.u64 %0, %1;" : "=r"(s[4]) : "l"(x[t]));
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

__global__ void selected64(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  u64 r;
  asm volatile("slct.s64.s32 %0, %1, %2, %3;" : "=l"(r) : "l"(x[t]), "l"(x[31 - t]), "r"(static_cast<u32>(x[t] >> 32)));
  out[t] = r;
  asm volatile("slct.b64.f32 %0, %1, %2, %3;" : "=l"(r) : "l"(x[t]), "l"(x[31 - t]), "f"(__uint_as_float(static_cast<u32>(x[t]))));
  out[32 + t] = r;
}
