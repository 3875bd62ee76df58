#include <cstdio>
#include <cstdint>
#include <vector>
#include <cuda_runtime.h>

using namespace std;

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } } while (0)

constexpr int kWidth = 32;
struct Pair { uint32_t a, b; };
static vector<float> results;

__device__ __forceinline__ float twice(float v) { return v + v; }
static int helper(int v) { return v * 2; }  // device code calls it

template <typename T, int N>
__global__ void scale(const T* __restrict__ in, T* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = in[i];
  v = v * N + helper(0);
  if (i < n) out[i] = twice(v);
}

void reference(const vector<float>& in, vector<float>& out) {
  for (size_t i = 0; i < in.size(); i++) out[i] = in[i] * 4;
}

int main(int argc, char** argv) {
  float *a, *b;
  CHECK(cudaMalloc(&a, 128));
  CHECK(cudaMalloc(&b, 128));
  scale<float, 2><<<1, kWidth>>>(a, b, kWidth);
  printf("done %d\n", argc);
  return 0;
}
