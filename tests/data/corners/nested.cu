/*
Grids that launch grids: their order.

[lanescope]
[[launch]]
kernel = "in_order"
block = 32
args = ["in_order"]
[[launch]]
kernel = "in_order_at_the_tail"
block = 32
args = ["in_order_at_the_tail"]
[[launch]]
kernel = "grids_of_grids"
block = 32
args = ["grids_of_grids"]

[buffers]
in_order = "u32 n:32 = zeros"
in_order_at_the_tail = "u32 n:32 = zeros"
grids_of_grids = "u32 n:8 = zeros"
*/
#include "corners.cuh"
__global__ void add_one(u32 *p) { atomicAdd(p + threadIdx.x, 1); }
__global__ void times_three(u32 *p) { p[threadIdx.x] *= 3; }
__global__ void tree(u32 *p, u32 depth) {
  if (threadIdx.x != 0) return;
  atomicAdd(p + depth, 1);
  if (depth < 3) {
    tree<<<1, 32>>>(p, depth + 1);
    tree<<<2, 32>>>(p, depth + 1);
  }
}

/// Children of one thread run in the order of their launches.
__global__ void in_order(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = t;
  __syncwarp();
  if (t == 0) {
    add_one<<<1, 32>>>(out);
    times_three<<<1, 32>>>(out);
    add_one<<<1, 16>>>(out);
  }
}

/// The tail stream runs after everything else.
__global__ void in_order_at_the_tail(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    times_three<<<1, 32, 0, cudaStreamTailLaunch>>>(out);
    add_one<<<1, 32>>>(out);
    add_one<<<1, 32>>>(out);
  }
  out[t] += 100;
}

__global__ void grids_of_grids(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) tree<<<1, 32>>>(out, 0);
}
