/*
Lanes of one warp wait for each other at different operations.

[lanescope]
[[launch]]
kernel = "two_operations"
block = 32
args = ["two_operations"]

[buffers]
two_operations = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void two_operations(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v;
  if (out[t] + t < 16) {
    v = __shfl_xor_sync(~0u, t, 1);
    out[t] = v + 1;
  } else {
    v = __ballot_sync(~0u, t % 2);
    out[t] = v;
  }
}
