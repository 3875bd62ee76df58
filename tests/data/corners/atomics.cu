/*
Atomic operations of every type, by one thread where their order matters.

[lanescope]
[[launch]]
kernel = "add_denormals"
block = 32
args = ["add_denormals"]
[[launch]]
kernel = "add_negative_zero"
block = 32
args = ["add_negative_zero"]
[[launch]]
kernel = "add_doubles"
block = 32
args = ["add_doubles"]
[[launch]]
kernel = "add_halves"
block = 32
args = ["add_halves"]
[[launch]]
kernel = "add_one_half"
block = 32
args = ["add_one_half"]
[[launch]]
kernel = "integers_by_all"
grid = 3
block = 64
args = ["integers_by_all"]
[[launch]]
kernel = "integers64_by_all"
grid = 2
block = 96
args = ["integers64_by_all"]
[[launch]]
kernel = "increments"
block = 32
args = ["increments"]
[[launch]]
kernel = "exchanges"
block = 32
args = ["exchanges"]
[[launch]]
kernel = "vectors_of_floats"
block = 32
args = ["vectors_of_floats"]
[[launch]]
kernel = "vectors_of_halves"
block = 32
args = ["vectors_of_halves"]
[[launch]]
kernel = "extremes_of_halves"
block = 32
args = ["extremes_of_halves"]
[[launch]]
kernel = "shared_atomics"
block = 96
args = ["shared_atomics"]
[[launch]]
kernel = "shared_half_atomics"
block = 32
args = ["shared_half_atomics"]
[[launch]]
kernel = "scopes"
block = 32
args = ["scopes"]
[[launch]]
kernel = "aggregated"
block = 64
args = ["aggregated"]
[[launch]]
kernel = "generic_atomics"
block = 32
args = ["generic_atomics"]

[buffers]
add_denormals = "u32 n:16 = zeros"
add_negative_zero = "u32 n:8 = zeros"
add_doubles = "u64 n:8 = zeros"
add_halves = "u32 n:6 = zeros"
add_one_half = "u16 n:4 = zeros"
integers_by_all = "u32 n:12 = zeros"
integers64_by_all = "u64 n:8 = zeros"
increments = "u32 n:16 = zeros"
exchanges = "u64 n:24 = zeros"
vectors_of_floats = "u32 n:12 = zeros"
vectors_of_halves = "u32 n:4 = zeros"
extremes_of_halves = "u32 n:3 = zeros"
shared_atomics = "u32 n:16 = zeros"
shared_half_atomics = "u32 n:4 = zeros"
scopes = "u32 n:6 = zeros"
aggregated = "u32 n:2 = zeros"
generic_atomics = "u32 n:4 = zeros"
*/
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "corners.cuh"

/// Sums of denormals in global and in shared memory; ptxas chooses how.
__global__ void add_denormals(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ float s[8];
  float *g = reinterpret_cast<float *>(out);
  if (t == 0) {
    for (int k = 0; k < 8; ++k) s[k] = g[k] = 0;
    const u32 v[8] = {1, 0x80000001, 0x7fffff, 0x807fffff, 0x80000000, 0x7f800001, 0x7fc12345, 0x800000};
    for (int k = 0; k < 8; ++k) atomicAdd(&g[k], __uint_as_float(v[k])), atomicAdd(&g[k], __uint_as_float(v[7 - k] & 0x807fffff)), atomicAdd(&s[k], __uint_as_float(v[k])), atomicAdd(&s[k], __uint_as_float(v[7 - k] & 0x807fffff));
    for (int k = 0; k < 8; ++k) out[8 + k] = __float_as_uint(s[k]);
  }
}

__global__ void add_negative_zero(u32 *out) {
  const u32 t = threadIdx.x;
  float *g = reinterpret_cast<float *>(out);
  if (t == 0) {
    out[0] = 0x80000000, out[1] = 0x80000000, out[2] = 0, out[3] = 0x3f800000;
    out[4] = __float_as_uint(atomicAdd(&g[0], -0.0f)), out[5] = __float_as_uint(atomicAdd(&g[1], 0.0f)), out[6] = __float_as_uint(atomicAdd(&g[2], -0.0f)), out[7] = __float_as_uint(atomicAdd(&g[3], -1.0f));
  }
}

__global__ void add_doubles(u64 *out) {
  const u32 t = threadIdx.x;
  double *g = reinterpret_cast<double *>(out);
  if (t == 0) {
    out[0] = 1, out[1] = 0x8000000000000000, out[2] = 0x7ff0000000000000, out[3] = 0x7ff8000000000123;
    for (int k = 0; k < 4; ++k) out[4 + k] = __double_as_longlong(atomicAdd(&g[k], k == 2 ? -__longlong_as_double(0x7ff0000000000000) : __longlong_as_double(3)));
  }
}

