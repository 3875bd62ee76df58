/*
printf with all kinds of conversions.

[lanescope]
[[launch]]
kernel = "printed"
block = 1
args = ["printed"]
[[launch]]
kernel = "counted_prints"
block = 1
args = ["counted_prints"]

[buffers]
printed = "u32 n:1 = zeros"
counted_prints = "u32 n:1 = zeros"
*/
#include <cstdio>
#include "corners.cuh"

__global__ void printed(u32 *out) {
  out[0] = printf("%d %5d %-5d| %05d %+d % d %i\n", 1, -2, 3, 4, 5, 6, -2147483647 - 1);
  printf("%u %x %X %#x %o %#o %08x\n", 4000000000u, 255u, 255u, 255u, 8u, 8u, 0xabcu);
  printf("%lld %llu %llx %ld %hd %hhd\n", -1ll, ~0ull, 1ull << 40, 5l, 70000, 300);
  printf("%f %.2f %10.3f %-10.1f| %+f %e %.3E %g %G %a\n", 1.5, 2.005, -3.14159, 2.25, 1e9, 12345.678, 1e-7, 1e-5, 1e20, 1.0);
  printf("%f %f %f %g %e\n", 1.0 / 0.0 * out[0], -1.0 / 0.0, 0.0 / 0.0, -0.0, 5e-324);
  printf("%s|%10s|%-10s|%.3s|%c%c|%%\n", "text", "right", "left", "truncated", 'a', 66);
  printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 2, 3.14159);
  printf("no arguments\n");
  printf("%p %s\n", nullptr, "end");
}

__global__ void counted_prints(u32 *out) {
  u32 s = 0;
  for (int k = 0; k < 3; ++k) s += printf("%d,%d\n", k, k * k);
  out[0] = s;
}
