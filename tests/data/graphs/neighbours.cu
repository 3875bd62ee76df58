#include "graph.h"
// Bytes side by side, and shared memory within a warp.
__global__ void neighbours(int n, const int *offsets, const int *targets, const DATA *data, DATA *out) {
  __shared__ DATA part[64];
  const int lane = threadIdx.x % 32;
  const DATA *mine = part + threadIdx.x / 32 * 32;
  VERTICES(v, n) {
    DATA most = 0;
    EDGES(e, v) most = data[targets[e]] > most ? data[targets[e]] : most;
    part[threadIdx.x] = most;
#ifndef NO_SYNCWARP
    __syncwarp();
#endif
    if (lane == 0) {
      for (int i = 1; i < 32; i++) most = mine[i] > most ? mine[i] : most;
      out[v] = most;
    }
#ifndef NO_SECOND_SYNCWARP
    __syncwarp();
#endif
  }
}
int main() {
  Input i = make_input(101, 6, 41, 101);
  neighbours<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, i.data, i.out);
  cudaDeviceSynchronize();
}
