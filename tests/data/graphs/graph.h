#pragma once
#include <cstdio>
#include <cstdlib>

#ifndef DATA
#define DATA int
#endif
#ifndef WORKER
#define WORKER 0
#endif

// Who works on a vertex: a thread, a warp or a block.
#if WORKER == 0
#define FIRST (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define WORKERS (int)(gridDim.x * blockDim.x)
#define PART 0
#define PARTS 1
#elif WORKER == 1
#define FIRST (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32)
#define WORKERS (int)(gridDim.x * blockDim.x / 32)
#define PART (int)(threadIdx.x % 32)
#define PARTS 32
#else
#define FIRST (int)blockIdx.x
#define WORKERS (int)gridDim.x
#define PART (int)threadIdx.x
#define PARTS (int)blockDim.x
#endif

#ifdef STRIDE
#define VERTICES(v, n) for (int v = FIRST; v < n; v += WORKERS)
#elif defined(NO_BOUND)
#define VERTICES(v, n) for (int v = FIRST, once = 1; once; once = 0)
#else
#define VERTICES(v, n) for (int v = FIRST, once = 1; v < n && once; once = 0)
#endif
#define EDGES(e, v) for (int e = offsets[v] + PART; e < offsets[v + 1]; e += PARTS)

struct Graph {
  int n, m;
  int *offsets, *targets;
};

static unsigned next_random(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static Graph random_graph(int n, int degree, unsigned seed) {
  Graph g;
  g.n = n;
  g.offsets = (int*)malloc((n + 1) * sizeof(int));
  g.targets = (int*)malloc(n * degree * sizeof(int));
  int m = 0;
  for (int v = 0; v < n; v++) {
    g.offsets[v] = m;
    int d = next_random(seed) % (degree + 1);
    for (int e = 0; e < d; e++) g.targets[m++] = next_random(seed) % n;
  }
  g.offsets[n] = m;
  g.m = m;
  return g;
}

template <class X>
static X* on_device(const X* host, int count) {
  X* p;
  cudaMalloc((void**)&p, count * sizeof(X));
  cudaMemcpy(p, host, count * sizeof(X), cudaMemcpyHostToDevice);
  return p;
}

static int blocks_for(int n, int threads) {
#if WORKER == 0
  int needed = (n + threads - 1) / threads;
#elif WORKER == 1
  int needed = (n * 32 + threads - 1) / threads;
#else
  int needed = n;
#endif
#ifdef STRIDE
  return needed > 3 ? 3 : needed;
#else
  return needed;
#endif
}

// The host's side that all programs share: a graph, an array of small numbers, and an array of results.
struct Input {
  Graph g;
  int *offsets, *targets;
  DATA *data, *out;
};
static Input make_input(int n, int degree, unsigned seed, int outputs) {
  Input i;
  i.g = random_graph(n, degree, seed);
  i.offsets = on_device(i.g.offsets, n + 1);
  i.targets = on_device(i.g.targets, i.g.m);
  DATA* h = (DATA*)malloc(n * sizeof(DATA));
  for (int v = 0; v < n; v++) h[v] = (DATA)((v * 7) % 23 + 1);
  i.data = on_device(h, n);
  cudaMalloc((void**)&i.out, outputs * sizeof(DATA));
  cudaMemset(i.out, 0, outputs * sizeof(DATA));
  return i;
}
