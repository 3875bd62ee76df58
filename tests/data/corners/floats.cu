/*
Single precision: rounding, denormals, NaN, signs of zero, saturation.

[lanescope]
[[launch]]
kernel = "sums"
block = 32
args = ["x", "sums"]
[[launch]]
kernel = "sums_in_full"
block = 32
args = ["x", "sums_in_full"]
[[launch]]
kernel = "differences_down"
block = 32
args = ["x", "differences_down"]
[[launch]]
kernel = "products"
block = 32
args = ["x", "products"]
[[launch]]
kernel = "fused"
block = 32
args = ["x", "fused"]
[[launch]]
kernel = "extremes"
block = 32
args = ["x", "extremes"]
[[launch]]
kernel = "float_quotients"
block = 32
args = ["x", "float_quotients"]
[[launch]]
kernel = "roots"
block = 32
args = ["x", "roots"]
[[launch]]
kernel = "float_signs"
block = 32
args = ["x", "float_signs"]
[[launch]]
kernel = "rounded"
block = 32
args = ["x", "rounded"]
[[launch]]
kernel = "to_integers"
block = 32
args = ["x", "to_integers"]
[[launch]]
kernel = "to_integers64"
block = 32
args = ["x", "to_integers64"]
[[launch]]
kernel = "to_tf32"
block = 32
args = ["x", "to_tf32"]
[[launch]]
kernel = "float_comparisons"
block = 32
args = ["x", "float_comparisons"]
[[launch]]
kernel = "set_to_float"
block = 32
args = ["x", "set_to_float"]
[[launch]]
kernel = "kinds_of_numbers"
block = 32
args = ["x", "kinds_of_numbers"]
[[launch]]
kernel = "library"
block = 32
args = ["x", "library"]
[[launch]]
kernel = "library_to_integers"
block = 32
args = ["x", "library_to_integers"]
[[launch]]
kernel = "float_intrinsics"
block = 32
args = ["x", "float_intrinsics"]
[[launch]]
kernel = "sum_of_a_warp"
block = 32
args = ["x", "sum_of_a_warp"]

[buffers]
x = { type = "u32", axes = "n:32", init = [0, 2147483648, 1, 2147483649, 8388607, 2155872255, 8388608, 2155872256, 1065353216, 3212836864, 1065353215, 1065353217, 1056964608, 3204448256, 1069547520, 3223322624, 1078530011, 2139095039, 4286578687, 2139095040, 4286578688, 2143289344, 4290772992, 2143363909, 2139095041, 4288675840, 1325400063, 1325400064, 3472883712, 1593835520, 864026624, 228737632] }
sums = "u32 n:224 = zeros"
sums_in_full = "u32 n:1024 = zeros"
differences_down = "u32 n:32 = zeros"
products = "u32 n:192 = zeros"
fused = "u32 n:192 = zeros"
extremes = "u32 n:224 = zeros"
float_quotients = "u32 n:160 = zeros"
roots = "u32 n:160 = zeros"
float_signs = "u32 n:160 = zeros"
rounded = "u32 n:192 = zeros"
to_integers = "u32 n:288 = zeros"
to_integers64 = "u64 n:64 = zeros"
to_tf32 = "u32 n:32 = zeros"
float_comparisons = "u32 n:32 = zeros"
set_to_float = "u32 n:32 = zeros"
kinds_of_numbers = "u32 n:32 = zeros"
library = "u32 n:416 = zeros"
library_to_integers = "u32 n:224 = zeros"
float_intrinsics = "u32 n:160 = zeros"
sum_of_a_warp = "f32 n:32 = zeros"
*/
#include "corners.cuh"
F2(add_rn, "add.rn.f32") F2(add_rz, "add.rz.f32") F2(add_rm, "add.rm.f32") F2(add_rp, "add.rp.f32") F2(add_ftz, "add.ftz.f32") F2(add_sat, "add.sat.f32") F2(add_fs, "add.rp.ftz.sat.f32")
F2(sub_rm, "sub.rm.f32") F2(mul_rn, "mul.rn.f32") F2(mul_rz, "mul.rz.f32") F2(mul_rm, "mul.rm.f32") F2(mul_rp, "mul.rp.f32") F2(mul_ftz, "mul.ftz.f32") F2(mul_sat, "mul.sat.f32")
F3(fma_rn, "fma.rn.f32") F3(fma_rz, "fma.rz.f32") F3(fma_rm, "fma.rm.f32") F3(fma_rp, "fma.rp.f32") F3(fma_ftz, "fma.rn.ftz.f32") F3(fma_sat, "fma.rn.sat.f32")
F2(min_f, "min.f32") F2(max_f, "max.f32") F2(min_ftz, "min.ftz.f32") F2(min_nan, "min.NaN.f32") F2(max_nan, "max.NaN.f32") F2(max_xa, "max.xorsign.abs.f32") F2(min_nxa, "min.ftz.NaN.xorsign.abs.f32")
F2(div_rn, "div.rn.f32") F2(div_rz, "div.rz.f32") F2(div_rm, "div.rm.f32") F2(div_rp, "div.rp.f32") F2(div_ftz, "div.rn.ftz.f32")
F1(rcp_rn, "rcp.rn.f32") F1(rcp_rz, "rcp.rz.f32") F1(sqrt_rn, "sqrt.rn.f32") F1(sqrt_rp, "sqrt.rp.f32") F1(sqrt_ftz, "sqrt.rm.ftz.f32")
F1(abs_f, "abs.f32") F1(neg_f, "neg.f32") F1(abs_ftz, "abs.ftz.f32") F1(neg_ftz, "neg.ftz.f32") F2(copysign_f, "copysign.f32")
F1(rni, "cvt.rni.f32.f32") F1(rzi, "cvt.rzi.f32.f32") F1(rmi, "cvt.rmi.f32.f32") F1(rpi, "cvt.rpi.f32.f32") F1(cvt_sat, "cvt.sat.f32.f32") F1(rni_ftz, "cvt.rni.ftz.f32.f32")
#define TO_INT(name, ptx) UNARY(name, ptx, u32, "r", float, "f")
TO_INT(s32_rni, "cvt.rni.s32.f32") TO_INT(s32_rzi, "cvt.rzi.s32.f32") TO_INT(s32_rmi, "cvt.rmi.s32.f32") TO_INT(u32_rpi, "cvt.rpi.u32.f32") TO_INT(u32_rni, "cvt.rni.u32.f32") TO_INT(s8_rzi, "cvt.rzi.s8.f32") TO_INT(u8_sat, "cvt.rni.sat.u8.f32") TO_INT(s32_ftz, "cvt.rpi.ftz.s32.f32")
TO_INT(tf32, "cvt.rna.tf32.f32") UNARY(s64_rni, "cvt.rni.s64.f32", u64, "l", float, "f") UNARY(u64_rzi, "cvt.rzi.u64.f32", u64, "l", float, "f") UNARY(s16_rmi, "cvt.rmi.s16.f32", u16, "h", float, "f")

