/*
Intrinsics of double precision, and conversions.

[lanescope]
grid = 69
block = 256
args = { rounds = 1, row = -1, chunk = -1 }

[buffers]
digests = "u64 function:69 chunk:64 = zeros"
values = "u64 n:16384 = zeros"
*/
#include "library.cuh"

#define ARGUMENTS const double d0 = x.d(0), d1 = x.d(1), d2 = x.d(2); const int i0 = x.i(3); const u64 l0 = x.l(4);

__device__ u64 result(unsigned row, u64 number) {
  constexpr int first_row = __LINE__ + 2;
  switch (row) {
    ROW(d0)
    ROW(d1)
    ROW(d2)
    ROW(i0)
    ROW(l0)
    ROW(__dadd_rn(d0, d1))
    ROW(__dadd_rz(d0, d1))
    ROW(__dadd_ru(d0, d1))
    ROW(__dadd_rd(d0, d1))
    ROW(__dsub_rn(d0, d1))
    ROW(__dsub_rz(d0, d1))
    ROW(__dsub_ru(d0, d1))
    ROW(__dsub_rd(d0, d1))
    ROW(__dmul_rn(d0, d1))
    ROW(__dmul_rz(d0, d1))
    ROW(__dmul_ru(d0, d1))
    ROW(__dmul_rd(d0, d1))
    ROW(__ddiv_rn(d0, d1))
    ROW(__ddiv_rz(d0, d1))
    ROW(__ddiv_ru(d0, d1))
    ROW(__ddiv_rd(d0, d1))
    ROW(__drcp_rn(d0))
    ROW(__drcp_rz(d0))
    ROW(__drcp_ru(d0))
    ROW(__drcp_rd(d0))
    ROW(__dsqrt_rn(d0))
    ROW(__dsqrt_rz(d0))
    ROW(__dsqrt_ru(d0))
    ROW(__dsqrt_rd(d0))
    ROW(__fma_rn(d0, d1, d2))
    ROW(__fma_rz(d0, d1, d2))
    ROW(__fma_ru(d0, d1, d2))
    ROW(__fma_rd(d0, d1, d2))
    ROW(__double2float_rn(d0))
    ROW(__double2float_rz(d0))
    ROW(__double2float_ru(d0))
    ROW(__double2float_rd(d0))
    ROW(__double2int_rn(d0))
    ROW(__double2int_rz(d0))
    ROW(__double2int_ru(d0))
    ROW(__double2int_rd(d0))
    ROW(__double2uint_rn(d0))
    ROW(__double2uint_rz(d0))
    ROW(__double2uint_ru(d0))
    ROW(__double2uint_rd(d0))
    ROW(__double2ll_rn(d0))
    ROW(__double2ll_rz(d0))
    ROW(__double2ll_ru(d0))
    ROW(__double2ll_rd(d0))
    ROW(__double2ull_rn(d0))
    ROW(__double2ull_rz(d0))
    ROW(__double2ull_ru(d0))
    ROW(__double2ull_rd(d0))
    ROW(__ll2double_rn(static_cast<long long>(l0)))
    ROW(__ll2double_rz(static_cast<long long>(l0)))
    ROW(__ll2double_ru(static_cast<long long>(l0)))
    ROW(__ll2double_rd(static_cast<long long>(l0)))
    ROW(__ull2double_rn(l0))
    ROW(__ull2double_rz(l0))
    ROW(__ull2double_ru(l0))
    ROW(__ull2double_rd(l0))
    ROW(__int2double_rn(i0))
    ROW(__uint2double_rn(static_cast<u32>(i0)))
    ROW(__double2hiint(d0))
    ROW(__double2loint(d0))
    ROW(__hiloint2double(i0, static_cast<int>(l0)))
    ROW(static_cast<double>(x.f(5)))
    ROW(static_cast<unsigned char>(d0))
    ROW(static_cast<short>(d0))
  }
  return 0;
}

__global__ void functions(u64* digests, u64* values, int rounds, int row, int chunk) {
  add_digests(digests, values, rounds, row, chunk);
}
