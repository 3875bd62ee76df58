// About 1 GiB moved from global memory to global memory: exported kernels, the plain kernel that a user would write, and a
// copy of float4, in one run. Every element of every result is compared on the device.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "variants.h"  // written by pack.py

__global__ void __launch_bounds__(256) copy_kernel(const float4* p, float4* q, size_t n) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < n) q[i] = p[i];
}
__global__ void __launch_bounds__(256) plain_transpose(const unsigned short* p, unsigned short* q, unsigned n) {
  const unsigned j = blockIdx.x * 32 + threadIdx.x % 32, i = blockIdx.y * 8 + threadIdx.x / 32;
  if (i < n && j < n) q[size_t{j} * n + i] = p[size_t{i} * n + j];
}
/// The transpose as an experienced user writes it: a tile of 32 x 32 in shared memory, a column of padding.
__global__ void __launch_bounds__(256) tiled_transpose(const unsigned short* p, unsigned short* q, unsigned n) {
  __shared__ unsigned short tile[32][33];
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (unsigned k = y; k < 32; k += 8) tile[k][x] = p[size_t{blockIdx.y * 32 + k} * n + blockIdx.x * 32 + x];
  __syncthreads();
  for (unsigned k = y; k < 32; k += 8) q[size_t{blockIdx.x * 32 + k} * n + blockIdx.y * 32 + x] = tile[x][k];
}
template <int words>
__global__ void __launch_bounds__(256) plain_fields(const float* s, float* f, long long count, long long stride) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  for (int w = 0; w < words; w++) f[w * stride + i] = s[i * words + w];
}
template <int words>
__global__ void __launch_bounds__(256) plain_structures(float* s, const float* f, long long count, long long stride) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  for (int w = 0; w < words; w++) s[i * words + w] = f[w * stride + i];
}
__global__ void __launch_bounds__(256) plain_apart(const float2* p, float* q, long long n) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= n) return;
  const float2 v = p[i];
  q[i] = v.x;
  q[n + i] = v.y;
}

__global__ void fill(unsigned* p, size_t words) {
  for (size_t i = blockIdx.x * size_t{256} + threadIdx.x; i < words; i += gridDim.x * size_t{256}) {
    unsigned h = static_cast<unsigned>(i) * 0x9e3779b9u ^ static_cast<unsigned>(i >> 32);
    h ^= h >> 16;
    p[i] = h * 0x85ebca6bu;
  }
}
/// q must be what `from(i)` of p says, for each element.
template <class T, class From>
__global__ void compare(const T* p, const T* q, size_t n, From from, unsigned long long* wrong) {
  unsigned long long bad = 0;
  for (size_t i = blockIdx.x * size_t{256} + threadIdx.x; i < n; i += gridDim.x * size_t{256}) bad += p[from(i)] != q[i];
  if (bad > 0) atomicAdd(wrong, bad);
}
struct Same {
  __device__ size_t operator()(size_t i) const { return i; }
};
struct Transposed {
  size_t n;
  __device__ size_t operator()(size_t i) const { return i % n * n + i / n; }
};
struct FromStructures {
  size_t words, count;
  __device__ size_t operator()(size_t i) const { return i % count * words + i / count; }
};
struct FromFields {
  size_t words, count;
  __device__ size_t operator()(size_t i) const { return i % words * count + i / words; }
};

struct Run {
  unsigned *p, *q;
  unsigned long long* wrong;
  cudaEvent_t start, stop;
  double copy_rate = 0;  ///< bytes read and written a second

  template <class T, class From>
  void time(const char* name, const char* of, size_t bytes, From from, const std::function<void()>& launch) {
    cudaMemset(q, 0xcd, bytes);
    cudaMemset(wrong, 0, 8);
    std::vector<float> ms;
    for (int round = 0; round < 9; round++) {
      cudaEventRecord(start);
      launch();
      cudaEventRecord(stop);
      cudaEventSynchronize(stop);
      float t = 0;
      cudaEventElapsedTime(&t, start, stop);
      if (round > 1) ms.push_back(t);
    }
    compare<<<1056, 256>>>(reinterpret_cast<const T*>(p), reinterpret_cast<const T*>(q), bytes / sizeof(T), from, wrong);
    unsigned long long bad = 0;
    cudaMemcpy(&bad, wrong, 8, cudaMemcpyDeviceToHost);
    const cudaError_t problem = cudaGetLastError();
    std::sort(ms.begin(), ms.end());
    const double rate = 2.0 * static_cast<double>(bytes) / (ms[ms.size() / 2] * 1e-3);
    if (std::string(name) == "float4 copy") copy_rate = rate;
    std::printf(
        "{\"what\": \"global\", \"of\": \"%s\", \"name\": \"%s\", \"ok\": %s, \"bytes\": %zu, \"ms\": %.4f, \"TB_per_s\": %.3f, "
        "\"part_of_copy\": %.4f%s%s%s}\n",
        of, name, bad == 0 && problem == cudaSuccess ? "true" : "false", bytes, ms[ms.size() / 2], rate / 1e12, rate / copy_rate,
        problem == cudaSuccess ? "" : ", \"error\": \"", problem == cudaSuccess ? "" : cudaGetErrorString(problem),
        problem == cudaSuccess ? "" : "\"");
  }
};

