// Compiled by: nvcc -ptx -arch=sm_90 -lineinfo kernels.cu
#include <cuda_fp16.h>

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < width && y + i < height) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < height && y + i < width) out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void sum(const int* in, int* out, int n) {
  __shared__ int partial[32];
  int total = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) total += in[i];
  for (int o = 16; o > 0; o /= 2) total += __shfl_down_sync(~0u, total, o);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    total = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int o = 16; o > 0; o /= 2) total += __shfl_down_sync(~0u, total, o);
    if (threadIdx.x == 0) atomicAdd(out, total);
  }
}

extern "C" __global__ void histogram(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}

__device__ __noinline__ unsigned collatz(unsigned n) {
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
extern "C" __global__ void lengths(unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = collatz(i + 1);
}

extern "C" __global__ void bytes(const uint4* in, uint4* out) {
  uint4 v = in[threadIdx.x];
  unsigned a = __byte_perm(v.x, v.y, 0x5140), b = __byte_perm(v.z, v.w, 0x5140);
  unsigned c = __byte_perm(v.x, v.y, 0x7362), d = __byte_perm(v.z, v.w, 0x7362);
  out[threadIdx.x] = make_uint4(__byte_perm(a, b, 0x5410), __byte_perm(a, b, 0x7632), __byte_perm(c, d, 0x5410),
                                __byte_perm(c, d, 0x7632));
}

extern "C" __global__ void halves(const __half2* in, __half2* out) {
  __half2 x = in[threadIdx.x];
  __half2 y = __hfma2(x, x, __float2half2_rn(0.5f));
  out[threadIdx.x] = __lows2half2(y, __hadd2(x, y));
}
