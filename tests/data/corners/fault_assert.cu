/*
A failed assertion ends the kernel with an error.

[lanescope]
[[launch]]
kernel = "asserted"
block = 32
args = ["asserted"]

[buffers]
asserted = "u32 n:32 = zeros"
*/
#include <cassert>
#include "corners.cuh"

__global__ void asserted(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = t;
  assert(t != 7);
}
