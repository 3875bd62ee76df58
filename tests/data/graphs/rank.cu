#include "graph.h"
// PageRank by pulling, and the sum of changes.
__global__ void rank_of(int n, const int *offsets, const int *targets, const int *degree, DATA *old_rank, DATA *rank,
                        DATA *error) {
  DATA change = 0;
  VERTICES(v, n) {
    DATA sum = 0;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) sum += old_rank[targets[e]] / degree[targets[e]];
    const DATA x = DATA(0.15) / n + DATA(0.85) * sum;
#ifdef IN_PLACE
    change += fabs(x - old_rank[v]);
    old_rank[v] = x;
#else
    change += fabs(x - old_rank[v]);
    rank[v] = x;
#endif
  }
  __shared__ DATA part[64];
  part[threadIdx.x] = change;
#ifndef NO_SYNC
  __syncthreads();
#endif
  for (int d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
#if defined(NO_SYNC_IN_WARP)
    if (d > 32) __syncthreads();
#elif defined(SYNC_IN_WARP)
    if (d >= 32) __syncthreads();
    else __syncwarp();
#else
    __syncthreads();
#endif
  }
#ifdef PLAIN
  if (threadIdx.x == 0) *error += part[0];
#else
  if (threadIdx.x == 0) atomicAdd(error, part[0]);
#endif
}
int main() {
  Input i = make_input(100, 4, 23, 100);
  DATA h[100];
  int degree[100];
  for (int v = 0; v < 100; v++) h[v] = DATA(1) / 100, degree[v] = 0;
  for (int e = 0; e < i.g.m; e++) degree[i.g.targets[e]]++;
  for (int v = 0; v < 100; v++) if (degree[v] == 0) degree[v] = 1;
  int *d = on_device(degree, 100);
  DATA *a = on_device(h, 100), *b = i.out, *error;
  cudaMalloc((void **)&error, sizeof(DATA));
  cudaMemset(error, 0, sizeof(DATA));
  rank_of<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, d, a, b, error);
  cudaDeviceSynchronize();
}
