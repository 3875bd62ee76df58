// Every shape of statement that a probe may follow, or must not.
#include <cuda_fp16.h>

struct Complexity { float re, im; };
union Bits { float f; unsigned u; };
template <int N> struct Vec { float v[N]; };
enum Mode { add_mode, mul_mode };
#define TWICE(a) ((a) + (a))
#define UNROLLED _Pragma("unroll")

template <typename T> __device__ T smaller(T a, T b) { T r = a; if (b < a) r = b; return r; }
template <> __device__ int smaller<int>(int a, int b) { return a < b ? a : b; }

__device__ void exchange(unsigned& a, unsigned& b) { const unsigned t = a; a = b; b = t; }

namespace deep { namespace er {
__device__ __noinline__ double half_of(double d) { double h = d * 0.5; return h; }
} }

struct Functor {
  float scale;
  __device__ float operator()(float v) const { float r = v * scale; return r; }
};

template <typename T, int N>
__global__ void __launch_bounds__(128, 2) shapes(const T* __restrict__ in, float* out, int n, Mode mode = add_mode) {
  unsigned x0, x1; x0 = threadIdx.x, x1 = 2u;
  if (n > 3) x0 = 5; else if (n > 2) x1 = 6; else { x0 = 7; x1 = 8; }
  for (int i = 0; i < N; ++i) if (i & 1) x0 += i; else x1 += i;
  #pragma unroll 2
  for (int i = 0; i < 4; ++i) { x0 ^= i; continue; }
  while (x0 > 1000) x0 -= 1000;
  do x1++; while (x1 < 3);
  do { --x1; } while (x1 > 100);
  switch (n & 3) { case 0: x0 = 1; break; case 1: case 2: { x1 = 2; break; } default: x0 = 3; }
  exchange(x0, x1);
  float a[4] = {1.f, 2.f, 3.f, 4.f}, b; b = a[x0 & 3];
  a[1] = b; a[x1 & 3] += 2.f;
  float4 v = make_float4(a[0], a[1], a[2], a[3]); v.x *= 2; (void)v;
  Complexity z{1.f, 2.f}; z.re = z.im;
  Bits u; u.f = b; u.u ^= 0x80000000u;
  Vec<N> w; UNROLLED for (int i = 0; i < N; ++i) w.v[i] = i;
  auto g = [&](float t) { float q = t * b; return q; }; float from_lambda = g(2.f);
  double d = deep::er::half_of(3.0); bool even = (x0 & 1) == 0; if (even) d += 1;
  const T first = in[threadIdx.x]; T second = smaller<T>(first, (T)3);
  int conditional = n > 2 ? n < 5 ? 1 : 2 : 3; long long big = 1LL << 40; char tiny = 'x'; short s2 = -2;
  __half2 h = __floats2half2_rn(b, 2.f), k; k = __hadd2(h, h);
  Functor f{3.f}; float called = f(TWICE(b));
  volatile float vol = called; vol = vol + 1.f;
  if constexpr (N > 2) { x0 = 9; } else x1 = 9;
  if (int local = n + 1; local > 2) x0 = local;
  { float inner = b; { float innermost = inner; b = innermost; } }
  goto done; done: x0 += 1; ; ;
  asm volatile("add.u32 %0, %1, 1;" : "=r"(x1) : "r"(x0));
  R"(a raw " string; x0 = 3; )"; '"'; "x1 = 4; // no";
  if (mode == mul_mode) return; else x0 = 2;
  for (float e : a) b += e;
  out[threadIdx.x] = x0 + x1 + b + v.x + z.re + u.f + w.v[0] + from_lambda + (float)d + (float)second + conditional + big + tiny + s2 + __low2float(k) + called + vol;
}

/*
[lanescope] is a word here.
*/
extern "C" __global__ void plain(float* out) { float t = out[threadIdx.x]; out[threadIdx.x] = t + 1; }
