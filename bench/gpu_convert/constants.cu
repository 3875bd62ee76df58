// Cost of one instruction of each kind when nothing else is in its way: cycles of one multiprocessor for each warp
// instruction, measured with 32 warps on one multiprocessor and, as latency, with one warp and a chain of dependences.

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int repeats = 16, chains = 4;

enum Kind {
  shuffle, select_, permute, logic, shared_load, shared_store, shared_load_2_way, barrier, warp_barrier, movmatrix, ldmatrix_1, ldmatrix_4,
  stmatrix_4, ldmatrix_4_trans, stmatrix_4_trans, permute_by_lane
};
const char* const names[] = {"shuffle",      "select",
                             "byte permute", "shift or mask",
                             "shared load",  "shared store",
                             "shared load, 2 wavefronts", "barrier of the block",
                             "barrier of the warp",
                             "movmatrix",
                             "ldmatrix x1",
                             "ldmatrix x4",
                             "stmatrix x4",
                             "ldmatrix x4 transposed",
                             "stmatrix x4 transposed",
                             "byte permute by lane"};

template <int kind>
__device__ __forceinline__ void step(unsigned (&x)[chains], unsigned* memory, unsigned a, unsigned b, bool odd) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < chains; c++) {
    if (kind == shuffle) x[c] = __shfl_sync(~0u, x[c], x[c] & 31);
    if (kind == permute) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(b));
    if (kind == permute_by_lane) asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x[c]) : "r"(a), "r"(lane * 0x1111u & 0x7777u));
    if (kind == logic) asm volatile("lop3.b32 %0, %0, %1, %2, 0xe4;" : "+r"(x[c]) : "r"(a), "r"(b));
    if (kind == shared_load) asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(x[c]));
    if (kind == shared_load_2_way) asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(x[c]));
    if (kind == movmatrix) asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x[c]));
    if (kind == ldmatrix_1) {
      // Every word is used: else ptxas leaves the load out.
      unsigned v;
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(a) : "memory");
      x[c] += v;
    }
    if (kind == shared_store) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(a), "r"(x[c]) : "memory");
  }
  // Sixteen selects by one predicate; each takes what another one made, so that none can be left out.
  if (kind == select_)
    asm volatile(
        "{.reg .pred p; setp.ne.u32 p, %4, 0;\n"
        "selp.b32 %0, %0, %1, p; selp.b32 %1, %1, %2, p; selp.b32 %2, %2, %3, p; selp.b32 %3, %3, %0, p;\n"
        "selp.b32 %0, %1, %0, p; selp.b32 %1, %2, %1, p; selp.b32 %2, %3, %2, p; selp.b32 %3, %0, %3, p;\n"
        "selp.b32 %0, %0, %2, p; selp.b32 %1, %1, %3, p; selp.b32 %2, %2, %0, p; selp.b32 %3, %3, %1, p;\n"
        "selp.b32 %0, %3, %0, p; selp.b32 %1, %0, %1, p; selp.b32 %2, %1, %2, p; selp.b32 %3, %2, %3, p;}"
        : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
        : "r"(static_cast<unsigned>(odd)));
  unsigned v[4] = {};
  if (kind == ldmatrix_4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(a)
                 : "memory");
  if (kind == ldmatrix_4_trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(a)
                 : "memory");
  if (kind == ldmatrix_4 || kind == ldmatrix_4_trans) {
#pragma unroll
    for (int c = 0; c < chains; c++) x[c] += v[c];
  }
#if __CUDA_ARCH__ >= 900
  if (kind == stmatrix_4_trans)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(a), "r"(x[0]), "r"(x[1]), "r"(x[2]),
                 "r"(x[3])
                 : "memory");
  if (kind == stmatrix_4)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(a), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
                 : "memory");
#endif
  if (kind == barrier) __syncthreads();
  if (kind == warp_barrier) __syncwarp();
  (void)lane;
  (void)memory;
}

template <int kind>
__global__ void run(unsigned* out, long long* cycles, unsigned a, unsigned b, int n) {
  __shared__ unsigned memory[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) memory[i] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  // A load reads the address that it finds: each word holds the shared address of itself.
  const unsigned stride = kind == shared_load_2_way ? 2 : 1;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(memory + lane * stride));
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x)
    memory[i] = static_cast<unsigned>(__cvta_generic_to_shared(memory + i));
  __syncthreads();
  unsigned x[chains];
  for (int c = 0; c < chains; c++) x[c] = kind == shared_load || kind == shared_load_2_way ? own : threadIdx.x * 7 + c;
  const bool of_rows = kind == ldmatrix_1 || kind == ldmatrix_4 || kind == stmatrix_4 || kind == ldmatrix_4_trans ||
                       kind == stmatrix_4_trans;
  const unsigned address = of_rows ? static_cast<unsigned>(__cvta_generic_to_shared(memory + 4 * lane)) : own;
  __syncthreads();
  const long long start = clock64();
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int r = 0; r < repeats; r++) step<kind>(x, memory, kind == shared_store || of_rows ? address : a, b, a != 0 && lane % 2 != 0);
  }
  __syncthreads();
  const long long end = clock64();
  unsigned sum = 0;
  for (int c = 0; c < chains; c++) sum ^= x[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - start;
}

template <int kind>
void measure(unsigned* out, long long* cycles) {
  constexpr int n = 50;
  // Instructions of a step.
  constexpr int in_a_step = kind == barrier || kind == warp_barrier || kind == ldmatrix_4 || kind == stmatrix_4 ||
                                kind == ldmatrix_4_trans || kind == stmatrix_4_trans
                            ? 1
                        : kind == select_ ? 16 : chains;
  for (const int warps : {1, 4, 8, 16, 32}) {
    std::vector<double> found;
    for (int round = 0; round < 7; round++) {
      run<kind><<<1, 32 * warps>>>(out, cycles, 1u, 0x5410u, n);
      long long c = 0;
      if (cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost) != cudaSuccess) {
        std::printf("{\"what\": \"constant\", \"name\": \"%s\", \"error\": \"%s\"}\n", names[kind],
                    cudaGetErrorString(cudaGetLastError()));
        return;
      }
      if (round > 0) found.push_back(static_cast<double>(c) / n / repeats / in_a_step / warps);
    }
    std::sort(found.begin(), found.end());
    std::printf("{\"what\": \"constant\", \"name\": \"%s\", \"warps\": %d, \"cycles_per_warp_instruction\": %.4f}\n", names[kind],
                warps, found[found.size() / 2]);
  }
}

int main() {
  unsigned* out;
  long long* cycles;
  if (cudaMalloc(&out, 1 << 20) != cudaSuccess || cudaMalloc(&cycles, 1 << 10) != cudaSuccess) return 2;
  measure<shuffle>(out, cycles);
  measure<select_>(out, cycles);
  measure<permute>(out, cycles);
  measure<logic>(out, cycles);
  measure<shared_load>(out, cycles);
  measure<shared_store>(out, cycles);
  measure<shared_load_2_way>(out, cycles);
  measure<barrier>(out, cycles);
  measure<warp_barrier>(out, cycles);
  measure<movmatrix>(out, cycles);
  measure<ldmatrix_1>(out, cycles);
  measure<ldmatrix_4>(out, cycles);
  measure<stmatrix_4>(out, cycles);
  measure<ldmatrix_4_trans>(out, cycles);
  measure<stmatrix_4_trans>(out, cycles);
  measure<permute_by_lane>(out, cycles);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