template <int words, class Exported>
void structures_of(Run& r, const Exported& exported) {
  const long long count = (1ll << 30) / (4 * words) / 4096 * 4096;
  const size_t bytes = static_cast<size_t>(count) * words * 4;
  const size_t n = static_cast<size_t>(count), w = words;
  float *p = reinterpret_cast<float*>(r.p), *q = reinterpret_cast<float*>(r.q);
  const std::string to = std::to_string(4 * words) + "-byte structures to fields", back = "fields to " + std::to_string(4 * words) + "-byte structures";
  const unsigned plain = static_cast<unsigned>((count + 255) / 256);
  r.time<unsigned>("float4 copy", to.c_str(), bytes, Same{}, [&] { copy_kernel<<<static_cast<unsigned>(bytes / 4096), 256>>>(reinterpret_cast<const float4*>(p), reinterpret_cast<float4*>(q), bytes / 16); });
  r.time<unsigned>("plain", to.c_str(), bytes, FromStructures{w, n}, [&] { plain_fields<words><<<plain, 256>>>(p, q, count, count); });
  r.time<unsigned>("plain", back.c_str(), bytes, FromFields{w, n}, [&] { plain_structures<words><<<plain, 256>>>(q, p, count, count); });
  exported(p, q, count, [&](const char* name, const std::function<void()>& launch) { r.time<unsigned>(name, to.c_str(), bytes, FromStructures{w, n}, launch); },
           [&](const char* name, const std::function<void()>& launch) { r.time<unsigned>(name, back.c_str(), bytes, FromFields{w, n}, launch); });
}

int main() {
  Run r{};
  const size_t room = (size_t{1} << 30) + (1 << 20);
  if (cudaMalloc(&r.p, room) != cudaSuccess || cudaMalloc(&r.q, room) != cudaSuccess || cudaMalloc(&r.wrong, 8) != cudaSuccess) return 2;
  cudaEventCreate(&r.start);
  cudaEventCreate(&r.stop);
  fill<<<1056, 256>>>(r.p, room / 4);
  {
    const unsigned n = 23168;  // a multiple of 128: 1.0 GiB of halves
    const size_t bytes = size_t{n} * n * 2;
    const unsigned short* p = reinterpret_cast<const unsigned short*>(r.p);
    unsigned short* q = reinterpret_cast<unsigned short*>(r.q);
    const char* of = "transpose of halves";
    r.time<unsigned>("float4 copy", of, bytes / 4096 * 4096, Same{}, [&] { copy_kernel<<<static_cast<unsigned>(bytes / 4096), 256>>>(reinterpret_cast<const float4*>(p), reinterpret_cast<float4*>(q), bytes / 16); });
    r.time<unsigned short>("plain", of, bytes, Transposed{n}, [&] { plain_transpose<<<dim3(n / 32, n / 8), 256>>>(p, q, n); });
    r.time<unsigned short>("tiled by hand", of, bytes, Transposed{n}, [&] { tiled_transpose<<<dim3(n / 32, n / 32), 256>>>(p, q, n); });
#define TRANSPOSE(name, threads)                                                                                             \
  {                                                                                                                          \
    const name##_shape s = {{n, n}, {n, 1}, {1, n}};                                                                         \
    r.time<unsigned short>("exported " #name, of, bytes, Transposed{n}, [&] { name##_kernel<<<name##_blocks(s), threads>>>(p, q, s); }); \
  }
    TRANSPOSES(TRANSPOSE)
  }
  {
    const long long n = 1ll << 27;
    const size_t bytes = 8 * static_cast<size_t>(n);
    const char* of = "complex numbers taken apart";
    const float* p = reinterpret_cast<const float*>(r.p);
    float* q = reinterpret_cast<float*>(r.q);
    r.time<unsigned>("float4 copy", of, bytes, Same{}, [&] { copy_kernel<<<static_cast<unsigned>(bytes / 4096), 256>>>(reinterpret_cast<const float4*>(p), reinterpret_cast<float4*>(q), bytes / 16); });
    r.time<unsigned>("plain", of, bytes, FromStructures{2, static_cast<size_t>(n)}, [&] { plain_apart<<<static_cast<unsigned>(n / 256), 256>>>(reinterpret_cast<const float2*>(p), q, n); });
    // Axes by name: ReIm before i.
    const apart_shape s = {{2, n}, {1, 2}, {n, 1}};
    r.time<unsigned>("exported", of, bytes, FromStructures{2, static_cast<size_t>(n)}, [&] { apart_kernel<<<apart_blocks(s), 256>>>(p, q, s); });
  }
#define VARIANT(to_fields, to_structures)                                                                   \
  fields("exported " #to_fields, [&] { to_fields##_kernel<<<to_fields##_blocks(n), 256>>>(p, q, n, n); });   \
  structures("exported " #to_structures, [&] { to_structures##_kernel<<<to_structures##_blocks(n), 256>>>(q, p, n, n); });
#define OF(words)                                                                                                     \
  structures_of<words>(r, [](const float* p, float* q, long long n, const auto& fields, const auto& structures) {     \
    STRUCTURES_OF_##words(VARIANT)                                                                                    \
  });
  OF(3)
  OF(4)
  OF(7)
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
