#include "graph.h"
#ifndef CAPACITY
#define CAPACITY 100
#endif
// Vertices with a larger neighbour go to a list.
__global__ void fill(int n, const int *offsets, const int *targets, const int *data, int *list, int *size) {
  VERTICES(v, n) {
    bool larger = false;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) larger |= data[targets[e]] > data[v];
    if (larger) {
#if defined(PLAIN)
      const int at = (*size)++;
#elif defined(READ_FIRST)
      const int at = *size;
      atomicAdd(size, 1);
#elif defined(AGGREGATED)
      const unsigned active = __activemask();
      const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
      int at = 0;
      if (lane == leader) at = atomicAdd(size, __popc(active));
      at = __shfl_sync(active, at, leader) + __popc(active & ((1u << lane) - 1));
#else
      const int at = atomicAdd(size, 1);
#endif
      list[at] = v;
    }
  }
}
__global__ void drain(const int *list, const int *size, int *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < *size) out[list[at]] = at;
}
int main() {
  Input i = make_input(100, 6, 3, 100);
  int *list, *size;
  cudaMalloc((void **)&list, CAPACITY * sizeof(int));
  cudaMalloc((void **)&size, sizeof(int));
  cudaMemset(size, 0, sizeof(int));
  fill<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, i.data, list, size);
  drain<<<2, 64>>>(list, size, i.out);
  cudaDeviceSynchronize();
}
