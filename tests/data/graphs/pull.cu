#include "graph.h"
__global__ void pull(int n, const int *offsets, const int *targets, DATA *data, DATA *out) {
#if WORKER == 2
  __shared__ DATA part[64];
#endif
  VERTICES(v, n) {
    DATA sum = 0;
    EDGES(e, v) sum += data[targets[e]];
#if WORKER == 1
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
#elif WORKER == 2
    part[threadIdx.x] = sum;
#ifndef NO_SYNC
    __syncthreads();
#endif
    if (threadIdx.x == 0)
      for (int i = 1; i < blockDim.x; i++) sum += part[i];
#if defined(STRIDE) && !defined(NO_SECOND_SYNC)
    __syncthreads();
#endif
#endif
#ifdef IN_PLACE
    if (PART == 0) data[v] = sum;
#else
    if (PART == 0) out[v] = sum;
#endif
  }
}
int main() {
  Graph g = random_graph(100, 6, 7);
  int *offsets = on_device(g.offsets, g.n + 1), *targets = on_device(g.targets, g.m);
  DATA *h = (DATA *)malloc(g.n * sizeof(DATA));
  for (int i = 0; i < g.n; i++) h[i] = (DATA)(i % 11 + 1);
  DATA *data = on_device(h, g.n), *out;
  cudaMalloc((void **)&out, g.n * sizeof(DATA));
  pull<<<blocks_for(g.n, 64), 64>>>(g.n, offsets, targets, data, out);
  cudaMemcpy(h, out, g.n * sizeof(DATA), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < g.n; i++) sum += h[i];
  printf("%g\n", sum);
}
