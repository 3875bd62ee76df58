/*
Clusters of blocks and their shared memory.

[lanescope]
[[launch]]
kernel = "ranks"
grid = 8
block = 32
cluster = 4
args = ["ranks"]
[[launch]]
kernel = "ranks_in_two_dimensions"
grid = [4, 4]
block = 1
cluster = [2, 2]
args = ["ranks_in_two_dimensions"]
[[launch]]
kernel = "neighbours"
grid = 4
block = 32
cluster = 4
args = ["neighbours"]
[[launch]]
kernel = "atomics_across_blocks"
grid = 4
block = 32
cluster = 2
args = ["atomics_across_blocks"]
[[launch]]
kernel = "remote_arrivals"
grid = 2
block = 32
cluster = 2
args = ["remote_arrivals"]
[[launch]]
kernel = "stores_that_arrive"
grid = 2
block = 32
cluster = 2
args = ["stores_that_arrive"]
[[launch]]
kernel = "addresses_of_ranks"
grid = 2
block = 32
cluster = 2
args = ["addresses_of_ranks"]
[[launch]]
kernel = "arrive_and_wait"
grid = 2
block = 64
cluster = 2
args = ["arrive_and_wait"]

[buffers]
ranks = "u32 n:48 = zeros"
ranks_in_two_dimensions = "u32 n:32 = zeros"
neighbours = "u32 n:128 = zeros"
atomics_across_blocks = "u32 n:8 = zeros"
remote_arrivals = "u32 n:4 = zeros"
stores_that_arrive = "u32 n:64 = zeros"
addresses_of_ranks = "u32 n:8 = zeros"
arrive_and_wait = "u32 n:64 = zeros"
*/
#include <cooperative_groups.h>
#include "corners.cuh"
namespace cg = cooperative_groups;

__global__ void ranks(u32 *out) {
  const u32 t = threadIdx.x;
  u32 r[6];
  #define SPECIAL(n, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(r[n]));
  SPECIAL(0, "cluster_ctarank") SPECIAL(1, "cluster_nctarank") SPECIAL(2, "clusterid.x") SPECIAL(3, "nclusterid.x") SPECIAL(4, "cluster_ctaid.x") SPECIAL(5, "cluster_nctaid.x")
  if (t < 6) out[blockIdx.x * 6 + t] = r[t];
}

__global__ void ranks_in_two_dimensions(u32 *out) {
  u32 a, b;
  asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%clusterid.y;" : "=r"(a), "=r"(b));
  out[2 * (blockIdx.x + 4 * blockIdx.y)] = a, out[2 * (blockIdx.x + 4 * blockIdx.y) + 1] = b;
}

/// Each block reads the shared memory of the next.
__global__ void neighbours(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[32];
  cg::cluster_group c = cg::this_cluster();
  s[t] = blockIdx.x * 100 + t;
  c.sync();
  const u32 *remote = c.map_shared_rank(s, (c.block_rank() + 1) % 4);
  out[blockIdx.x * 32 + t] = remote[31 - t] + c.num_threads();
  c.sync();
}

__global__ void atomics_across_blocks(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s;
  cg::cluster_group c = cg::this_cluster();
  if (t == 0) s = 0;
  c.sync();
  atomicAdd(c.map_shared_rank(&s, t % 2), t + blockIdx.x);
  c.sync();
  if (t == 0) out[blockIdx.x] = s, out[4 + blockIdx.x] = c.dim_blocks().x * 10 + c.block_index().x;
}

/// Threads of both blocks arrive at the barrier of block 0.
__global__ void remote_arrivals(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u64 b;
  cg::cluster_group c = cg::this_cluster();
  const u32 own = static_cast<u32>(__cvta_generic_to_shared(&b));
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(own) : "memory");
  c.sync();
  u32 at;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(own));
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at) : "memory");
  if (blockIdx.x == 0) {
    u32 r = 0;
    while (r == 0) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(own) : "memory");
    if (t == 0) out[0] = r;
  }
  c.sync();
}

/// st.async into the other block.
__global__ void stores_that_arrive(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[32];
  __shared__ u64 b;
  cg::cluster_group c = cg::this_cluster();
  const u32 own = static_cast<u32>(__cvta_generic_to_shared(&b)), data = static_cast<u32>(__cvta_generic_to_shared(s + t));
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(own) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(own) : "memory");
  }
  c.sync();
  u32 to, bar;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(data), "r"(1 - c.block_rank()));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(own), "r"(1 - c.block_rank()));
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(t + blockIdx.x * 1000), "r"(bar) : "memory");
  u32 r = 0;
  while (r == 0) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(own) : "memory");
  out[blockIdx.x * 32 + t] = s[t];
  c.sync();
}

/// getctarank and isspacep.
__global__ void addresses_of_ranks(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s;
  cg::cluster_group c = cg::this_cluster();
  const u32 *p = c.map_shared_rank(&s, 1);
  u32 rank, q;
  asm volatile("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
  asm volatile("{ .reg .pred p, q; isspacep.shared::cluster p, %1; isspacep.shared::cta q, %1; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" : "=r"(q) : "l"(p));
  if (t == 0) out[blockIdx.x] = rank, out[2 + blockIdx.x] = q, out[4 + blockIdx.x] = c.query_shared_rank(p);
  c.sync();
}

__global__ void arrive_and_wait(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 s[64];
  s[t] = t * (blockIdx.x + 2);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  u32 v = t * 3;
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  u32 at, r;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(static_cast<u32>(__cvta_generic_to_shared(s + 63 - t))), "r"(1 - blockIdx.x));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(r) : "r"(at) : "memory");
  if (blockIdx.x == 0) out[t] = v + r;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
