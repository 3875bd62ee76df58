/*
Half precision, bfloat16 and 8-bit floats.

[lanescope]
[[launch]]
kernel = "half_sums"
block = 32
args = ["x", "half_sums"]
[[launch]]
kernel = "half_sums_in_full"
block = 32
args = ["x", "half_sums_in_full"]
[[launch]]
kernel = "half_fused"
block = 32
args = ["x", "half_fused"]
[[launch]]
kernel = "half_extremes"
block = 32
args = ["x", "half_extremes"]
[[launch]]
kernel = "half_signs"
block = 32
args = ["x", "half_signs"]
[[launch]]
kernel = "bfloat_fused"
block = 32
args = ["x", "bfloat_fused"]
[[launch]]
kernel = "bfloat_sums"
block = 32
args = ["x", "bfloat_sums"]
[[launch]]
kernel = "bfloat_signs"
block = 32
args = ["x", "bfloat_signs"]
[[launch]]
kernel = "packed"
block = 32
args = ["x", "packed"]
[[launch]]
kernel = "half_comparisons"
block = 32
args = ["x", "half_comparisons"]
[[launch]]
kernel = "half_predicates"
block = 32
args = ["x", "half_predicates"]
[[launch]]
kernel = "halves_widened"
block = 32
args = ["x", "halves_widened"]
[[launch]]
kernel = "halves_to_integers"
block = 32
args = ["x", "halves_to_integers"]
[[launch]]
kernel = "halves_rounded"
block = 32
args = ["x", "halves_rounded"]
[[launch]]
kernel = "floats_to_halves"
block = 32
args = ["x", "floats_to_halves"]
[[launch]]
kernel = "two_floats_packed"
block = 32
args = ["x", "two_floats_packed"]
[[launch]]
kernel = "to_8_bits"
block = 32
args = ["x", "to_8_bits"]
[[launch]]
kernel = "from_8_bits"
block = 128
args = ["x", "from_8_bits"]
[[launch]]
kernel = "fp8_classes"
block = 32
args = ["x", "fp8_classes"]
[[launch]]
kernel = "half_intrinsics"
block = 32
args = ["x", "half_intrinsics"]
[[launch]]
kernel = "half_quotients"
block = 32
args = ["x", "half_quotients"]
[[launch]]
kernel = "bfloat_intrinsics"
block = 32
args = ["x", "bfloat_intrinsics"]

[buffers]
x = { type = "u16", axes = "n:32", init = [0, 32768, 1, 32769, 1023, 33791, 1024, 33792, 15360, 48128, 15359, 15361, 14336, 47104, 15872, 49408, 16968, 31743, 64511, 31744, 64512, 32256, 65024, 32341, 31745, 64768, 30719, 30720, 63488, 25600, 5120, 21845] }
half_sums = "u32 n:128 = zeros"
half_sums_in_full = "u16 n:1024 = zeros"
half_fused = "u32 n:128 = zeros"
half_extremes = "u32 n:160 = zeros"
half_signs = "u16 n:96 = zeros"
bfloat_fused = "u32 n:64 = zeros"
bfloat_sums = "u32 n:192 = zeros"
bfloat_signs = "u16 n:64 = zeros"
packed = "u32 n:288 = zeros"
half_comparisons = "u32 n:64 = zeros"
half_predicates = "u32 n:32 = zeros"
halves_widened = "u32 n:96 = zeros"
halves_to_integers = "u32 n:128 = zeros"
halves_rounded = "u16 n:64 = zeros"
floats_to_halves = "u32 n:320 = zeros"
two_floats_packed = "u32 n:96 = zeros"
to_8_bits = "u32 n:160 = zeros"
from_8_bits = "u32 n:384 = zeros"
fp8_classes = "u32 n:96 = zeros"
half_intrinsics = "u16 n:224 = zeros"
half_quotients = "u16 n:64 = zeros"
bfloat_intrinsics = "u16 n:160 = zeros"
*/
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include "corners.cuh"
H2(hadd, "add.rn.f16") H2(hadd_sat, "add.rn.sat.f16") H2(hmul, "mul.rn.f16") H2(hmul_ftz, "mul.rn.ftz.f16") H3(hfma, "fma.rn.f16") H3(hfma_sat, "fma.rn.sat.f16") H3(hfma_relu, "fma.rn.relu.f16") H3(hfma_ftz, "fma.rn.ftz.f16")
H2(hmin, "min.f16") H2(hmax, "max.f16") H2(hmin_nan, "min.NaN.f16") H2(hmax_ftz, "max.ftz.f16") H2(hmax_xa, "max.NaN.xorsign.abs.f16") H1(habs, "abs.f16") H1(hneg, "neg.f16") H1(habs_ftz, "abs.ftz.f16")
H3(bfma, "fma.rn.bf16") H3(bfma_relu, "fma.rn.relu.bf16") H2(badd, "add.rn.bf16") H2(bmul, "mul.rn.bf16") H2(bsub, "sub.rn.bf16") H2(bmin, "min.bf16") H2(bmax_nan, "max.NaN.bf16") H2(bmin_xa, "min.xorsign.abs.bf16") H1(babs, "abs.bf16") H1(bneg, "neg.bf16")
U3(hfma2, "fma.rn.f16x2") U3(hfma2_relu, "fma.rn.relu.f16x2") U2(hmin2, "min.f16x2") U2(hmax2_nan, "max.NaN.f16x2") U3(bfma2, "fma.rn.bf16x2") U2(bmax2, "max.bf16x2") U2(badd2, "add.rn.bf16x2") U2(hsub2, "sub.rn.f16x2") U2(hadd2_sat, "add.rn.sat.f16x2")
UNARY(h_f, "cvt.f32.f16", float, "f", u16, "h") UNARY(b_f, "cvt.f32.bf16", float, "f", u16, "h") UNARY(h_s16, "cvt.rni.s16.f16", u16, "h", u16, "h") UNARY(h_u8, "cvt.rzi.u8.f16", u32, "r", u16, "h") UNARY(h_s32, "cvt.rmi.s32.f16", u32, "r", u16, "h") UNARY(h_u64, "cvt.rpi.u64.f16", u64, "l", u16, "h") UNARY(h_d, "cvt.f64.f16", double, "d", u16, "h") H1(h_rni, "cvt.rni.f16.f16") H1(h_rpi_sat, "cvt.rpi.sat.f16.f16")
#define TO_HALF(name, ptx) UNARY(name, ptx, u16, "h", float, "f")
TO_HALF(f_rn, "cvt.rn.f16.f32") TO_HALF(f_rz, "cvt.rz.f16.f32") TO_HALF(f_rm, "cvt.rm.f16.f32") TO_HALF(f_rp, "cvt.rp.f16.f32") TO_HALF(f_sat, "cvt.rn.sat.f16.f32") TO_HALF(f_ftz, "cvt.rn.ftz.f16.f32") TO_HALF(f_brn, "cvt.rn.bf16.f32") TO_HALF(f_brz, "cvt.rz.bf16.f32") TO_HALF(f_brelu, "cvt.rn.relu.bf16.f32") TO_HALF(f_hrelu, "cvt.rn.relu.f16.f32")
BINARY(f2_h2, "cvt.rn.f16x2.f32", u32, "r", float, "f", float, "f") BINARY(f2_b2, "cvt.rz.bf16x2.f32", u32, "r", float, "f", float, "f") BINARY(f2_b2r, "cvt.rn.relu.bf16x2.f32", u32, "r", float, "f", float, "f")
BINARY(e4m3, "cvt.rn.satfinite.e4m3x2.f32", u16, "h", float, "f", float, "f") BINARY(e5m2, "cvt.rn.satfinite.e5m2x2.f32", u16, "h", float, "f", float, "f") BINARY(e4m3r, "cvt.rn.satfinite.relu.e4m3x2.f32", u16, "h", float, "f", float, "f")
UNARY(h_e4m3, "cvt.rn.satfinite.e4m3x2.f16x2", u16, "h", u32, "r") UNARY(h_e5m2r, "cvt.rn.satfinite.relu.e5m2x2.f16x2", u16, "h", u32, "r") UNARY(e4m3_h, "cvt.rn.f16x2.e4m3x2", u32, "r", u16, "h") UNARY(e5m2_h, "cvt.rn.f16x2.e5m2x2", u32, "r", u16, "h") UNARY(e4m3_hr, "cvt.rn.relu.f16x2.e4m3x2", u32, "r", u16, "h")
__device__ float wide(u16 v, u32 low) { return __uint_as_float(static_cast<u32>(v) << 16 | low); }

