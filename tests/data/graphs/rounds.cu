#include "graph.h"
// One kernel per round, until nothing changes: labels, levels, distances, colours.
#define NONE 1000000
__global__ void round_of(int n, const int *offsets, const int *targets, int *from, int *to, int *changed, int round) {
  VERTICES(v, n) {
#if defined(LABELS_PULL)  // the largest number in reach, into another array
    int most = from[v];
    for (int e = offsets[v]; e < offsets[v + 1]; e++) most = max(most, from[targets[e]]);
    to[v] = most;
    if (most != from[v]) *changed = 1;
#elif defined(LABELS_PULL_IN_PLACE)
    int most = from[v];
    for (int e = offsets[v]; e < offsets[v + 1]; e++) most = max(most, from[targets[e]]);
    if (most != from[v]) from[v] = most, *changed = 1;
#elif defined(LABELS_PUSH)
    EDGES(e, v)
    if (atomicMax(&to[targets[e]], from[v]) < from[v]) atomicOr(changed, 1);
#elif defined(LABELS_PUSH_IN_PLACE)
    EDGES(e, v)
    if (atomicMax(&from[targets[e]], from[v]) < from[v]) atomicOr(changed, 1);
#elif defined(LEVELS)  // plain BFS: everybody writes the same level
    if (from[v] == round) EDGES(e, v)
      if (from[targets[e]] == NONE) from[targets[e]] = round + 1, *changed = 1;
#elif defined(LEVELS_TWO)
    if (from[v] == round) EDGES(e, v)
      if (from[targets[e]] == NONE) to[targets[e]] = round + 1, *changed = 1;
#elif defined(LEVELS_CAS)
    if (from[v] == round) EDGES(e, v)
      if (atomicCAS(&to[targets[e]], NONE, round + 1) == NONE) atomicExch(changed, 1);
#elif defined(DISTANCES)
    const int mine = from[v];
    if (mine != NONE) EDGES(e, v) {
      const int d = mine + 1 + targets[e] % 5;
      if (atomicMin(&to[targets[e]], d) > d) atomicExch(changed, 1);
    }
#elif defined(DISTANCES_IN_PLACE)
    const int mine = from[v];
    if (mine != NONE) EDGES(e, v) {
      const int d = mine + 1 + targets[e] % 5;
      if (atomicMin(&from[targets[e]], d) > d) atomicExch(changed, 1);
    }
#elif defined(DISTANCES_GUARDED)
    const int mine = from[v];
    if (mine != NONE) EDGES(e, v) {
      const int d = mine + 1 + targets[e] % 5;
      if (to[targets[e]] > d) { atomicMin(&to[targets[e]], d); atomicExch(changed, 1); }
    }
#elif defined(DISTANCES_PLAIN)
    const int mine = from[v];
    if (mine != NONE) EDGES(e, v) {
      const int d = mine + 1 + targets[e] % 5;
      if (to[targets[e]] > d) to[targets[e]] = d, *changed = 1;
    }
#elif defined(COLOURS) || defined(COLOURS_IN_PLACE)  // greedy, by number: all smaller neighbours first
    int used = 0;
    bool ready = from[v] == 0;
    for (int e = offsets[v]; e < offsets[v + 1]; e++) {
      const int t = targets[e];
      if (t == v) continue;
      if (from[t] == 0 && t < v) ready = false;
      used |= from[t] ? 1 << (from[t] & 31) : 0;
    }
#ifdef COLOURS
    to[v] = from[v];
    if (ready) to[v] = __ffs(~used & ~1) - 1, *changed = 1;
#else
    if (ready) from[v] = __ffs(~used & ~1) - 1, *changed = 1;
#endif
#endif
  }
}
int main() {
  Input i = make_input(100, 4, 19, 100);
  int h[100];
#if defined(LABELS_PULL) || defined(LABELS_PUSH) || defined(LABELS_PULL_IN_PLACE) || defined(LABELS_PUSH_IN_PLACE)
  for (int v = 0; v < 100; v++) h[v] = (v * 37) % 101;
#elif defined(COLOURS) || defined(COLOURS_IN_PLACE)
  for (int v = 0; v < 100; v++) h[v] = 0;
#else
  for (int v = 0; v < 100; v++) h[v] = v == 0 ? 0 : NONE;
#endif
  int *a = on_device(h, 100), *b = on_device(h, 100), *changed;
  cudaMalloc((void **)&changed, sizeof(int));
  for (int round = 0; round < 6; round++) {
    cudaMemset(changed, 0, sizeof(int));
#if !defined(LABELS_PULL) && !defined(COLOURS)
    cudaMemcpy(b, a, 100 * sizeof(int), cudaMemcpyDeviceToDevice);
#endif
    round_of<<<blocks_for(i.g.n, 64), 64>>>(i.g.n, i.offsets, i.targets, a, b, changed, round);
#if !defined(LEVELS) && !defined(LABELS_PULL_IN_PLACE) && !defined(LABELS_PUSH_IN_PLACE) && \
    !defined(DISTANCES_IN_PLACE) && !defined(COLOURS_IN_PLACE)
    int *t = a;
    a = b;
    b = t;
#endif
    int again = 0;
    cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    if (!again) break;
  }
}