__global__ void sums(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[7] = {};
  for (int j = 0; j < 32; ++j) {
    const float a = x[t], b = x[j];
    fold(s[0], add_rn(a, b)), fold(s[1], add_rz(a, b)), fold(s[2], add_rm(a, b)), fold(s[3], add_rp(a, b)), fold(s[4], add_ftz(a, b)), fold(s[5], add_sat(a, b)), fold(s[6], add_fs(a, b));
  }
  for (int k = 0; k < 7; ++k) out[32 * k + t] = s[k];
}

/// Each sum of two, for the place of a difference.
__global__ void sums_in_full(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  for (int j = 0; j < 32; ++j) out[32 * j + t] = __float_as_uint(add_rn(x[t], x[j]));
}

__global__ void differences_down(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0;
  for (int j = 0; j < 32; ++j) fold(s, sub_rm(x[t], x[j]));
  out[t] = s;
}

__global__ void products(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[6] = {};
  for (int j = 0; j < 32; ++j) {
    const float a = x[t], b = x[j];
    fold(s[0], mul_rn(a, b)), fold(s[1], mul_rz(a, b)), fold(s[2], mul_rm(a, b)), fold(s[3], mul_rp(a, b)), fold(s[4], mul_ftz(a, b)), fold(s[5], mul_sat(a, b));
  }
  for (int k = 0; k < 6; ++k) out[32 * k + t] = s[k];
}

__global__ void fused(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[6] = {};
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 32; ++i) {
      const float a = x[t], b = x[j], c = x[i];
      fold(s[0], fma_rn(a, b, c)), fold(s[1], fma_rz(a, b, c)), fold(s[2], fma_rm(a, b, c)), fold(s[3], fma_rp(a, b, c)), fold(s[4], fma_ftz(a, b, c)), fold(s[5], fma_sat(a, b, c));
    }
  for (int k = 0; k < 6; ++k) out[32 * k + t] = s[k];
}

__global__ void extremes(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[7] = {};
  for (int j = 0; j < 32; ++j) {
    const float a = x[t], b = x[j];
    fold(s[0], min_f(a, b)), fold(s[1], max_f(a, b)), fold(s[2], min_ftz(a, b)), fold(s[3], min_nan(a, b)), fold(s[4], max_nan(a, b)), fold(s[5], max_xa(a, b)), fold(s[6], min_nxa(a, b));
  }
  for (int k = 0; k < 7; ++k) out[32 * k + t] = s[k];
}

__global__ void float_quotients(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5] = {};
  for (int j = 0; j < 32; ++j) {
    const float a = x[t], b = x[j];
    fold(s[0], div_rn(a, b)), fold(s[1], div_rz(a, b)), fold(s[2], div_rm(a, b)), fold(s[3], div_rp(a, b)), fold(s[4], div_ftz(a, b));
  }
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