__global__ void half_sums(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[4] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], hadd(x[t], x[j])), fold(s[1], hadd_sat(x[t], x[j])), fold(s[2], hmul(x[t], x[j])), fold(s[3], hmul_ftz(x[t], x[j]));
  for (int k = 0; k < 4; ++k) out[32 * k + t] = s[k];
}

__global__ void half_sums_in_full(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  for (int j = 0; j < 32; ++j) out[32 * j + t] = hadd(x[t], x[j]);
}

__global__ void half_fused(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[4] = {};
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 32; ++i) fold(s[0], hfma(x[t], x[j], x[i])), fold(s[1], hfma_sat(x[t], x[j], x[i])), fold(s[2], hfma_relu(x[t], x[j], x[i])), fold(s[3], hfma_ftz(x[t], x[j], x[i]));
  for (int k = 0; k < 4; ++k) out[32 * k + t] = s[k];
}

__global__ void half_extremes(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], hmin(x[t], x[j])), fold(s[1], hmax(x[t], x[j])), fold(s[2], hmin_nan(x[t], x[j])), fold(s[3], hmax_ftz(x[t], x[j])), fold(s[4], hmax_xa(x[t], x[j]));
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

__global__ void half_signs(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  out[t] = habs(x[t]), out[32 + t] = hneg(x[t]), out[64 + t] = habs_ftz(x[t]);
}

