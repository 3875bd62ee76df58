/*
A 4-byte load at an address that is no multiple of 4.

[lanescope]
[[launch]]
kernel = "misaligned"
block = 32
args = ["misaligned"]

[buffers]
misaligned = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void misaligned(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 *p = reinterpret_cast<const u32 *>(reinterpret_cast<const char *>(out) + (t == 9 ? 2 : 0));
  out[t] = *p + 1;
}
