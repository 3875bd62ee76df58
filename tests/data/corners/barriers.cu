/*
Barriers of a block with numbers and counts, and reductions over them.

[lanescope]
[[launch]]
kernel = "votes_of_a_block"
block = 64
args = ["votes_of_a_block"]
[[launch]]
kernel = "votes_after_exits"
block = 96
args = ["votes_after_exits"]
[[launch]]
kernel = "named_barriers"
block = 128
args = ["named_barriers"]
[[launch]]
kernel = "producers_and_consumers"
block = 128
args = ["producers_and_consumers"]
[[launch]]
kernel = "barrier_number_in_a_register"
block = 64
args = ["barrier_number_in_a_register"]
[[launch]]
kernel = "counted_reductions"
block = 96
args = ["counted_reductions"]
[[launch]]
kernel = "unaligned_in_both_sides"
block = 64
args = ["unaligned_in_both_sides"]
[[launch]]
kernel = "barrier_in_a_uniform_branch"
block = 64
args = ["barrier_in_a_uniform_branch"]
[[launch]]
kernel = "barrier_as_last_instruction"
block = 64
args = ["barrier_as_last_instruction"]
[[launch]]
kernel = "warp_barriers_of_parts"
block = 32
args = ["warp_barriers_of_parts"]
[[launch]]
kernel = "fences"
block = 32
args = ["fences"]

[buffers]
votes_of_a_block = "u32 n:192 = zeros"
votes_after_exits = "u32 n:96 = zeros"
named_barriers = "u32 n:128 = zeros"
producers_and_consumers = "u32 n:64 = zeros"
barrier_number_in_a_register = "u32 n:64 = zeros"
counted_reductions = "u32 n:96 = zeros"
unaligned_in_both_sides = "u32 n:64 = zeros"
barrier_in_a_uniform_branch = "u32 n:64 = zeros"
barrier_as_last_instruction = "u32 n:32 = zeros"
warp_barriers_of_parts = "u32 n:32 = zeros"
fences = "u32 n:32 = zeros"
*/
#include "corners.cuh"

__global__ void votes_of_a_block(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = __syncthreads_count(t % 5 == 0), out[64 + t] = __syncthreads_and(t < 64), out[128 + t] = __syncthreads_or(t == 63);
}

/// A whole warp and lanes of another have exited.
__global__ void votes_after_exits(u32 *out) {
  const u32 t = threadIdx.x;
  if (t < 32 || t % 32 > 20) return;
  out[t] = __syncthreads_count(t % 2 == 0) * 100 + __syncthreads_and(t > 31) * 10 + __syncthreads_or(t > 90);
}

/// Two halves of the block wait apart.
__global__ void named_barriers(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[128];
  s[t] = t;
  if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory"); else asm volatile("bar.sync 2, 64;" ::: "memory");
  out[t] = s[t ^ 63];
}

/// Warps 0 and 1 arrive, warps 2 and 3 wait.
__global__ void producers_and_consumers(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  for (u32 round = 0; round < 3; ++round) {
    if (t < 64) {
      asm volatile("barrier.sync 4, 128;" ::: "memory");
      s[t] = t * 3 + round;
      asm volatile("barrier.arrive 3, 128;" ::: "memory");
    } else {
      asm volatile("barrier.arrive 4, 128;" ::: "memory");
      asm volatile("barrier.sync 3, 128;" ::: "memory");
      out[t - 64] += s[127 - t];
    }
  }
}

__global__ void barrier_number_in_a_register(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  const u32 number = 5 + t / 32;
  s[t] = t * 2;
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(32) : "memory");
  out[t] = s[t ^ 31];
}

/// red with counts, in two groups of warps.
__global__ void counted_reductions(u32 *out) {
  const u32 t = threadIdx.x;
  u32 r, q;
  if (t < 64) asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 50; barrier.red.popc.u32 %0, 6, 64, p; }" : "=r"(r) : "r"(t) : "memory");
  else asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 70; barrier.red.popc.u32 %0, 7, 32, !p; }" : "=r"(r) : "r"(t) : "memory");
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 95; barrier.cta.red.and.pred p, 0, p; selp.u32 %0, 1, 0, p; }" : "=r"(q) : "r"(t) : "memory");
  out[t] = r * 10 + q;
}

/// barrier.sync joins the sides of a branch.
__global__ void unaligned_in_both_sides(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  u32 v;
  if (t % 2) {
    s[t] = t * 10;
    asm volatile("barrier.sync 0;" ::: "memory");
    v = s[t ^ 1];
  } else {
    s[t] = t + 1000;
    asm volatile("barrier.sync 0;" ::: "memory");
    v = s[t ^ 1] * 2;
  }
  out[t] = v;
}

__global__ void barrier_in_a_uniform_branch(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  for (u32 k = 0; k < 4; ++k) {
    s[t] = t * k;
    if (k % 2 == blockDim.x / 64) { __syncthreads(); s[t ^ 33] += 1; }
    __syncthreads();
  }
  out[t] = s[t];
}

__global__ void barrier_as_last_instruction(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  s[t] = t;
  __syncthreads();
  if (t < 32) out[t] = s[t + 32];
  __syncthreads();
}

__global__ void warp_barriers_of_parts(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[32];
  s[t] = t;
  if (t < 8) __syncwarp(0xff); else if (t < 20) __syncwarp(0xfff00); else __syncwarp(0xfff00000);
  const u32 v = t < 8 ? s[7 - t] : t < 20 ? s[27 - t] : s[51 - t];
  out[t] = v;
}

__global__ void fences(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = t;
  __threadfence(), __threadfence_block(), __threadfence_system();
  asm volatile("fence.proxy.async; fence.acq_rel.cluster; fence.sc.cta;" ::: "memory");
  out[t] += 1;
}
