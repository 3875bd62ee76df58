#pragma once
// One kernel evaluates all functions of a file: block r gives row r all inputs, and adds digests of results and input numbers
// to digests[r], one for each of 64 chunks. A sum does not depend on the order of threads.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

constexpr int chunks = 64, threads = 256;

__device__ __forceinline__ u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

__constant__ const u32 special_floats[32] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0xbf000000, 0x40000000, 0xc0000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fd55555,
    0x40490fdb, 0x3fc90fdb, 0x42b17218, 0xc2aeac50, 0x4b000000, 0xcb000001, 0x4f000000, 0x5f000000};
__constant__ const u64 special_doubles[32] = {
    0,                  0x8000000000000000, 1,                  0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001,
    0x3fe0000000000000, 0xbfe0000000000000, 0x4000000000000000, 0xc000000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0x7ffaaaaaaaaaaaaa,
    0x400921fb54442d18, 0x3ff921fb54442d18, 0x40862e42fefa39ef, 0xc0874910d52d3051, 0x4330000000000000, 0xc330000000000001,
    0x41e0000000000000, 0x43e0000000000000};

/// Arguments of one input: an eighth of them are special, most others have any bits or a value between 2^-8 and 2^8.
struct Input {
  u64 number;

  __device__ __forceinline__ u64 random(u32 k) const { return mixed((number * 8 + k) * 0x9e3779b97f4a7c15u + 1); }

  __device__ __forceinline__ float f(u32 k) const {
    const u64 r = random(k);
    u32 x = static_cast<u32>(r);
    if (r >> 61 == 0)
      x = special_floats[x >> 27];
    else if (r >> 61 > 3)
      x = (x & 0x807fffffu) | (119u + static_cast<u32>(r >> 32 & 15)) << 23;
    return __uint_as_float(x);
  }
  __device__ __forceinline__ double d(u32 k) const {
    const u64 r = random(k);
    u64 x = mixed(r);
    if (r >> 61 == 0)
      x = special_doubles[x >> 59];
    else if (r >> 61 > 3)
      x = (x & 0x800fffffffffffffu) | (1015u + (r >> 32 & 15)) << 52;
    return __longlong_as_double(static_cast<long long>(x));
  }
  __device__ __forceinline__ u16 half_bits(u32 k) const { return static_cast<u16>(random(k) >> 20); }
  __device__ __forceinline__ __half h(u32 k) const { return __ushort_as_half(half_bits(k)); }
  __device__ __forceinline__ __half2 h2(u32 k) const { return __halves2half2(h(k), h(k + 4)); }
  __device__ __forceinline__ __nv_bfloat16 b(u32 k) const {
    return __ushort_as_bfloat16(static_cast<u16>(__float_as_uint(f(k)) >> 16));
  }
  __device__ __forceinline__ __nv_bfloat162 b2(u32 k) const { return __halves2bfloat162(b(k), b(k + 4)); }
  /// Any bits, or fewer digits.
  __device__ __forceinline__ u64 l(u32 k) const {
    const u64 r = random(k);
    return r & 1 ? mixed(r) : mixed(r) >> (r >> 58);
  }
  __device__ __forceinline__ int i(u32 k) const { return static_cast<int>(l(k)); }
  /// From -16 to 15.
  __device__ __forceinline__ int small(u32 k) const { return static_cast<int>(random(k) >> 59) - 16; }
};

__device__ __forceinline__ u64 bits(float x) { return __float_as_uint(x); }
/// A NaN as one: of two that are operands the result has the bits of the one that ptxas puts second.
__device__ __forceinline__ u64 bits(double x) {
  return x == x ? static_cast<u64>(__double_as_longlong(x)) : 0x7ff8000000000000u;
}
__device__ __forceinline__ u64 bits(__half x) { return __half_as_ushort(x); }
__device__ __forceinline__ u64 bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ __forceinline__ u64 bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
__device__ __forceinline__ u64 bits(__nv_bfloat162 x) { return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16; }
__device__ __forceinline__ u64 bits(bool x) { return x; }
__device__ __forceinline__ u64 bits(signed char x) { return static_cast<u64>(x); }
__device__ __forceinline__ u64 bits(unsigned char x) { return x; }
__device__ __forceinline__ u64 bits(short x) { return static_cast<u64>(x); }
__device__ __forceinline__ u64 bits(u16 x) { return x; }
__device__ __forceinline__ u64 bits(int x) { return static_cast<u64>(x); }
__device__ __forceinline__ u64 bits(u32 x) { return x; }
__device__ __forceinline__ u64 bits(long x) { return static_cast<u64>(x); }
__device__ __forceinline__ u64 bits(unsigned long x) { return x; }
__device__ __forceinline__ u64 bits(long long x) { return static_cast<u64>(x); }
__device__ __forceinline__ u64 bits(u64 x) { return x; }
/// Two results in one.
template <class A, class B>
__device__ __forceinline__ u64 both(A a, B b) {
  return mixed(bits(a)) + bits(b);
}

/// Not inlined, so that the compiler needs less time.
template <class Function>
__device__ __noinline__ u64 result_of(Function function, u64 number) {
  return function(Input{number});
}

/// A row of `result`, one a line.
#define ROW(...)              \
  case __LINE__ - first_row:  \
    return result_of([](Input x) { ARGUMENTS return bits(__VA_ARGS__); }, number);

__device__ u64 result(unsigned row, u64 number);

/// Adds to `digests` of 64 chunks of `rounds` x 256 inputs. Results of one chunk of one row are stored in `values`; -1: of none.
__device__ __forceinline__ void add_digests(u64* digests, u64* values, int rounds, int row, int shown) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    u64 sum = 0;
    for (int round = 0; round < rounds; ++round) {
      const u64 number = static_cast<u64>(chunk * rounds + round) * threads + threadIdx.x;
      const u64 value = result(blockIdx.x, number);
      sum += mixed(value + number * 0x9e3779b97f4a7c15u);
      if (chunk == shown && static_cast<int>(blockIdx.x) == row) values[round * threads + threadIdx.x] = value;
    }
    atomicAdd(&digests[blockIdx.x * chunks + chunk], sum);
  }
}
