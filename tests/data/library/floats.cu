/*
Functions of single precision.

[lanescope]
grid = 94
block = 256
args = { rounds = 1, row = -1, chunk = -1 }

[buffers]
digests = "u64 function:94 chunk:64 = zeros"
values = "u64 n:16384 = zeros"
*/
#include "library.cuh"

__device__ float norm_of(float a, float b, float c, float d) {
  const float v[] = {a, b, c, d};
  return normf(4, v);
}
__device__ float rnorm_of(float a, float b, float c, float d) {
  const float v[] = {a, b, c, d};
  return rnormf(4, v);
}
__device__ u64 frexp_of(float a) {
  int n = 0;
  const float m = frexpf(a, &n);
  return both(m, n);
}
__device__ u64 modf_of(float a) {
  float whole = 0;
  const float part = modff(a, &whole);
  return both(part, whole);
}
__device__ u64 remquo_of(float a, float b) {
  int n = 0;
  const float rest = remquof(a, b, &n);
  return both(rest, n & 7);
}
__device__ u64 sincos_of(float a) {
  float s = 0, c = 0;
  sincosf(a, &s, &c);
  return both(s, c);
}
__device__ u64 sincospi_of(float a) {
  float s = 0, c = 0;
  sincospif(a, &s, &c);
  return both(s, c);
}

#define ARGUMENTS const float f0 = x.f(0), f1 = x.f(1), f2 = x.f(2), f3 = x.f(3); const int n = x.small(4);

__device__ u64 result(unsigned row, u64 number) {
  constexpr int first_row = __LINE__ + 2;
  switch (row) {
    ROW(f0)
    ROW(f1)
    ROW(f2)
    ROW(f3)
    ROW(acosf(f0))
    ROW(acoshf(f0))
    ROW(asinf(f0))
    ROW(asinhf(f0))
    ROW(atanf(f0))
    ROW(atanhf(f0))
    ROW(cbrtf(f0))
    ROW(ceilf(f0))
    ROW(cosf(f0))
    ROW(coshf(f0))
    ROW(cospif(f0))
    ROW(cyl_bessel_i0f(f0))
    ROW(cyl_bessel_i1f(f0))
    ROW(erfcf(f0))
    ROW(erfcinvf(f0))
    ROW(erfcxf(f0))
    ROW(erff(f0))
    ROW(erfinvf(f0))
    ROW(exp10f(f0))
    ROW(exp2f(f0))
    ROW(expf(f0))
    ROW(expm1f(f0))
    ROW(fabsf(f0))
    ROW(floorf(f0))
    ROW(j0f(f0))
    ROW(j1f(f0))
    ROW(lgammaf(f0))
    ROW(log10f(f0))
    ROW(log1pf(f0))
    ROW(log2f(f0))
    ROW(logbf(f0))
    ROW(logf(f0))
    ROW(nearbyintf(f0))
    ROW(normcdff(f0))
    ROW(normcdfinvf(f0))
    ROW(rcbrtf(f0))
    ROW(rintf(f0))
    ROW(roundf(f0))
    ROW(rsqrtf(f0))
    ROW(sinf(f0))
    ROW(sinhf(f0))
    ROW(sinpif(f0))
    ROW(sqrtf(f0))
    ROW(tanf(f0))
    ROW(tanhf(f0))
    ROW(tgammaf(f0))
    ROW(truncf(f0))
    ROW(y0f(f0))
    ROW(y1f(f0))
    ROW(ilogbf(f0))
    ROW(lrintf(f0))
    ROW(lroundf(f0))
    ROW(llrintf(f0))
    ROW(llroundf(f0))
    ROW(isfinite(f0))
    ROW(isinf(f0))
    ROW(isnan(f0))
    ROW(signbit(f0))
    ROW(atan2f(f0, f1))
    ROW(copysignf(f0, f1))
    ROW(fdimf(f0, f1))
    ROW(fmaxf(f0, f1))
    ROW(fminf(f0, f1))
    ROW(fmodf(f0, f1))
    ROW(hypotf(f0, f1))
    ROW(nextafterf(f0, f1))
    ROW(powf(f0, f1))
    ROW(remainderf(f0, f1))
    ROW(rhypotf(f0, f1))
    ROW(fdividef(f0, f1))
    ROW(f0 / f1)
    ROW(fmaf(f0, f1, f2))
    ROW(f0 * f1 + f2)
    ROW(norm3df(f0, f1, f2))
    ROW(rnorm3df(f0, f1, f2))
    ROW(norm4df(f0, f1, f2, f3))
    ROW(rnorm4df(f0, f1, f2, f3))
    ROW(norm_of(f0, f1, f2, f3))
    ROW(rnorm_of(f0, f1, f2, f3))
    ROW(ldexpf(f0, n))
    ROW(scalbnf(f0, n))
    ROW(scalblnf(f0, n))
    ROW(jnf(n & 7, f0))
    ROW(ynf(n & 7, f0))
    ROW(powf(f0, n))
    ROW(frexp_of(f0))
    ROW(modf_of(f0))
    ROW(remquo_of(f0, f1))
    ROW(sincos_of(f0))
    ROW(sincospi_of(f0))
  }
  return 0;
}

__global__ void functions(u64* digests, u64* values, int rounds, int row, int chunk) {
  add_digests(digests, values, rounds, row, chunk);
}
