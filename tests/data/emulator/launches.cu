// Kernels that launch kernels, for tests/kernels/emulator/tree_of_grids_test.cpp:
// nvcc -ptx -rdc=true -arch=compute_90 -lineinfo launches.cu, file names shortened
#include <cstdio>

struct Node {
  int cell, first, count, stream, blocks, threads;
};

// stream: 0 of the block, 1 fire and forget, 2 tail, 3 and 4 created
__global__ void node(const Node* nodes, unsigned* cells, unsigned* ran, int index) {
  atomicAdd(&ran[index], 1);
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const Node own = nodes[index];
  cells[own.cell] = cells[own.cell] * 31 + index + 1;
  cudaStream_t created[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreateWithFlags(&created[i], cudaStreamNonBlocking);
  for (int i = own.first; i < own.first + own.count; ++i) {
    const Node c = nodes[i];
    const cudaStream_t stream = c.stream == 0   ? cudaStream_t(0)
                                : c.stream == 1 ? cudaStreamFireAndForget
                                : c.stream == 2 ? cudaStreamTailLaunch
                                                : created[c.stream - 3];
    node<<<c.blocks, c.threads, 0, stream>>>(nodes, cells, ran, i);
  }
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(created[i]);
}

__global__ void deep(int* out, int depth, int most) {
  out[depth] = depth + 1;
  if (depth < most) deep<<<1, 1>>>(out, depth + 1, most);
}

__global__ void mark(int* out, int at) { out[at] = at + 1; }

__global__ void many(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mark<<<1, 1>>>(out, i);
}

struct Mixed {
  char a;
  double b;
  short c[3];
};
template <class T>
__global__ void take(T* out, Mixed m, char last) {
  extern __shared__ T room[];
  room[threadIdx.x] = T(m.a + m.b + m.c[2] + last + blockIdx.y + threadIdx.y);
  out[threadIdx.x] = room[threadIdx.x];
}
__global__ void give(double* out) {
  Mixed m{3, 0.5, {1, 2, 100}};
  take<double><<<dim3(1, 1), dim3(8, 1, 1), 8 * sizeof(double)>>>(out, m, 7);
}

__device__ int shared_by_all;
__global__ void add_to_it(int* out, int n) {
  shared_by_all = shared_by_all * 10 + n;
  out[0] = shared_by_all;
}
__global__ void in_turn(int* out) {
  shared_by_all = 1;
  add_to_it<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 4);
  add_to_it<<<1, 1>>>(out, 2);
  add_to_it<<<1, 1>>>(out, 3);
}

__global__ void wrong(int* out, int grid, int block, unsigned shared, unsigned long long stream) {
  mark<<<grid, block, shared, cudaStream_t(stream)>>>(out, 0);
  if (cudaGetLastError() != cudaSuccess) out[1] = 1;
  printf("%s %s\n", cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorName(cudaErrorInvalidValue));
}

__global__ void ask(int* out) {
  int device = 7, count = 7;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  out[0] = device;
  out[1] = count;
  if (cudaPeekAtLastError() == cudaSuccess) out[2] = 5;
}

__global__ void copies(int* out) { cudaMemsetAsync(out, 1, 4, 0); }

// Waits for what its child would write: no device promises that the child begins before this grid ends.
__global__ void waits(volatile int* out) {
  mark<<<1, 1>>>((int*)out, 0);
  while (out[0] == 0) {
  }
}
