/*
Memory of the device heap.

[lanescope]
[[launch]]
kernel = "lists"
block = 32
args = ["lists"]
[[launch]]
kernel = "allocated"
block = 32
args = ["allocated"]
[[launch]]
kernel = "passed_between_threads"
block = 64
args = ["passed_between_threads"]
[[launch]]
kernel = "nothing"
block = 32
args = ["nothing"]

[buffers]
lists = "u32 n:32 = zeros"
allocated = "u32 n:64 = zeros"
passed_between_threads = "u32 n:64 = zeros"
nothing = "u32 n:4 = zeros"
*/
#include "corners.cuh"
struct Node { Node *next; u32 value; };

/// Each lane builds a list, reverses and frees it.
__global__ void lists(u32 *out) {
  const u32 t = threadIdx.x;
  Node *head = nullptr;
  for (u32 k = 0; k < t % 6 + 1; ++k) head = new Node{head, k * t};
  u32 s = 0;
  while (head != nullptr) {
    s = s * 5 + head->value;
    Node *next = head->next;
    delete head;
    head = next;
  }
  out[t] = s;
}

__global__ void allocated(u32 *out) {
  const u32 t = threadIdx.x;
  u32 *p = static_cast<u32 *>(malloc(t % 3 == 0 ? 4 : 400));
  out[t] = (p != nullptr) + 2 * (reinterpret_cast<u64>(p) % 16 == 0) + 4 * __isGlobal(p);
  p[0] = t;
  if (t % 3) p[99] = t + 1;
  out[32 + t] = t % 3 ? p[0] + p[99] : p[0];
  free(p);
}

/// One thread frees what another allocated.
__global__ void passed_between_threads(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ u32 *p[64];
  p[t] = static_cast<u32 *>(malloc(64));
  p[t][t % 16] = t * 7;
  __syncthreads();
  u32 *q = p[63 - t];
  out[t] = q[(63 - t) % 16];
  free(q);
}

/// free of a null pointer, and more than the heap has.
__global__ void nothing(u32 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    free(nullptr);
    void *p = malloc(1ull << 36);
    out[0] = p == nullptr;
    char *c = new char[33];
    c[32] = 9;
    out[1] = c[32];
    delete[] c;
  }
}
