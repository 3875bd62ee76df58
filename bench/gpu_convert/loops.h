#pragma once
// Round trips of registers in a loop, timed. One warp a block, 8 blocks a multiprocessor, which the compiler is given: with fewer
// registers than it may use, ptxas lets one shuffle wait for the other.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

// Addresses are made where they are used: none of them takes a register of the loop.
__device__ __forceinline__ unsigned registers_apart() {
  unsigned words = gridDim.x * 32;
  asm volatile("mov.u32 %0, %0;" : "+r"(words));
  return words;
}
template <int N>
__device__ __forceinline__ void load_registers(unsigned (&x)[N], const unsigned* p) {
  const unsigned apart = registers_apart();
  p += blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (int r = 0; r < N; r++, p += apart) x[r] = *p;
}
template <int N>
__device__ __forceinline__ void store_registers(const unsigned (&x)[N], unsigned* q) {
  const unsigned apart = registers_apart();
  q += blockIdx.x * 32 + threadIdx.x;
#pragma unroll
  for (int r = 0; r < N; r++, q += apart) *q = x[r];
}

/// One to every element (its lowest bit inverted in bytes): no compiler takes two conversions for none.
template <int bits, int N>
__device__ __forceinline__ void add_one(unsigned (&x)[N]) {
#pragma unroll
  for (int r = 0; r < N; r++) {
    if (bits == 32) {
      x[r] = __float_as_uint(__uint_as_float(x[r]) + 1.0f);
    } else if (bits == 16) {
      const __half2 one = __floats2half2_rn(1.0f, 1.0f);
      __half2 v;
      memcpy(&v, &x[r], 4);
      v = __hadd2(v, one);
      memcpy(&x[r], &v, 4);
    } else {
      x[r] ^= 0x01010101u;  // an addition to each byte would be four instructions
    }
  }
}

template <int bits, int N>
__global__ void __launch_bounds__(32) base_loop(const unsigned* p, unsigned* q, int n) {
  unsigned x[N];
  load_registers(x, p);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    add_one<bits>(x);
    asm volatile("" ::: "memory");
    add_one<bits>(x);
  }
  store_registers(x, q);
}

struct Loop {
  const char* name;
  const void* kernel;
  int words, bits;
  double predicted_cycles;  ///< of one round trip
  int counts[5];            ///< shuffles, selects, permutes, logic, wavefronts
  unsigned copied_lanes;    ///< lane bits that change nothing: such lanes hold the same
};

inline float element_of(const std::vector<unsigned>& words, int bits, size_t n) {
  if (bits == 32) {
    float f;
    std::copy_n(reinterpret_cast<const char*>(&words[n]), 4, reinterpret_cast<char*>(&f));
    return f;
  }
  if (bits == 16) {
    __half h;
    std::copy_n(reinterpret_cast<const char*>(words.data()) + 2 * n, 2, reinterpret_cast<char*>(&h));
    return __half2float(h);
  }
  return reinterpret_cast<const unsigned char*>(words.data())[n];
}

/// argv[1]: iterations. Each loop's result must be its input plus 2 n, of bytes the input.
inline int time_loops(const Loop* loops, size_t count, int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 200;
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return 2;
  const int blocks = 8 * device.multiProcessorCount;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  int wrong = 0;
  for (size_t k = 0; k < count; ++k) {
    const Loop& l = loops[k];
    const size_t words = static_cast<size_t>(l.words) * blocks * 32, elements = words * (32 / l.bits);
    std::vector<unsigned> in(words), out(words);
    for (size_t e = 0; e < elements; ++e) {
      const size_t a_word = 32 / l.bits, lane = e / a_word % 32;
      const size_t first = (e / a_word - lane + (lane & ~l.copied_lanes)) * a_word + e % a_word;
      const unsigned v = static_cast<unsigned>(first * 37 % 1021);
      if (l.bits == 32) {
        const float f = static_cast<float>(v);
        std::copy_n(reinterpret_cast<const char*>(&f), 4, reinterpret_cast<char*>(&in[e]));
      } else if (l.bits == 16) {
        const __half h = __float2half(static_cast<float>(v));
        std::copy_n(reinterpret_cast<const char*>(&h), 2, reinterpret_cast<char*>(in.data()) + 2 * e);
      } else {
        reinterpret_cast<unsigned char*>(in.data())[e] = static_cast<unsigned char>(v);
      }
    }
    unsigned *p, *q;
    cudaMalloc(&p, 4 * words);
    cudaMalloc(&q, 4 * words);
    cudaMemcpy(p, in.data(), 4 * words, cudaMemcpyHostToDevice);
    cudaMemset(q, 0xab, 4 * words);
    int iterations = n;
    void* arguments[] = {&p, &q, &iterations};
    std::vector<float> ms;
    for (int round = 0; round < 6; ++round) {
      cudaEventRecord(start);
      cudaLaunchKernel(l.kernel, dim3(blocks), dim3(32), arguments, 0, nullptr);
      cudaEventRecord(stop);
      cudaEventSynchronize(stop);
      float t = 0;
      cudaEventElapsedTime(&t, start, stop);
      if (round > 0) ms.push_back(t);
    }
    std::sort(ms.begin(), ms.end());
    cudaMemcpy(out.data(), q, 4 * words, cudaMemcpyDeviceToHost);
    const bool fine = cudaGetLastError() == cudaSuccess;
    size_t bad = 0;
    for (size_t e = 0; e < elements; ++e) {
      const float wanted = element_of(in, l.bits, e) + 2.0f * n;
      const float got = element_of(out, l.bits, e);
      if (l.bits == 8 ? got != element_of(in, l.bits, e) : wanted != got) ++bad;
    }
    cudaFuncAttributes attributes{};
    cudaFuncGetAttributes(&attributes, l.kernel);
    if (!fine || bad > 0) ++wrong;
    std::printf(
        "{\"what\": \"loop\", \"name\": \"%s\", \"ok\": %s, \"ns_per_conversion\": %.3f, \"predicted_cycles\": %.1f, "
        "\"shuffles\": %d, \"selects\": %d, \"permutes\": %d, \"logic\": %d, \"wavefronts\": %d, \"registers\": %d, "
        "\"spilled\": %zu}\n",
        l.name, fine && bad == 0 ? "true" : "false", 1e6 * ms[ms.size() / 2] / (2.0 * n), l.predicted_cycles / 2,
        l.counts[0], l.counts[1], l.counts[2], l.counts[3], l.counts[4], attributes.numRegs, attributes.localSizeBytes);
    cudaFree(p);
    cudaFree(q);
  }
  return wrong == 0 ? 0 : 1;
}
