/*
trap ends the kernel with an error.

[lanescope]
[[launch]]
kernel = "trapped"
block = 32
args = ["trapped"]

[buffers]
trapped = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void trapped(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = t;
  if (t == 5) __trap();
}
