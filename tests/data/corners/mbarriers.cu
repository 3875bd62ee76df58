/*
Barrier objects: phases, pending counts, transactions.

[lanescope]
[[launch]]
kernel = "counts"
block = 32
args = ["counts"]
[[launch]]
kernel = "phases"
block = 32
args = ["phases"]
[[launch]]
kernel = "parities"
block = 32
args = ["parities"]
[[launch]]
kernel = "transactions"
block = 32
args = ["transactions"]
[[launch]]
kernel = "drops"
block = 32
args = ["drops"]
[[launch]]
kernel = "counted_arrivals"
block = 32
args = ["counted_arrivals"]
[[launch]]
kernel = "bulk_copies"
block = 64
args = ["bulk_copies"]
[[launch]]
kernel = "copies_that_arrive"
block = 32
args = ["copies_that_arrive"]

[buffers]
counts = "u32 n:16 = zeros"
phases = "u32 n:32 = zeros"
parities = "u32 n:8 = zeros"
transactions = "u32 n:8 = zeros"
drops = "u32 n:8 = zeros"
counted_arrivals = "u32 n:4 = zeros"
bulk_copies = "u32 n:256 = zeros"
copies_that_arrive = "u32 n:32 = zeros"
*/
#include "corners.cuh"
#define AT(b) static_cast<u32>(__cvta_generic_to_shared(&b))
__device__ __forceinline__ void init(u64 &b, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(b)), "r"(n) : "memory"); }
__device__ __forceinline__ u64 arrive(u64 &b) {
  u64 s;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(s) : "r"(AT(b)) : "memory");
  return s;
}
__device__ __forceinline__ u32 test(u64 &b, u64 s) {
  u32 r;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(AT(b)), "l"(s) : "memory");
  return r;
}
__device__ __forceinline__ u32 test_parity(u64 &b, u32 parity) {
  u32 r;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(AT(b)), "r"(parity) : "memory");
  return r;
}
__device__ __forceinline__ u32 pending(u64 s) {
  u32 r;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(r) : "l"(s));
  return r;
}

/// One thread arrives five times at a barrier of three.
__global__ void counts(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  if (t == 0) {
    init(b, 3);
    u64 s[5];
    for (int k = 0; k < 5; ++k) {
      s[k] = arrive(b);
      out[k] = pending(s[k]), out[5 + k] = test(b, s[k]);
    }
    out[10] = test(b, s[0]), out[11] = test(b, s[4]);
  }
}

/// All lanes arrive and wait, eight times.
__global__ void phases(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  __shared__ u32 s[32];
  if (t == 0) init(b, 32);
  __syncwarp();
  u32 v = t;
  for (u32 k = 0; k < 8; ++k) {
    s[t] = v;
    const u64 state = arrive(b);
    while (!test(b, state));
    v = s[(t + 1) % 32] + k;
    const u64 second = arrive(b);
    while (!test(b, second));
  }
  out[t] = v;
}

__global__ void parities(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  if (t == 0) {
    init(b, 1);
    out[0] = test_parity(b, 1);
    arrive(b);
    out[1] = test_parity(b, 0), arrive(b), out[2] = test_parity(b, 1);
    arrive(b);
    out[3] = test_parity(b, 0);
  }
}

/// expect_tx and complete_tx hold up a phase.
__global__ void transactions(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  if (t == 0) {
    init(b, 1);
    u64 s;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 64;" : "=l"(s) : "r"(AT(b)) : "memory");
    out[0] = test(b, s), out[1] = pending(s);
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 40;" ::"r"(AT(b)) : "memory");
    out[2] = test(b, s);
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 24;" ::"r"(AT(b)) : "memory");
    out[3] = test(b, s);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 8;" ::"r"(AT(b)) : "memory");
    s = arrive(b);
    out[4] = test(b, s);
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 8;" ::"r"(AT(b)) : "memory");
    out[5] = test(b, s);
  }
}

/// arrive_drop lowers the count of later phases.
__global__ void drops(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  if (t == 0) {
    init(b, 4);
    u64 s;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(s) : "r"(AT(b)) : "memory");
    out[0] = pending(s);
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;" : "=l"(s) : "r"(AT(b)) : "memory");
    out[1] = pending(s), s = arrive(b), out[2] = pending(s), out[3] = test(b, s);
    s = arrive(b), out[4] = pending(s);
    s = arrive(b), out[5] = pending(s), s = arrive(b), out[6] = pending(s), out[7] = test(b, s);
  }
}

__global__ void counted_arrivals(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  if (t == 0) {
    init(b, 10);
    u64 s;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 7;" : "=l"(s) : "r"(AT(b)) : "memory");
    out[0] = pending(s);
    asm volatile("mbarrier.arrive.release.cta.shared.b64 %0, [%1], 3;" : "=l"(s) : "r"(AT(b)) : "memory");
    out[1] = pending(s), out[2] = test(b, s);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(AT(b)) : "memory");
    init(b, 1), out[3] = pending(arrive(b));
  }
}

/// cp.async.bulk to shared memory and back.
__global__ void bulk_copies(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ __align__(128) u32 s[128];
  __shared__ u64 b;
  out[t] = t * 5, out[64 + t] = ~t;
  if (t == 0) init(b, 1);
  __threadfence();
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(AT(b)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(static_cast<u32>(__cvta_generic_to_shared(s))), "l"(out), "r"(AT(b)) : "memory");
  }
  while (!test_parity(b, 0));
  s[t] += s[127 - t];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + 128), "r"(static_cast<u32>(__cvta_generic_to_shared(s))) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 64;" ::"l"(out + 192), "r"(static_cast<u32>(__cvta_generic_to_shared(s))) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

/// cp.async.mbarrier.arrive.noinc
__global__ void copies_that_arrive(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ __align__(16) u32 s[32];
  __shared__ u64 b;
  if (t == 0) init(b, 32);
  out[t] = t + 7;
  __syncwarp();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<u32>(__cvta_generic_to_shared(s + t))), "l"(out + 31 - t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(AT(b)) : "memory");
  while (!test_parity(b, 0));
  out[t] = s[(t + 1) % 32] * 2;
}
