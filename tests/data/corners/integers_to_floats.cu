/*
Integers converted to floating point with each rounding.

[lanescope]
[[launch]]
kernel = "from_64_bits"
block = 32
args = ["x", "from_64_bits"]
[[launch]]
kernel = "from_32_bits"
block = 32
args = ["x", "from_32_bits"]
[[launch]]
kernel = "to_doubles"
block = 32
args = ["x", "to_doubles"]
[[launch]]
kernel = "to_halves"
block = 32
args = ["x", "to_halves"]

[buffers]
x = { type = "u64", axes = "n:32", init = [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 2147483647, 2147483648, 4294967295, 4294967296, 4294967297, 1311768467463790320, "0xfedcba9876543210", 6148914691236517205, "0xaaaaaaaaaaaaaaaa", 9223372036854775806, 9223372036854775807, "0x8000000000000000", "0x8000000000000001", "0xfffffffffffffffe", "0xffffffffffffffff", "0xffffffff00000000", "0xffff0000ffff0000", 71777214294589695, "0x8000000080000000", 4611686018427387904, 9007199254740992] }
from_64_bits = "u32 n:256 = zeros"
from_32_bits = "u32 n:160 = zeros"
to_doubles = "u64 n:96 = zeros"
to_halves = "u32 n:96 = zeros"
*/
#include "corners.cuh"
#define FROM64(name, ptx) UNARY(name, ptx, float, "f", u64, "l")
FROM64(u_rn, "cvt.rn.f32.u64") FROM64(u_rz, "cvt.rz.f32.u64") FROM64(u_rm, "cvt.rm.f32.u64") FROM64(u_rp, "cvt.rp.f32.u64") FROM64(s_rn, "cvt.rn.f32.s64") FROM64(s_rz, "cvt.rz.f32.s64") FROM64(s_rm, "cvt.rm.f32.s64") FROM64(s_rp, "cvt.rp.f32.s64")
#define FROM32(name, ptx) UNARY(name, ptx, float, "f", u32, "r")
FROM32(u3_rn, "cvt.rn.f32.u32") FROM32(s3_rp, "cvt.rp.f32.s32") FROM32(s3_rz, "cvt.rz.f32.s32") FROM32(u8_rn, "cvt.rn.f32.u8") FROM32(s8_rn, "cvt.rn.f32.s8")
UNARY(d_rn, "cvt.rn.f64.u64", double, "d", u64, "l") UNARY(d_rz, "cvt.rz.f64.s64", double, "d", u64, "l") UNARY(d_32, "cvt.rn.f64.s32", double, "d", u32, "r") UNARY(h_rn, "cvt.rn.f16.s64", u16, "h", u64, "l") UNARY(h_rz, "cvt.rz.f16.u32", u16, "h", u32, "r") UNARY(h_rp, "cvt.rp.f16.u16", u16, "h", u16, "h")

__global__ void from_64_bits(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  const float r[8] = {u_rn(x[t]), u_rz(x[t]), u_rm(x[t]), u_rp(x[t]), s_rn(x[t]), s_rz(x[t]), s_rm(x[t]), s_rp(x[t])};
  for (int k = 0; k < 8; ++k) out[32 * k + t] = __float_as_uint(r[k]);
}

__global__ void from_32_bits(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  const u32 v = x[t];
  const float r[5] = {u3_rn(v), s3_rp(v), s3_rz(v), u8_rn(v & 255), s8_rn(v & 255)};
  for (int k = 0; k < 5; ++k) out[32 * k + t] = __float_as_uint(r[k]);
}

__global__ void to_doubles(const u64 *x, u64 *out) {
  const u32 t = threadIdx.x;
  out[t] = __double_as_longlong(d_rn(x[t])), out[32 + t] = __double_as_longlong(d_rz(x[t])), out[64 + t] = __double_as_longlong(d_32(x[t]));
}

__global__ void to_halves(const u64 *x, u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = h_rn(x[t]), out[32 + t] = h_rz(x[t]), out[64 + t] = h_rp(x[t]);
}
