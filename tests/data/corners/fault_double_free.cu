/*
Memory of the heap that is freed twice.

[lanescope]
[[launch]]
kernel = "double_free"
block = 32
args = ["double_free"]

[buffers]
double_free = "u32 n:1 = zeros"
*/
#include "corners.cuh"

__global__ void double_free(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    void *p = malloc(16);
    free(p);
    free(p);
  }
}
