#include "graph.h"
// Connected components: every vertex follows its path to the root, and hooks the larger root below the smaller one.
#if defined(VOLATILE)
#define LOOK(x) (((volatile int *)parent)[x])
#define PUT(x, y) (((volatile int *)parent)[x] = (y))
#elif defined(ATOMIC)
#define LOOK(x) atomicAdd(&parent[x], 0)
#define PUT(x, y) atomicMin(&parent[x], y)
#elif defined(READ_ONLY_PATH)
#define LOOK(x) atomicAdd(&parent[x], 0)
#define PUT(x, y)
#elif defined(RELAXED)
__device__ int look(int *p) {
  int x;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
  return x;
}
__device__ void put(int *p, int x) { asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(x) : "memory"); }
#define LOOK(x) look(&parent[x])
#define PUT(x, y) put(&parent[x], y)
#else
#define LOOK(x) (parent[x])
#define PUT(x, y) (parent[x] = (y))
#endif
__device__ int root(int *parent, int x) {
  int next = LOOK(x);
  while (next != x) {
    const int after = LOOK(next);
    if (after != next) PUT(x, after);
    x = next, next = after;
  }
  return x;
}
__global__ void hook(int n, const int *offsets, const int *targets, int *parent) {
  VERTICES(v, n)
  EDGES(e, v) {
    int a = root(parent, v), b = root(parent, targets[e]);
    while (a != b) {
      if (a < b) { const int t = a; a = b; b = t; }
#ifdef PLAIN_HOOK
      parent[a] = b;
      break;
#else
      const int was = atomicCAS(&parent[a], a, b);
      if (was == a) break;
      a = root(parent, was);
#endif
    }
  }
}
__global__ void flatten(int n, int *parent) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int x = v;
  while (parent[x] != x) x = parent[x];
  parent[v] = x;
}
__global__ void flatten_to(int n, const int *parent, int *out) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int x = v;
  while (parent[x] != x) x = parent[x];
  out[v] = x;
}
int main() {
  Input i = make_input(100, 2, 5, 100);
  int h[100];
  for (int v = 0; v < 100; v++) h[v] = v;
  int *parent = on_device(h, 100);
  hook<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, parent);
#ifdef FLATTEN
  flatten<<<2, 64>>>(i.g.n, parent);
#else
  flatten_to<<<2, 64>>>(i.g.n, parent, i.out);
#endif
  cudaDeviceSynchronize();
}
