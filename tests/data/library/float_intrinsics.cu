/*
Intrinsics of single precision, and conversions.

[lanescope]
grid = 86
block = 256
args = { rounds = 1, row = -1, chunk = -1 }

[buffers]
digests = "u64 function:86 chunk:64 = zeros"
values = "u64 n:16384 = zeros"
*/
#include "library.cuh"

__device__ u64 fast_sincos_of(float a) {
  float s = 0, c = 0;
  __sincosf(a, &s, &c);
  return both(s, c);
}

#define ARGUMENTS const float f0 = x.f(0), f1 = x.f(1), f2 = x.f(2); const int i0 = x.i(3); const u64 l0 = x.l(4);

__device__ u64 result(unsigned row, u64 number) {
  constexpr int first_row = __LINE__ + 2;
  switch (row) {
    ROW(f0)
    ROW(f1)
    ROW(f2)
    ROW(i0)
    ROW(l0)
    ROW(__cosf(f0))
    ROW(__sinf(f0))
    ROW(__tanf(f0))
    ROW(__tanhf(f0))
    ROW(__expf(f0))
    ROW(__exp10f(f0))
    ROW(__logf(f0))
    ROW(__log2f(f0))
    ROW(__log10f(f0))
    ROW(__saturatef(f0))
    ROW(__frsqrt_rn(f0))
    ROW(fast_sincos_of(f0))
    ROW(__powf(f0, f1))
    ROW(__fdividef(f0, f1))
    ROW(__fadd_rn(f0, f1))
    ROW(__fadd_rz(f0, f1))
    ROW(__fadd_ru(f0, f1))
    ROW(__fadd_rd(f0, f1))
    ROW(__fsub_rn(f0, f1))
    ROW(__fsub_rz(f0, f1))
    ROW(__fsub_ru(f0, f1))
    ROW(__fsub_rd(f0, f1))
    ROW(__fmul_rn(f0, f1))
    ROW(__fmul_rz(f0, f1))
    ROW(__fmul_ru(f0, f1))
    ROW(__fmul_rd(f0, f1))
    ROW(__fdiv_rn(f0, f1))
    ROW(__fdiv_rz(f0, f1))
    ROW(__fdiv_ru(f0, f1))
    ROW(__fdiv_rd(f0, f1))
    ROW(__frcp_rn(f0))
    ROW(__frcp_rz(f0))
    ROW(__frcp_ru(f0))
    ROW(__frcp_rd(f0))
    ROW(__fsqrt_rn(f0))
    ROW(__fsqrt_rz(f0))
    ROW(__fsqrt_ru(f0))
    ROW(__fsqrt_rd(f0))
    ROW(__fmaf_rn(f0, f1, f2))
    ROW(__fmaf_rz(f0, f1, f2))
    ROW(__fmaf_ru(f0, f1, f2))
    ROW(__fmaf_rd(f0, f1, f2))
    ROW(__fmaf_ieee_rn(f0, f1, f2))
    ROW(__fmaf_ieee_rz(f0, f1, f2))
    ROW(__fmaf_ieee_ru(f0, f1, f2))
    ROW(__fmaf_ieee_rd(f0, f1, f2))
    ROW(__float2int_rn(f0))
    ROW(__float2int_rz(f0))
    ROW(__float2int_ru(f0))
    ROW(__float2int_rd(f0))
    ROW(__float2uint_rn(f0))
    ROW(__float2uint_rz(f0))
    ROW(__float2uint_ru(f0))
    ROW(__float2uint_rd(f0))
    ROW(__float2ll_rn(f0))
    ROW(__float2ll_rz(f0))
    ROW(__float2ll_ru(f0))
    ROW(__float2ll_rd(f0))
    ROW(__float2ull_rn(f0))
    ROW(__float2ull_rz(f0))
    ROW(__float2ull_ru(f0))
    ROW(__float2ull_rd(f0))
    ROW(__int2float_rn(i0))
    ROW(__int2float_rz(i0))
    ROW(__int2float_ru(i0))
    ROW(__int2float_rd(i0))
    ROW(__uint2float_rn(static_cast<u32>(i0)))
    ROW(__uint2float_rz(static_cast<u32>(i0)))
    ROW(__uint2float_ru(static_cast<u32>(i0)))
    ROW(__uint2float_rd(static_cast<u32>(i0)))
    ROW(__ll2float_rn(static_cast<long long>(l0)))
    ROW(__ll2float_rz(static_cast<long long>(l0)))
    ROW(__ll2float_ru(static_cast<long long>(l0)))
    ROW(__ll2float_rd(static_cast<long long>(l0)))
    ROW(__ull2float_rn(l0))
    ROW(__ull2float_rz(l0))
    ROW(__ull2float_ru(l0))
    ROW(__ull2float_rd(l0))
    ROW(static_cast<float>(static_cast<short>(i0)))
    ROW(static_cast<unsigned char>(f0))
    ROW(static_cast<short>(f0))
  }
  return 0;
}

__global__ void functions(u64* digests, u64* values, int rounds, int row, int chunk) {
  add_digests(digests, values, rounds, row, chunk);
}
