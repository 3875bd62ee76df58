/*
Functions of double precision.

[lanescope]
grid = 93
block = 256
args = { rounds = 1, row = -1, chunk = -1 }

[buffers]
digests = "u64 function:93 chunk:64 = zeros"
values = "u64 n:16384 = zeros"
*/
#include "library.cuh"

/// Of b, with an exponent of at most 127 below that of a: the loops of remainders take a step for each bit.
__device__ double nearer(double a, double b) {
  const u64 x = bits(a), y = bits(b);
  const int distance = static_cast<int>(x >> 52 & 2047) - static_cast<int>(y >> 52 & 127);
  return distance > 0 ? __longlong_as_double(static_cast<long long>(y & 0x800fffffffffffff | static_cast<u64>(distance) << 52)) : b;
}

__device__ double norm_of(double a, double b, double c, double d) {
  const double v[] = {a, b, c, d};
  return norm(4, v);
}
__device__ double rnorm_of(double a, double b, double c, double d) {
  const double v[] = {a, b, c, d};
  return rnorm(4, v);
}
__device__ u64 frexp_of(double a) {
  int n = 0;
  const double m = frexp(a, &n);
  return both(m, n);
}
__device__ u64 modf_of(double a) {
  double whole = 0;
  const double part = modf(a, &whole);
  return both(part, whole);
}
__device__ u64 remquo_of(double a, double b) {
  int n = 0;
  const double rest = remquo(a, b, &n);
  return both(rest, n & 7);
}
__device__ u64 sincos_of(double a) {
  double s = 0, c = 0;
  sincos(a, &s, &c);
  return both(s, c);
}
__device__ u64 sincospi_of(double a) {
  double s = 0, c = 0;
  sincospi(a, &s, &c);
  return both(s, c);
}

#define ARGUMENTS const double d0 = x.d(0), d1 = x.d(1), d2 = x.d(2), d3 = x.d(3); const int n = x.small(4);

__device__ u64 result(unsigned row, u64 number) {
  constexpr int first_row = __LINE__ + 2;
  switch (row) {
    ROW(d0)
    ROW(d1)
    ROW(d2)
    ROW(d3)
    ROW(acos(d0))
    ROW(acosh(d0))
    ROW(asin(d0))
    ROW(asinh(d0))
    ROW(atan(d0))
    ROW(atanh(d0))
    ROW(cbrt(d0))
    ROW(ceil(d0))
    ROW(cos(d0))
    ROW(cosh(d0))
    ROW(cospi(d0))
    ROW(cyl_bessel_i0(d0))
    ROW(cyl_bessel_i1(d0))
    ROW(erfc(d0))
    ROW(erfcinv(d0))
    ROW(erfcx(d0))
    ROW(erf(d0))
    ROW(erfinv(d0))
    ROW(exp10(d0))
    ROW(exp2(d0))
    ROW(exp(d0))
    ROW(expm1(d0))
    ROW(fabs(d0))
    ROW(floor(d0))
    ROW(j0(d0))
    ROW(j1(d0))
    ROW(lgamma(d0))
    ROW(log10(d0))
    ROW(log1p(d0))
    ROW(log2(d0))
    ROW(logb(d0))
    ROW(log(d0))
    ROW(nearbyint(d0))
    ROW(normcdf(d0))
    ROW(normcdfinv(d0))
    ROW(rcbrt(d0))
    ROW(rint(d0))
    ROW(round(d0))
    ROW(rsqrt(d0))
    ROW(sin(d0))
    ROW(sinh(d0))
    ROW(sinpi(d0))
    ROW(sqrt(d0))
    ROW(tan(d0))
    ROW(tanh(d0))
    ROW(tgamma(d0))
    ROW(trunc(d0))
    ROW(y0(d0))
    ROW(y1(d0))
    ROW(ilogb(d0))
    ROW(lrint(d0))
    ROW(lround(d0))
    ROW(llrint(d0))
    ROW(llround(d0))
    ROW(isfinite(d0))
    ROW(isinf(d0))
    ROW(isnan(d0))
    ROW(signbit(d0))
    ROW(atan2(d0, d1))
    ROW(copysign(d0, d1))
    ROW(fdim(d0, d1))
    ROW(fmax(d0, d1))
    ROW(fmin(d0, d1))
    ROW(fmod(d0, nearer(d0, d1)))
    ROW(hypot(d0, d1))
    ROW(nextafter(d0, d1))
    ROW(pow(d0, d1))
    ROW(remainder(d0, nearer(d0, d1)))
    ROW(rhypot(d0, d1))
    ROW(d0 / d1)
    ROW(fma(d0, d1, d2))
    ROW(d0 * d1 + d2)
    ROW(norm3d(d0, d1, d2))
    ROW(rnorm3d(d0, d1, d2))
    ROW(norm4d(d0, d1, d2, d3))
    ROW(rnorm4d(d0, d1, d2, d3))
    ROW(norm_of(d0, d1, d2, d3))
    ROW(rnorm_of(d0, d1, d2, d3))
    ROW(ldexp(d0, n))
    ROW(scalbn(d0, n))
    ROW(scalbln(d0, n))
    ROW(jn(n & 7, d0))
    ROW(yn(n & 7, d0))
    ROW(pow(d0, n))
    ROW(frexp_of(d0))
    ROW(modf_of(d0))
    ROW(remquo_of(d0, nearer(d0, d1)))
    ROW(sincos_of(d0))
    ROW(sincospi_of(d0))
  }
  return 0;
}

__global__ void functions(u64* digests, u64* values, int rounds, int row, int chunk) {
  add_digests(digests, values, rounds, row, chunk);
}