__global__ void roots(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __float_as_uint(rcp_rn(x[t])), out[32 + t] = __float_as_uint(rcp_rz(x[t])), out[64 + t] = __float_as_uint(sqrt_rn(x[t])), out[96 + t] = __float_as_uint(sqrt_rp(x[t])), out[128 + t] = __float_as_uint(sqrt_ftz(x[t]));
}

__global__ void float_signs(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __float_as_uint(abs_f(x[t])), out[32 + t] = __float_as_uint(neg_f(x[t])), out[64 + t] = __float_as_uint(abs_ftz(x[t])), out[96 + t] = __float_as_uint(neg_ftz(x[t]));
  out[128 + t] = __float_as_uint(copysign_f(x[t], x[31 - t]));
}

__global__ void rounded(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __float_as_uint(rni(x[t])), out[32 + t] = __float_as_uint(rzi(x[t])), out[64 + t] = __float_as_uint(rmi(x[t])), out[96 + t] = __float_as_uint(rpi(x[t])), out[128 + t] = __float_as_uint(cvt_sat(x[t])), out[160 + t] = __float_as_uint(rni_ftz(x[t]));
}

__global__ void to_integers(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = s32_rni(x[t]), out[32 + t] = s32_rzi(x[t]), out[64 + t] = s32_rmi(x[t]), out[96 + t] = u32_rpi(x[t]), out[128 + t] = u32_rni(x[t]);
  out[160 + t] = s8_rzi(x[t]), out[192 + t] = u8_sat(x[t]), out[224 + t] = s32_ftz(x[t]), out[256 + t] = s16_rmi(x[t]);
}

__global__ void to_integers64(const float *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = s64_rni(x[t]), out[32 + t] = u64_rzi(x[t]);
}

__global__ void to_tf32(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = tf32(x[t]);
}

__global__ void float_comparisons(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, r;
  #define TEST(op) asm volatile("set." #op ".u32.f32 %0, %1, %2;" : "=r"(r) : "f"(x[t]), "f"(x[j])); fold(s, r);
  for (int j = 0; j < 32; ++j) { TEST(eq) TEST(ne) TEST(lt) TEST(le) TEST(gt) TEST(ge) TEST(equ) TEST(neu) TEST(ltu) TEST(leu) TEST(gtu) TEST(geu) TEST(num) TEST(nan) TEST(lt.ftz) TEST(eq.ftz) }
  out[t] = s;
}

/// set with a float result, and with a Boolean operation.
__global__ void set_to_float(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0;
  float r;
  for (int j = 0; j < 32; ++j) {
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %3, 15; set.ltu.xor.f32.f32 %0, %1, %2, p; }" : "=f"(r) : "f"(x[t]), "f"(x[j]), "r"(t));
    fold(s, r);
  }
  out[t] = s;
}

__global__ void kinds_of_numbers(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, r;
  #define KIND(op) asm volatile("{ .reg .pred p; testp." #op ".f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(x[t])); s = s << 1 | r;
  KIND(finite) KIND(infinite) KIND(number) KIND(notanumber) KIND(normal) KIND(subnormal)
  out[t] = s;
}

/// Functions of the CUDA library that round exactly.
__global__ void library(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float a = x[t], b = x[(t * 7 + 3) % 32];
  float r[13] = {rintf(a), truncf(a), floorf(a), ceilf(a), roundf(a), fmodf(a, b), remainderf(a, b), nextafterf(a, b), fdimf(a, b), scalbnf(a, 30), ldexpf(a, -140), logbf(a), fmaf(a, b, a)};
  for (int k = 0; k < 13; ++k) out[32 * k + t] = __float_as_uint(r[k]);
}

__global__ void library_to_integers(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float a = x[t];
  int e = 0;
  const float m = frexpf(a, &e);
  out[t] = ilogbf(a), out[32 + t] = e, out[64 + t] = __float_as_uint(m), out[96 + t] = lrintf(a), out[128 + t] = static_cast<u32>(llroundf(a)), out[160 + t] = __float2int_rn(a), out[192 + t] = isnan(a) * 4 + isinf(a) * 2 + signbit(a);
}

__global__ void float_intrinsics(const float *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float a = x[t], b = x[(t * 5 + 1) % 32];
  out[t] = __float_as_uint(__fadd_ru(a, b)), out[32 + t] = __float_as_uint(__fmul_rd(a, b)), out[64 + t] = __float_as_uint(__fmaf_rz(a, b, a)), out[96 + t] = __float_as_uint(__saturatef(a)), out[128 + t] = __float_as_uint(__fdiv_rn(a, b));
}

/// Order of a butterfly sum.
__global__ void sum_of_a_warp(const float *x, float *out) {
  const u32 t = threadIdx.x;
  float v = x[t] == x[t] && fabsf(x[t]) < 1e30f ? x[t] : 1.25f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  out[t] = v;
}
