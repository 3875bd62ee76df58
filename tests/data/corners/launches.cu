/*
Odd sizes of launches.

[lanescope]
[[launch]]
kernel = "one_thread"
block = 1
args = ["one_thread"]
[[launch]]
kernel = "thirty_three_threads"
block = 33
args = ["thirty_three_threads"]
[[launch]]
kernel = "largest_block"
block = 1024
args = ["largest_block"]
[[launch]]
kernel = "block_of_three_dimensions"
block = [7, 5, 3]
args = ["block_of_three_dimensions"]
[[launch]]
kernel = "grid_of_three_dimensions"
grid = [3, 2, 2]
block = 5
args = ["grid_of_three_dimensions"]
[[launch]]
kernel = "dynamic_shared"
block = 96
shared = 400
args = ["dynamic_shared"]
[[launch]]
kernel = "last_warp_half_full"
block = 48
args = ["last_warp_half_full"]
[[launch]]
kernel = "two_dimensional_warps"
block = [16, 4]
args = ["two_dimensional_warps"]

[buffers]
one_thread = "u32 n:4 = zeros"
thirty_three_threads = "u32 n:66 = zeros"
largest_block = "u32 n:1024 = zeros"
block_of_three_dimensions = "u32 n:105 = zeros"
grid_of_three_dimensions = "u32 n:60 = zeros"
dynamic_shared = "u32 n:96 = zeros"
last_warp_half_full = "u32 n:48 = zeros"
two_dimensional_warps = "u32 n:64 = zeros"
*/
#include "corners.cuh"
extern __shared__ u32 dynamic[];

__global__ void one_thread(u32 *out) {
  out[0] = __activemask(), out[1] = warpSize, out[2] = __popc(__ballot_sync(1, true)), out[3] = blockDim.x;
}

__global__ void thirty_three_threads(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __activemask(), out[33 + t] = __ballot_sync(t < 32 ? ~0u : 1u, t % 2 == 0);
}

__global__ void largest_block(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __syncthreads_count(t % 3 == 0) + t;
}

__global__ void block_of_three_dimensions(u32 *out) {
  const u32 n = threadIdx.x + 7 * (threadIdx.y + 5 * threadIdx.z);
  out[n] = __popc(__activemask()) * 1000 + n;
}

__global__ void grid_of_three_dimensions(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 b = blockIdx.x + 3 * (blockIdx.y + 2 * blockIdx.z);
  out[b * 5 + t] = b * 100 + gridDim.y * 10 + t;
}

__global__ void dynamic_shared(u32 *out) {
  const u32 t = threadIdx.x;
  dynamic[t] = t * t;
  if (t < 4) dynamic[96 + t] = 7 * t;
  __syncthreads();
  u32 size;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  out[t] = dynamic[95 - t] + dynamic[96 + t % 4] + size;
}

__global__ void last_warp_half_full(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __reduce_add_sync(t < 32 ? ~0u : 0xffffu, t);
}

__global__ void two_dimensional_warps(u32 *out) {
  const u32 n = threadIdx.x + 16 * threadIdx.y;
  out[n] = __shfl_sync(~0u, n, 20) + __shfl_down_sync(~0u, n, 16, 16);
}