/// atom.add.noftz of f16, f16x2, bf16 and bf16x2.
__global__ void add_halves(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    out[0] = 0x00010001, out[1] = 0x7bff8001, out[2] = 0x00010001, out[3] = 0x7f7f8001;
    __half2 *h = reinterpret_cast<__half2 *>(out);
    __nv_bfloat162 *b = reinterpret_cast<__nv_bfloat162 *>(out + 2);
    const __half2 ho = atomicAdd(&h[0], __halves2half2(__ushort_as_half(1), __ushort_as_half(0x8003)));
    atomicAdd(&h[1], __halves2half2(__ushort_as_half(0x8001), __ushort_as_half(0x7bff)));
    const __nv_bfloat162 bo = atomicAdd(&b[0], __halves2bfloat162(__ushort_as_bfloat16(1), __ushort_as_bfloat16(0x8003)));
    atomicAdd(&b[1], __halves2bfloat162(__ushort_as_bfloat16(0x8001), __ushort_as_bfloat16(0x7f7f)));
    out[4] = *reinterpret_cast<const u32 *>(&ho), out[5] = *reinterpret_cast<const u32 *>(&bo);
  }
}

/// A half at an odd 16-bit place.
__global__ void add_one_half(u16 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    out[0] = 0x3c00, out[1] = 0x3c00, out[2] = 0x4000;
    out[3] = __half_as_ushort(atomicAdd(reinterpret_cast<__half *>(&out[1]), __float2half(2.5f)));
    atomicAdd(reinterpret_cast<__nv_bfloat16 *>(&out[2]), __float2bfloat16(1.0f));
  }
}

/// Sums, extremes and bits by all threads: the order does not matter.
__global__ void integers_by_all(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 v = (blockIdx.x * 64 + t) * 2654435761u;
  if (v == 0) return;
  atomicAdd(&out[0], v), atomicSub(&out[1], v), atomicMax(&out[2], v), atomicMax(reinterpret_cast<int *>(&out[3]), static_cast<int>(v));
  atomicMin(reinterpret_cast<int *>(&out[4]), static_cast<int>(v)), atomicOr(&out[5], 1u << v % 29), atomicXor(&out[6], v), atomicAdd(&out[7], 1);
  atomicMin(&out[8], v), atomicAnd(&out[9], v), atomicInc(&out[10], 1000), atomicDec(&out[11], 150);
}

__global__ void integers64_by_all(u64 *out) {
  const u32 t = threadIdx.x;
  const u64 v = (blockIdx.x * 96 + t + 1) * 0x9e3779b97f4a7c15ull;
  long long *s = reinterpret_cast<long long *>(out);
  atomicAdd(&out[0], v), atomicMax(&out[1], v), atomicMax(&s[2], static_cast<long long>(v)), atomicMin(&s[3], static_cast<long long>(v)), atomicOr(&out[4], v & 0x8000000100000001), atomicXor(&out[5], v), atomicMin(&out[6], v), atomicAnd(&out[7], v);
}

/// inc and dec wrap at their bound.
__global__ void increments(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    u32 m = 3, k = 0;
    for (u32 bound : {5u, 5u, 5u, 3u, 0u, 0xffffffffu}) out[k++] = atomicInc(&out[15], bound) * 100 + out[15];
    for (u32 bound : {5u, 5u, 0u, 7u, 0xffffffffu, 2u}) out[k++] = atomicDec(&out[15], bound) * 100 + out[15];
    out[k] = m;
  }
}

/// cas and exch of 16, 32, 64 and 128 bits.
__global__ void exchanges(u64 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    out[0] = 0x1122334455667788;
    u16 *h = reinterpret_cast<u16 *>(out);
    u32 *w = reinterpret_cast<u32 *>(out);
    out[4] = atomicCAS(&h[1], static_cast<u16>(0x5566), static_cast<u16>(0xabcd)), out[5] = out[0];
    out[6] = atomicCAS(&h[1], static_cast<u16>(0x5566), static_cast<u16>(0x9999)), out[7] = out[0];
    out[8] = atomicCAS(&w[1], 0x11223344u, 7u), out[9] = atomicExch(&w[0], 5u), out[10] = out[0];
    out[11] = atomicCAS(&out[0], 0x700000005ull, 1ull), out[12] = atomicExch(&out[0], ~0ull), out[13] = out[0];
    u64 lo, hi;
    asm volatile("{ .reg .b128 a, b, d; mov.b128 a, {%3, %4}; mov.b128 b, {%5, %6}; atom.global.cas.b128 d, [%2], a, b; mov.b128 {%0, %1}, d; }" : "=l"(lo), "=l"(hi) : "l"(&out[0]), "l"(~0ull), "l"(0ull), "l"(17ull), "l"(18ull) : "memory");
    out[14] = lo, out[15] = hi, out[16] = out[0], out[17] = out[1];
    asm volatile("{ .reg .b128 b, d; mov.b128 b, {%3, %4}; atom.global.exch.b128 d, [%2], b; mov.b128 {%0, %1}, d; }" : "=l"(lo), "=l"(hi) : "l"(&out[0]), "l"(3ull), "l"(4ull) : "memory");
    out[18] = lo, out[19] = hi, out[20] = out[0], out[21] = out[1];
  }
}

