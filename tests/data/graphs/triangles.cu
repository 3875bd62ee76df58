#include "graph.h"
typedef unsigned long long Count;
__global__ void triangles(int n, const int *offsets, const int *targets, Count *total) {
#if WORKER == 2
  __shared__ Count parts[2];
#endif
  VERTICES(v, n) {
    Count mine = 0;
    EDGES(e, v) {
      const int t = targets[e];
      for (int f = offsets[t]; f < offsets[t + 1]; f++)
        for (int g = offsets[v]; g < offsets[v + 1]; g++) mine += targets[f] == targets[g];
    }
#if WORKER >= 1
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
#endif
#if WORKER == 2
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
#ifndef NO_SYNC
    __syncthreads();
#endif
    if (threadIdx.x == 0) mine = parts[0] + parts[1];
#ifndef NO_SECOND_SYNC
    __syncthreads();
#endif
#endif
#ifdef PLAIN
    if (PART == 0 && mine) *total += mine;
#else
    if (PART == 0 && mine) atomicAdd(total, mine);
#endif
  }
}
int main() {
  Input i = make_input(100, 8, 29, 1);
  Count *total, n = 0;
  cudaMalloc((void **)&total, sizeof n);
  cudaMemset(total, 0, sizeof n);
  triangles<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, total);
  cudaMemcpy(&n, total, sizeof n, cudaMemcpyDeviceToHost);
  printf("%llu\n", n);
}
