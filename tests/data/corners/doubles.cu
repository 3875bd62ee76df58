/*
Double precision at its corners.

[lanescope]
[[launch]]
kernel = "double_sums"
block = 32
args = ["x", "double_sums"]
[[launch]]
kernel = "double_products"
block = 32
args = ["x", "double_products"]
[[launch]]
kernel = "double_fused"
block = 32
args = ["x", "double_fused"]
[[launch]]
kernel = "double_extremes"
block = 32
args = ["x", "double_extremes"]
[[launch]]
kernel = "double_quotients"
block = 32
args = ["x", "double_quotients"]
[[launch]]
kernel = "double_roots"
block = 32
args = ["x", "double_roots"]
[[launch]]
kernel = "double_rounded"
block = 32
args = ["x", "double_rounded"]
[[launch]]
kernel = "narrowed"
block = 32
args = ["x", "narrowed"]
[[launch]]
kernel = "doubles_to_integers"
block = 32
args = ["x", "doubles_to_integers"]
[[launch]]
kernel = "double_comparisons"
block = 32
args = ["x", "double_comparisons"]
[[launch]]
kernel = "double_kinds"
block = 32
args = ["x", "double_kinds"]
[[launch]]
kernel = "double_library"
block = 32
args = ["x", "double_library"]
[[launch]]
kernel = "high_and_low_words"
block = 32
args = ["x", "high_and_low_words"]
[[launch]]
kernel = "widened"
block = 32
args = ["x", "widened"]

[buffers]
x = { type = "u64", axes = "n:32", init = [0, "0x8000000000000000", 1, "0x8000000000000001", 4503599627370495, 4503599627370496, "0x8010000000000000", 4607182418800017408, "0xbff0000000000000", 4607182418800017407, 4607182418800017409, 4602678819172646912, "0xbff8000000000000", 4612811918334230528, 4614256656552045848, 9218868437227405311, "0xffefffffffffffff", 9218868437227405312, "0xfff0000000000000", 9221120237041090560, "0xfff8000000000000", 9221140253039434428, 9218868437227405313, "0xfff4000000000000", 4746794007246405632, "0xc1e0000000100000", 4751297606874824704, 4890946611321988160, "0xc3e02207973f6440", 4008604054463141788, 5183643170835005440, 9094988921128908188] }
double_sums = "u32 n:128 = zeros"
double_products = "u32 n:96 = zeros"
double_fused = "u32 n:128 = zeros"
double_extremes = "u32 n:64 = zeros"
double_quotients = "u32 n:96 = zeros"
double_roots = "u64 n:256 = zeros"
double_rounded = "u64 n:64 = zeros"
narrowed = "u32 n:192 = zeros"
doubles_to_integers = "u64 n:160 = zeros"
double_comparisons = "u32 n:32 = zeros"
double_kinds = "u32 n:32 = zeros"
double_library = "u64 n:320 = zeros"
high_and_low_words = "u64 n:64 = zeros"
widened = "u64 n:32 = zeros"
*/
#include "corners.cuh"
D2(dadd_rn, "add.rn.f64") D2(dadd_rz, "add.rz.f64") D2(dadd_rm, "add.rm.f64") D2(dadd_rp, "add.rp.f64") D2(dmul_rn, "mul.rn.f64") D2(dmul_rp, "mul.rp.f64") D2(dmul_rz, "mul.rz.f64")
D3(dfma_rn, "fma.rn.f64") D3(dfma_rz, "fma.rz.f64") D3(dfma_rm, "fma.rm.f64") D3(dfma_rp, "fma.rp.f64") D2(dmin, "min.f64") D2(dmax, "max.f64") D2(ddiv_rn, "div.rn.f64") D2(ddiv_rp, "div.rp.f64") D2(ddiv_rz, "div.rz.f64")
D1(drcp, "rcp.rn.f64") D1(drcp_rm, "rcp.rm.f64") D1(dsqrt, "sqrt.rn.f64") D1(dsqrt_rz, "sqrt.rz.f64") D1(dabs, "abs.f64") D1(dneg, "neg.f64") D2(dcopysign, "copysign.f64") D1(drni, "cvt.rni.f64.f64") D1(drpi, "cvt.rpi.f64.f64") D1(dsat, "cvt.sat.f64.f64")
#define NARROW(name, ptx) UNARY(name, ptx, float, "f", double, "d")
NARROW(f_rn, "cvt.rn.f32.f64") NARROW(f_rz, "cvt.rz.f32.f64") NARROW(f_rm, "cvt.rm.f32.f64") NARROW(f_rp, "cvt.rp.f32.f64") NARROW(f_ftz, "cvt.rn.ftz.f32.f64") NARROW(f_sat, "cvt.rn.sat.f32.f64")
UNARY(ds32, "cvt.rzi.s32.f64", u32, "r", double, "d") UNARY(du32, "cvt.rni.u32.f64", u32, "r", double, "d") UNARY(ds64, "cvt.rmi.s64.f64", u64, "l", double, "d") UNARY(du64, "cvt.rpi.u64.f64", u64, "l", double, "d") UNARY(ds8, "cvt.rzi.s8.f64", u32, "r", double, "d")

