/*
Branches, loops, calls, recursion and indirect branches in divergent code.

[lanescope]
[[launch]]
kernel = "loops_of_lanes"
block = 32
args = ["loops_of_lanes"]
[[launch]]
kernel = "collatz"
block = 32
args = ["collatz"]
[[launch]]
kernel = "large_switch"
block = 32
args = ["large_switch"]
[[launch]]
kernel = "jumps"
block = 32
args = ["jumps"]
[[launch]]
kernel = "short_circuits"
block = 32
args = ["short_circuits"]
[[launch]]
kernel = "recursion"
block = 32
args = ["recursion"]
[[launch]]
kernel = "mutual_recursion"
block = 32
args = ["mutual_recursion"]
[[launch]]
kernel = "recursion_with_arrays"
block = 32
args = ["recursion_with_arrays"]
[[launch]]
kernel = "recursion_by_pointer"
block = 32
args = ["recursion_by_pointer"]
[[launch]]
kernel = "structure_returned"
block = 32
args = ["structure_returned"]
[[launch]]
kernel = "function_pointers"
block = 32
args = ["function_pointers"]
[[launch]]
kernel = "virtual_functions"
block = 32
args = ["virtual_functions"]
[[launch]]
kernel = "lambdas"
block = 32
args = ["lambdas"]
[[launch]]
kernel = "indirect_branch"
block = 32
args = ["indirect_branch"]
[[launch]]
kernel = "early_exits"
block = 64
args = ["early_exits"]
[[launch]]
kernel = "exit_in_a_loop"
block = 32
args = ["exit_in_a_loop"]
[[launch]]
kernel = "nested_divergence"
block = 32
args = ["nested_divergence"]
[[launch]]
kernel = "predicates_in_bits"
block = 32
args = ["predicates_in_bits"]
[[launch]]
kernel = "special_registers"
grid = [2, 2, 3]
block = [8, 6, 2]
args = ["special_registers"]

[buffers]
loops_of_lanes = "u32 n:32 = zeros"
collatz = "u32 n:32 = zeros"
large_switch = "u32 n:32 = zeros"
jumps = "u32 n:32 = zeros"
short_circuits = "u32 n:32 = zeros"
recursion = "u32 n:64 = zeros"
mutual_recursion = "u32 n:32 = zeros"
recursion_with_arrays = "u32 n:32 = zeros"
recursion_by_pointer = "u32 n:32 = zeros"
structure_returned = "u32 n:32 = zeros"
function_pointers = "u32 n:64 = zeros"
virtual_functions = "u32 n:32 = zeros"
lambdas = "u32 n:32 = zeros"
indirect_branch = "u32 n:32 = zeros"
early_exits = "u32 n:64 = zeros"
exit_in_a_loop = "u32 n:32 = zeros"
nested_divergence = "u32 n:32 = zeros"
predicates_in_bits = "u32 n:32 = zeros"
special_registers = "u32 n:128 = zeros"
*/
#include "corners.cuh"
__device__ __noinline__ u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ u32 ackermann(u32 m, u32 n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ u32 odd(u32 n);
__device__ __noinline__ u32 even(u32 n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ u32 odd(u32 n) { return n == 0 ? 0 : even(n - 1); }
__device__ __noinline__ u32 twice(u32 v) { return 2 * v; }
__device__ __noinline__ u32 squared(u32 v) { return v * v; }
__device__ __noinline__ u32 negated(u32 v) { return ~v; }
__device__ __noinline__ u32 with_an_array(u32 n) {
  u32 a[6];
  for (u32 k = 0; k < 6; ++k) a[(k * 5 + n) % 6] = k + n;
  return n == 0 ? a[2] : a[n % 6] + with_an_array(n - 1) * 3;
}
__device__ __noinline__ void by_pointer(u32 *p, u32 n) {
  if (n == 0) return;
  *p = *p * 3 + n;
  by_pointer(p, n - 1);
}
struct Big { u32 v[9]; };
__device__ __noinline__ Big returns_big(u32 n) {
  Big b;
  for (u32 k = 0; k < 9; ++k) b.v[k] = n * k;
  return b;
}
struct Shape {
  __device__ virtual u32 area(u32 n) const { return n; }
};
struct Square : Shape {
  __device__ u32 area(u32 n) const override { return n * n; }
};
struct Ring : Square {
  __device__ u32 area(u32 n) const override { return Square::area(n) + 1000; }
};

__global__ void loops_of_lanes(u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0;
  for (u32 i = 0; i < t; ++i) {
    if (i % 3 == t % 3) continue;
    if (i * i > 300) break;
    for (u32 j = i; j != 0; j &= j - 1) {
      s += j;
      if (s % 7 == 3) break;
    }
  }
  out[t] = s;
}

__global__ void collatz(u32 *out) {
  const u32 t = threadIdx.x;
  u64 n = t + 1;
  u32 steps = 0;
  while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2, ++steps;
  out[t] = steps;
}

__global__ void large_switch(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v = t * 5;
  switch (t % 13) {
    case 0: v += 1; break;
    case 1: v *= 3;
    case 2: v ^= 0x55; break;
    case 3: v -= 9; return;
    case 4: case 5: v <<= t % 4; break;
    case 7: v = ~v; break;
    case 9: for (u32 k = 0; k < t; ++k) v += k; break;
    case 12: v = 7; break;
    default: v = v / 3;
  }
  out[t] = v;
}

/// goto into and out of loops.
__global__ void jumps(u32 *out) {
  const u32 t = threadIdx.x;
  u32 i = t % 4, s = 0;
  if (t % 2) goto inside;
  begin:
  for (; i < 9; ++i) {
    s += i;
  inside:
    s = s * 3 + 1;
    if (s % 11 == 5) goto out_of_it;
  }
  if (t % 5 == 0 && s < 1000000) { i = 5; s += 1; if (s % 2) goto begin; }
  out_of_it:
  out[t] = s;
}

__global__ void short_circuits(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = (t > 3 && (t % 5 != 0 || t / 7 == 2)) + 2 * (t % 2 ? t > 16 || t == 5 : t < 9 && t > 2);
}

__global__ void recursion(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = fibonacci(t % 13), out[32 + t] = ackermann(t % 3, t % 4);
}

__global__ void mutual_recursion(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = even(t) + 10 * odd(t / 2);
}

__global__ void recursion_with_arrays(u32 *out) {
  const u32 t = threadIdx.x;
  out[t] = with_an_array(t % 9);
}

__global__ void recursion_by_pointer(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v = t;
  by_pointer(&v, t % 6);
  out[t] = v;
}

__global__ void structure_returned(u32 *out) {
  const u32 t = threadIdx.x;
  const Big b = returns_big(t);
  out[t] = b.v[t % 9] + returns_big(t + 1).v[8];
}

/// Lanes of one warp call different functions.
__global__ void function_pointers(u32 *out) {
  const u32 t = threadIdx.x;
  u32 (*f[3])(u32) = {twice, squared, negated};
  out[t] = f[t % 3](t + 3);
  u32 v = t;
  for (u32 k = 0; k < 1 + t % 4; ++k) v = f[(k + t) % 3](v) & 0xffff;
  out[32 + t] = v;
}

__global__ void virtual_functions(u32 *out) {
  const u32 t = threadIdx.x;
  Shape a;
  Square b;
  Ring c;
  const Shape *s[3] = {&a, &b, &c};
  out[t] = s[t % 3]->area(t + 2);
}

__global__ void lambdas(u32 *out) {
  const u32 t = threadIdx.x;
  const auto f = [t](u32 k) { return k < 3 ? t : t * k; };
  u32 s = 0;
  for (u32 k = 0; k < t % 6; ++k) s += f(k);
  out[t] = s;
}

/// brx.idx with a target for each lane.
__global__ void indirect_branch(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v = t;
  asm volatile("{\n.reg .u32 i;\nrem.u32 i, %1, 4;\nTargets: .branchtargets A, B, C, D;\nbrx.idx i, Targets;\nA: add.u32 %0, %0, 100;\nbra E;\nB: mul.lo.u32 %0, %0, 3;\nC: xor.b32 %0, %0, 255;\nbra E;\nD: mov.u32 %0, 7;\nE:\n}" : "+r"(v) : "r"(t));
  out[t] = v;
}

/// Lanes that exit do not take part in a barrier or an operation after it.
__global__ void early_exits(u32 *out) {
  const u32 t = threadIdx.x;
  if (t % 32 > 27) return;
  if (t / 32 == 0 && t % 2) { out[t] = 5; return; }
  __syncthreads();
  out[t] = __popc(__activemask()) * 0 + t;
}

__global__ void exit_in_a_loop(u32 *out) {
  const u32 t = threadIdx.x;
  for (u32 k = 0;; ++k) {
    out[t] = k;
    if (k == t % 7) return;
  }
}

__global__ void nested_divergence(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v = 0;
  if (t & 1) {
    if (t & 2) {
      if (t & 4) v = 1; else v = 2;
      v += __popc(__ballot_sync(__activemask(), v == 1)) * 0;
    } else v = 3;
  } else if (t & 8) v = t & 16 ? 4 : 5;
  out[t] = v;
}

/// Predicates combined with and, or, xor and not.
__global__ void predicates_in_bits(u32 *out) {
  const u32 t = threadIdx.x;
  u32 r;
  asm volatile("{ .reg .pred p, q, s, u; setp.lt.u32 p, %1, 20; setp.gt.u32 q, %1, 9; and.pred s, p, q; xor.pred u, s, p; not.pred s, s; or.pred s, s, u; selp.u32 %0, 1, 0, s; @!u add.u32 %0, %0, 2; mov.pred u, s; @u add.u32 %0, %0, 4; }" : "=r"(r) : "r"(t));
  out[t] = r;
}

__global__ void special_registers(u32 *out) {
  const u32 n = threadIdx.x + 8 * (threadIdx.y + 6 * threadIdx.z);
  u32 s = 0, r;
  #define SPECIAL(name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(r)); fold(s, r);
  SPECIAL("tid.x") SPECIAL("tid.y") SPECIAL("tid.z") SPECIAL("ntid.x") SPECIAL("ntid.y") SPECIAL("ntid.z") SPECIAL("ctaid.x") SPECIAL("ctaid.y") SPECIAL("ctaid.z") SPECIAL("nctaid.x") SPECIAL("nctaid.y") SPECIAL("nctaid.z")
  SPECIAL("laneid") SPECIAL("lanemask_eq") SPECIAL("lanemask_lt") SPECIAL("lanemask_le") SPECIAL("lanemask_gt") SPECIAL("lanemask_ge") SPECIAL("dynamic_smem_size") SPECIAL("clusterid.x") SPECIAL("nclusterid.y") SPECIAL("cluster_ctarank") SPECIAL("cluster_nctarank") SPECIAL("cluster_ctaid.z") SPECIAL("cluster_nctaid.x")
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(r));
  fold(s, r);
  if (blockIdx.x == 1 && blockIdx.y == 1 && blockIdx.z == 2) out[n] = s;
}
