#include "graph.h"
// k-core: vertices of a degree below k go, and take edges from their neighbours.
__global__ void peel(int n, const int *offsets, const int *targets, int *degree, const int *list, int count, int *next,
                     int *next_count, int k) {
  VERTICES(at, count) {
    const int v = list[at];
    EDGES(e, v) {
      const int t = targets[e];
#if defined(PLAIN)
      if (--degree[t] == k - 1) next[atomicAdd(next_count, 1)] = t;
#elif defined(GUARD)
      if (degree[t] >= k && atomicSub(&degree[t], 1) == k) next[atomicAdd(next_count, 1)] = t;
#else
      if (atomicSub(&degree[t], 1) == k) next[atomicAdd(next_count, 1)] = t;
#endif
    }
  }
}
__global__ void start(int n, const int *degree, int *list, int *count, int k) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && degree[v] < k) list[atomicAdd(count, 1)] = v;
}
int main() {
  Input i = make_input(100, 5, 31, 1);
  int degree[100], k = 3;
  for (int v = 0; v < 100; v++) degree[v] = 0;
  for (int e = 0; e < i.g.m; e++) degree[i.g.targets[e]]++;
  int *d = on_device(degree, 100), *a, *b, *count;
  cudaMalloc((void **)&a, 100 * sizeof(int));
  cudaMalloc((void **)&b, 100 * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  start<<<2, 64>>>(100, d, a, count, k);
  peel<<<blocks_for(40, 64), 64>>>(100, i.offsets, i.targets, d, a, 40, b, count, k);
}
