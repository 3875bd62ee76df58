/*
A lane that the member mask of its shuffle does not name.

[lanescope]
[[launch]]
kernel = "lane_outside_mask"
block = 32
args = ["lane_outside_mask"]

[buffers]
lane_outside_mask = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void lane_outside_mask(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 m = 0xffff + out[0];
  out[t] = __shfl_sync(m, t, 3);
}
