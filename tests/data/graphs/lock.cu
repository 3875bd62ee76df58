#include "graph.h"
// The largest number and its vertex, together under a lock.
__global__ void largest(int n, const DATA *data, int *lock, DATA *best, int *where) {
  VERTICES(v, n) {
    if (PART != 0) continue;
#ifdef LOOK_FIRST
    if (data[v] <= *best) continue;
#endif
    bool done = false;
    while (!done) {
#ifndef NO_LOCK
      if (atomicCAS(lock, 0, 1) == 0) {
#else
      if (v % 2 || atomicCAS(lock, 0, 1) == 0) {
#endif
#ifndef NO_FENCE
        __threadfence();
#endif
        if (data[v] > *best) *best = data[v], *where = v;
#ifndef NO_FENCE
        __threadfence();
#endif
#ifdef NO_LOCK
        if (v % 2 == 0)
#endif
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}
int main() {
  Input i = make_input(100, 1, 37, 2);
  int *lock, *where;
  cudaMalloc((void **)&lock, 4);
  cudaMalloc((void **)&where, 4);
  cudaMemset(lock, 0, 4);
  cudaMemset(where, 0, 4);
  largest<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.data, lock, i.out, where);
  cudaDeviceSynchronize();
}
