#include "graph.h"
// Each vertex changes its neighbours: by a sum, a maximum, a guarded maximum, or a mark.
__global__ void push(int n, const int *offsets, const int *targets, const DATA *data, DATA *out) {
  VERTICES(v, n) {
    const DATA x = data[v];
    EDGES(e, v) {
#if defined(PLAIN_SUM)
      out[targets[e]] += x;
#elif defined(MAX)
      atomicMax(&out[targets[e]], x);
#elif defined(GUARD)
      if (out[targets[e]] < x) atomicMax(&out[targets[e]], x);
#elif defined(VOLATILE_GUARD)
      if (((volatile DATA *)out)[targets[e]] < x) atomicMax(&out[targets[e]], x);
#elif defined(PLAIN_MAX)
      if (out[targets[e]] < x) out[targets[e]] = x;
#elif defined(MARK)
      out[targets[e]] = 1;
#elif defined(BYSELF)
      out[targets[e]] = x;
#else
      atomicAdd(&out[targets[e]], x);
#endif
    }
  }
}
int main() {
  Input i = make_input(100, 6, 7, 100);
  push<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, i.data, i.out);
  cudaDeviceSynchronize();
}