__global__ void bfloat_fused(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[2] = {};
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 32; ++i) fold(s[0], bfma(x[t], x[j], x[i])), fold(s[1], bfma_relu(x[t], x[j], x[i]));
  out[t] = s[0], out[32 + t] = s[1];
}

__global__ void bfloat_sums(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[6] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], badd(x[t], x[j])), fold(s[1], bmul(x[t], x[j])), fold(s[2], bsub(x[t], x[j])), fold(s[3], bmin(x[t], x[j])), fold(s[4], bmax_nan(x[t], x[j])), fold(s[5], bmin_xa(x[t], x[j]));
  for (int k = 0; k < 6; ++k) out[32 * k + t] = s[k];
}

__global__ void bfloat_signs(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  out[t] = babs(x[t]), out[32 + t] = bneg(x[t]);
}

__global__ void packed(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[9] = {};
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[t] | x[31 - t] << 16, b = x[j] | x[(j + t) % 32] << 16, c = x[(j * 3) % 32] | x[j] << 16;
    fold(s[0], hfma2(a, b, c)), fold(s[1], hfma2_relu(a, b, c)), fold(s[2], hmin2(a, b)), fold(s[3], hmax2_nan(a, b)), fold(s[4], bfma2(a, b, c)), fold(s[5], bmax2(a, b)), fold(s[6], badd2(a, b)), fold(s[7], hsub2(a, b)), fold(s[8], hadd2_sat(a, b));
  }
  for (int k = 0; k < 9; ++k) out[32 * k + t] = s[k];
}

__global__ void half_comparisons(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, q = 0, r;
  #define TEST(op) asm volatile("set." #op ".u32.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); fold(s, r); asm volatile("set." #op ".bf16x2.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); fold(q, r);
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[t] | x[31 - t] << 16, b = x[j] | x[(j + t) % 32] << 16;
    TEST(eq) TEST(ne) TEST(lt) TEST(le) TEST(gtu) TEST(geu) TEST(num) TEST(nan)
  }
  out[t] = s, out[32 + t] = q;
}

/// setp of two packed halves has two results.
__global__ void half_predicates(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, r;
  for (int j = 0; j < 32; ++j) {
    const u32 a = x[t] | x[31 - t] << 16, b = x[j] | x[(j + t) % 32] << 16;
    asm volatile("{ .reg .pred p, q; setp.ltu.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" : "=r"(r) : "r"(a), "r"(b));
    fold(s, r);
  }
  out[t] = s;
}

__global__ void halves_widened(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __float_as_uint(h_f(x[t])), out[32 + t] = __float_as_uint(b_f(x[t])), out[64 + t] = __double2hiint(h_d(x[t]));
}