__global__ void double_sums(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[4] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], dadd_rn(x[t], x[j])), fold(s[1], dadd_rz(x[t], x[j])), fold(s[2], dadd_rm(x[t], x[j])), fold(s[3], dadd_rp(x[t], x[j]));
  for (int k = 0; k < 4; ++k) out[32 * k + t] = s[k];
}

__global__ void double_products(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[3] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], dmul_rn(x[t], x[j])), fold(s[1], dmul_rp(x[t], x[j])), fold(s[2], dmul_rz(x[t], x[j]));
  for (int k = 0; k < 3; ++k) out[32 * k + t] = s[k];
}

__global__ void double_fused(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[4] = {};
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 32; ++i) fold(s[0], dfma_rn(x[t], x[j], x[i])), fold(s[1], dfma_rz(x[t], x[j], x[i])), fold(s[2], dfma_rm(x[t], x[j], x[i])), fold(s[3], dfma_rp(x[t], x[j], x[i]));
  for (int k = 0; k < 4; ++k) out[32 * k + t] = s[k];
}

__global__ void double_extremes(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[2] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], dmin(x[t], x[j])), fold(s[1], dmax(x[t], x[j]));
  out[t] = s[0], out[32 + t] = s[1];
}

__global__ void double_quotients(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[3] = {};
  for (int j = 0; j < 32; ++j) fold(s[0], ddiv_rn(x[t], x[j])), fold(s[1], ddiv_rp(x[t], x[j])), fold(s[2], ddiv_rz(x[t], x[j]));
  for (int k = 0; k < 3; ++k) out[32 * k + t] = s[k];
}

__global__ void double_roots(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  const double r[8] = {drcp(x[t]), drcp_rm(x[t]), dsqrt(x[t]), dsqrt_rz(x[t]), dabs(x[t]), dneg(x[t]), dcopysign(x[t], x[31 - t]), drni(x[t])};
  for (int k = 0; k < 8; ++k) out[32 * k + t] = __double_as_longlong(r[k]);
}

__global__ void double_rounded(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = __double_as_longlong(drpi(x[t])), out[32 + t] = __double_as_longlong(dsat(x[t]));
}

__global__ void narrowed(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float r[6] = {f_rn(x[t]), f_rz(x[t]), f_rm(x[t]), f_rp(x[t]), f_ftz(x[t]), f_sat(x[t])};
  for (int k = 0; k < 6; ++k) out[32 * k + t] = __float_as_uint(r[k]);
}

__global__ void doubles_to_integers(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = ds32(x[t]), out[32 + t] = du32(x[t]), out[64 + t] = ds64(x[t]), out[96 + t] = du64(x[t]), out[128 + t] = ds8(x[t]);
}

__global__ void double_comparisons(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, r;
  #define TEST(op) asm volatile("{ .reg .pred p; setp." #op ".f64 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(x[t]), "d"(x[j])); fold(s, r);
  for (int j = 0; j < 32; ++j) { TEST(eq) TEST(ne) TEST(lt) TEST(le) TEST(gt) TEST(ge) TEST(equ) TEST(neu) TEST(ltu) TEST(leu) TEST(gtu) TEST(geu) TEST(num) TEST(nan) }
  out[t] = s;
}

__global__ void double_kinds(const double *x, u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, r;
  #define KIND(op) asm volatile("{ .reg .pred p; testp." #op ".f64 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "d"(x[t])); s = s << 1 | r;
  KIND(finite) KIND(infinite) KIND(number) KIND(notanumber) KIND(normal) KIND(subnormal)
  out[t] = s;
}

__global__ void double_library(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  const double a = x[t], b = x[(t * 7 + 3) % 32];
  const double r[10] = {rint(a), trunc(a), round(a), fmod(a, b), remainder(a, b), nextafter(a, b), fdim(a, b), scalbn(a, 200), logb(a), fmax(a, b)};
  for (int k = 0; k < 10; ++k) out[32 * k + t] = __double_as_longlong(r[k]);
}

__global__ void high_and_low_words(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = __double2hiint(x[t]), out[32 + t] = __double_as_longlong(__hiloint2double(__double2loint(x[t]), __double2hiint(x[t])));
}

/// A NaN of single precision becomes which NaN?
__global__ void widened(const double *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = __double_as_longlong(static_cast<double>(__uint_as_float(static_cast<u32>(__double_as_longlong(x[t]) >> 29))));
}
