#pragma once
// Short names for the kernels in this folder.

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

// Functions of one PTX instruction: result, then operands, of 16 (h), 32 (r, f) or 64 bits (l, d).
#define UNARY(name, ptx, R, r, A, a) \
  __device__ __forceinline__ R name(A x) { \
    R y; \
    asm volatile(ptx " %0, %1;" : "=" r(y) : a(x)); \
    return y; \
  }
#define BINARY(name, ptx, R, r, A, a, B, b) \
  __device__ __forceinline__ R name(A x, B y) { \
    R z; \
    asm volatile(ptx " %0, %1, %2;" : "=" r(z) : a(x), b(y)); \
    return z; \
  }
#define TERNARY(name, ptx, R, r, A, a, B, b, C, c) \
  __device__ __forceinline__ R name(A x, B y, C z) { \
    R w; \
    asm volatile(ptx " %0, %1, %2, %3;" : "=" r(w) : a(x), b(y), c(z)); \
    return w; \
  }
#define U1(name, ptx) UNARY(name, ptx, u32, "r", u32, "r")
#define U2(name, ptx) BINARY(name, ptx, u32, "r", u32, "r", u32, "r")
#define U3(name, ptx) TERNARY(name, ptx, u32, "r", u32, "r", u32, "r", u32, "r")
#define L1(name, ptx) UNARY(name, ptx, u64, "l", u64, "l")
#define L2(name, ptx) BINARY(name, ptx, u64, "l", u64, "l", u64, "l")
#define L3(name, ptx) TERNARY(name, ptx, u64, "l", u64, "l", u64, "l", u64, "l")
#define H1(name, ptx) UNARY(name, ptx, u16, "h", u16, "h")
#define H2(name, ptx) BINARY(name, ptx, u16, "h", u16, "h", u16, "h")
#define H3(name, ptx) TERNARY(name, ptx, u16, "h", u16, "h", u16, "h", u16, "h")
#define F1(name, ptx) UNARY(name, ptx, float, "f", float, "f")
#define F2(name, ptx) BINARY(name, ptx, float, "f", float, "f", float, "f")
#define F3(name, ptx) TERNARY(name, ptx, float, "f", float, "f", float, "f", float, "f")
#define D1(name, ptx) UNARY(name, ptx, double, "d", double, "d")
#define D2(name, ptx) BINARY(name, ptx, double, "d", double, "d", double, "d")
#define D3(name, ptx) TERNARY(name, ptx, double, "d", double, "d", double, "d", double, "d")

/// Folds a value into a sum of results.
__device__ __forceinline__ void fold(u32& sum, u32 value) { sum = (sum ^ value) * 16777619u + 1; }
__device__ __forceinline__ void fold(u32& sum, int value) { fold(sum, static_cast<u32>(value)); }
__device__ __forceinline__ void fold(u32& sum, u64 value) {
  fold(sum, static_cast<u32>(value));
  fold(sum, static_cast<u32>(value >> 32));
}
__device__ __forceinline__ void fold(u32& sum, float value) { fold(sum, __float_as_uint(value)); }
__device__ __forceinline__ void fold(u32& sum, double value) { fold(sum, static_cast<u64>(__double_as_longlong(value))); }
__device__ __forceinline__ void fold(u32& sum, u16 value) { fold(sum, static_cast<u32>(value)); }
