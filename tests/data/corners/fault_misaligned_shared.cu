/*
An 8-byte store to shared memory at an address that is no multiple of 8.

[lanescope]
[[launch]]
kernel = "misaligned_shared"
block = 32
args = ["misaligned_shared"]

[buffers]
misaligned_shared = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void misaligned_shared(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ __align__(8) u32 s[66];
  *reinterpret_cast<u64 *>(s + t * 2 + (t == 3)) = t;
  __syncwarp();
  out[t] = s[t];
}
