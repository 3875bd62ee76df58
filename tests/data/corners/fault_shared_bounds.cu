/*
A store beyond the shared memory of the block.

[lanescope]
[[launch]]
kernel = "shared_bounds"
block = 32
args = ["shared_bounds"]

[buffers]
shared_bounds = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void shared_bounds(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[32];
  s[t == 30 ? (1u << 20) + out[0] : t] = t;
  __syncwarp();
  out[t] = s[31 - t];
}
