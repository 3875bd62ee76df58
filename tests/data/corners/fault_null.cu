/*
A load through a null pointer.

[lanescope]
[[launch]]
kernel = "null_pointer"
block = 32
args = ["null_pointer"]

[buffers]
null_pointer = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void null_pointer(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 *p = reinterpret_cast<const u32 *>(static_cast<u64>(out[t]));
  out[t] = *p;
}