__global__ void halves_to_integers(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = h_s16(x[t]), out[32 + t] = h_u8(x[t]), out[64 + t] = h_s32(x[t]), out[96 + t] = h_u64(x[t]);
}

__global__ void halves_rounded(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  out[t] = h_rni(x[t]), out[32 + t] = h_rpi_sat(x[t]);
}

__global__ void floats_to_halves(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[10] = {};
  for (u32 low = 0; low < 0x10000; low += 0xfff) {
    const float v = wide(x[t], low), w = __uint_as_float(0x38000000 + (static_cast<u32>(x[t]) << 13) + low);
    for (const float a : {v, w}) {
      fold(s[0], f_rn(a)), fold(s[1], f_rz(a)), fold(s[2], f_rm(a)), fold(s[3], f_rp(a)), fold(s[4], f_sat(a)), fold(s[5], f_ftz(a));
      fold(s[6], f_brn(a)), fold(s[7], f_brz(a)), fold(s[8], f_brelu(a)), fold(s[9], f_hrelu(a));
    }
  }
  for (int k = 0; k < 10; ++k) out[32 * k + t] = s[k];
}

__global__ void two_floats_packed(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[3] = {};
  for (int j = 0; j < 32; ++j) {
    const float a = wide(x[t], j), b = wide(x[j], t);
    fold(s[0], f2_h2(a, b)), fold(s[1], f2_b2(a, b)), fold(s[2], f2_b2r(a, b));
  }
  for (int k = 0; k < 3; ++k) out[32 * k + t] = s[k];
}

__global__ void to_8_bits(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[5] = {};
  for (int j = 0; j < 32; ++j)
    for (u32 e = 0; e < 40; ++e) {
      const float a = h_f(x[t]) * exp2f(static_cast<float>(e) - 20), b = h_f(x[j]);
      fold(s[0], e4m3(a, b)), fold(s[1], e5m2(a, b)), fold(s[2], e4m3r(a, b));
      const u32 h = f_rn(a) | x[j] << 16;
      fold(s[3], h_e4m3(h)), fold(s[4], h_e5m2r(h));
    }
  for (int k = 0; k < 5; ++k) out[32 * k + t] = s[k];
}

/// All 256 values of both formats.
__global__ void from_8_bits(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  const u16 v = static_cast<u16>((2 * t) | (2 * t + 1) << 8);
  out[t] = e4m3_h(v), out[128 + t] = e5m2_h(v), out[256 + t] = e4m3_hr(v);
}

/// cuda_fp8.h
__global__ void fp8_classes(const u16 *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float f = h_f(x[t]);
  __nv_fp8_e4m3 a(f);
  __nv_fp8_e5m2 b(f * 1.0625f);
  out[t] = a.__x, out[32 + t] = b.__x, out[64 + t] = __float_as_uint(static_cast<float>(a) + static_cast<float>(b));
}

__global__ void half_intrinsics(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  const __half a = __ushort_as_half(x[t]), b = __ushort_as_half(x[(t * 7 + 3) % 32]);
  const __half r[7] = {__hmax_nan(a, b), __hmin(a, b), __hfma(a, b, a), hrint(a), hfloor(a), htrunc(a), __habs(__hneg(a))};
  for (int k = 0; k < 7; ++k) out[32 * k + t] = __half_as_ushort(r[k]);
}

/// Division and square root are exact.
__global__ void half_quotients(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  const __half a = __ushort_as_half(x[t]), b = __ushort_as_half(x[(t * 7 + 3) % 32]);
  out[t] = __half_as_ushort(__hdiv(a, b)), out[32 + t] = __half_as_ushort(hsqrt(a));
}

__global__ void bfloat_intrinsics(const u16 *x, u16 *out) {
  const u32 t = threadIdx.x;
  const __nv_bfloat16 a = __ushort_as_bfloat16(x[t]), b = __ushort_as_bfloat16(x[(t * 7 + 3) % 32]);
  const __nv_bfloat16 r[5] = {__hmax_nan(a, b), __hmin(a, b), __hfma(a, b, a), __hadd_sat(a, b), __hmul(a, b)};
  for (int k = 0; k < 5; ++k) out[32 * k + t] = __bfloat16_as_ushort(r[k]);
}