/// atom.v4.f32 and red.v2.f32 of sm_90.
__global__ void vectors_of_floats(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    float *g = reinterpret_cast<float *>(out);
    g[0] = 1, g[1] = -0.0f, g[2] = 1e38f, g[3] = __uint_as_float(5);
    float a, b, c, d;
    asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(g), "f"(0.5f), "f"(-0.0f), "f"(3e38f), "f"(__uint_as_float(3)) : "memory");
    g[4] = a, g[5] = b, g[6] = c, g[7] = d, g[8] = 2, g[9] = 3;
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(g + 8), "f"(0.25f), "f"(-3.0f) : "memory");
  }
}

__global__ void vectors_of_halves(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    out[0] = 0x3c003c00, out[1] = 0x00010001, out[2] = 0x7bff7bff, out[3] = 0x80000000;
    asm volatile("red.global.v4.f16x2.add.noftz [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(0x3c000001), "r"(0x00010001), "r"(0x7bff0400), "r"(0x80008000) : "memory");
  }
}

/// red of min and max on packed halves.
__global__ void extremes_of_halves(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    out[0] = 0x7e003c00, out[1] = 0x80000000, out[2] = 0x00008000;
    asm volatile("red.global.v2.f16x2.min.noftz [%0], {%1, %2};" ::"l"(out), "r"(0x40000000), "r"(0x00008000) : "memory");
  }
}

__global__ void shared_atomics(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[16];
  __shared__ u64 l[2];
  if (t < 16) s[t] = t == 4 ? 0xffffffff : 0;
  if (t < 2) l[t] = t;
  __syncthreads();
  atomicAdd(&s[0], t), atomicMax(&s[1], t * 77 % 96), atomicXor(&s[2], t << t % 7), atomicOr(&s[3], 1u << t % 32), atomicMin(&s[4], 500 - t), atomicInc(&s[5], 50), atomicAdd(&l[0], t * 0x100000001ull), atomicMax(&l[1], t * 0x123456789ull);
  __syncthreads();
  if (t < 12) out[t] = s[t];
  if (t < 2) out[12 + 2 * t] = l[t], out[13 + 2 * t] = l[t] >> 32;
}

__global__ void shared_half_atomics(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ __half2 h;
  __shared__ __nv_bfloat162 b;
  __shared__ double d;
  if (t == 0) h = __float2half2_rn(0), b = __float2bfloat162_rn(0), d = 0;
  __syncwarp();
  atomicAdd(&h, __float2half2_rn(0.25f)), atomicAdd(&b, __float2bfloat162_rn(0.5f)), atomicAdd(&d, 0.125);
  __syncwarp();
  if (t == 0) out[0] = *reinterpret_cast<u32 *>(&h), out[1] = *reinterpret_cast<u32 *>(&b), out[2] = __double2hiint(d), out[3] = __double2loint(d);
}

/// Orders and scopes change nothing for one thread.
__global__ void scopes(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    u32 r;
    asm volatile("atom.acq_rel.sys.global.add.u32 %0, [%1], 5;" : "=r"(r) : "l"(out) : "memory");
    asm volatile("atom.relaxed.cta.global.max.s32 %0, [%1], -3;" : "=r"(out[1]) : "l"(out) : "memory");
    asm volatile("red.release.gpu.global.or.b32 [%0], 0xf0;" ::"l"(out) : "memory");
    asm volatile("atom.acquire.gpu.global.and.b32 %0, [%1], 0x3c;" : "=r"(out[2]) : "l"(out) : "memory");
    asm volatile("fence.sc.sys; fence.acq_rel.gpu; membar.cta; fence.proxy.alias;" ::: "memory");
    asm volatile("atom.global.exch.b64 %0, [%1], 99;" : "=l"(*reinterpret_cast<u64 *>(out + 4)) : "l"(reinterpret_cast<u64 *>(out)) : "memory");
    out[3] = r;
  }
}

/// Lanes of a warp add together.
__global__ void aggregated(u32 *out) {
  const u32 t = threadIdx.x;
  if (t % 3 != 0) {
    const u32 old = atomicAdd(&out[0], 1);
    atomicMax(&out[1], old);
  }
}

/// One address may be shared or global memory.
__global__ void generic_atomics(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s;
  if (t == 0) s = 10;
  __syncwarp();
  u32 *p = t % 2 ? &s : out;
  atomicAdd(p, t);
  __syncwarp();
  if (t == 0) out[1] = s;
}
