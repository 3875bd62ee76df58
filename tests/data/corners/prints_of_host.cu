/*
Conversions that the host's printf has and the device's does not, alone or last in their calls: they are printed as they stand.

[lanescope]
grid = 1
block = 1
args = ["out"]

[buffers]
out = "u32 n:1 = zeros"
*/
#include <cstdio>
#include "corners.cuh"

__global__ void prints_of_host(u32 *out) {
  printf("%zu\n", (size_t)5);
  printf("%zx %zX|\n", (size_t)255, (size_t)255);
  printf("%lld %zu\n", 5ll, (size_t)6);
  printf("%5zu|%-5zu|\n", (size_t)5, (size_t)6);
  printf("%td\n", (long)5);
  printf("%jd\n", 5ll);
  printf("%qd\n", 5ll);
  printf("%Lf\n", 1.5);
  printf("%.*f\n", 2, 3.14159);
  printf("%.*d|\n", 3, 7);
  printf("%I64d\n", 5ll);
  printf("%*.2f|%d\n", 8, 3.14159, 7);
  printf("%lc|%hs|%.3hd|%d\n", 'c', "text", 5, 7);
  printf("%k %d\n", 5);
  out[0] = 1;
}
