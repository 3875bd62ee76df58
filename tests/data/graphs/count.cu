#include "graph.h"
// How many vertices have a neighbour with a larger number; with EDGE, how many edges lead to one.
__global__ void count(int n, const int *offsets, const int *targets, const DATA *data, DATA *out) {
#ifdef BLOCK_TOTAL
  __shared__ int total;
#ifndef NO_SYNC_INIT
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
#else
  if (threadIdx.x == 0) total = 0;
#endif
#endif
  int found = 0;
  VERTICES(v, n) {
    int mine = 0;
    EDGES(e, v)
    if (data[targets[e]] > data[v]) mine++;
#if !defined(EDGE) && WORKER == 1
    mine = __any_sync(~0u, mine);
    if (PART != 0) mine = 0;
#elif !defined(EDGE) && WORKER == 2
    mine = __syncthreads_or(mine);
    if (PART != 0) mine = 0;
#elif !defined(EDGE)
    mine = mine > 0;
#endif
    found += mine;
  }
#if defined(BLOCK_TOTAL)
#ifdef PLAIN
  total += found;
#else
  atomicAdd(&total, found);
#endif
#ifndef NO_SYNC_END
  __syncthreads();
#endif
  if (threadIdx.x == 0) atomicAdd(out, total);
#elif defined(WARP_TOTAL)
  for (int d = 16; d > 0; d /= 2) found += __shfl_xor_sync(~0u, found, d);
#ifdef PLAIN
  if (threadIdx.x % 32 == 0) out[0] += found;
#else
  if (threadIdx.x % 32 == 0) atomicAdd(out, found);
#endif
#elif defined(PLAIN)
  if (found) out[0] += found;
#elif defined(PLAIN_READ)
  if (found) atomicAdd(out, found);
  if (threadIdx.x == 0 && blockIdx.x == 1) out[1] = out[0];
#else
  if (found) atomicAdd(out, found);
#endif
}
int main() {
  Input i = make_input(100, 6, 11, 2);
  count<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, i.data, i.out);
  int n = 0;
  cudaMemcpy(&n, i.out, sizeof n, cudaMemcpyDeviceToHost);
  printf("%d\n", n);
}
