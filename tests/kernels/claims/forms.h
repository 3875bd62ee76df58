#pragma once
// Kernels with one claim each, in the forms in which people write them.

#include <ostream>
#include <string>
#include <vector>

namespace lanescope::claims {

struct Form {
  const char* name;
  const char* variable;  ///< that is meant
  const char* verdict;   ///< in words
  const char* text;
};

inline void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

inline constexpr const char* four_registers = R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u32 r:4 i:32"
q = "u32 r:4 i:32 = zeros"
*/
)";

inline const std::vector<Form> forms = {
    {"WrittenLast", "samples", "holds", R"(/*
[lanescope]
block = 32
[buffers]
d = "u4 t:256"
q = "u32 i:32 = zeros"
*/
__global__ void k(const unsigned *d, unsigned *q) {
  unsigned samples = d[threadIdx.x];
  unsigned where = 31 - threadIdx.x;
  // Eight values a lane now, with the register assignment
  //   simd:   t2 t1 t0
  //   thread: t7 t6 t5 t4 t3
  unsigned mirrored = __shfl_sync(~0u, samples, where);
  q[threadIdx.x] = mirrored;
}
)"},
    {"FamilyWrittenLast", "u", "holds", R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 h:2 i:32"
q = "u32 h:2 i:32 = zeros"
*/
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned lane = threadIdx.x;
  unsigned u0 = p[lane], u1 = p[lane + 32];
  // The register assignment at this line:
  //   register: h0
  //   thread:   i4 i3 i2 i1 i0
  {
    unsigned given = lane & 8 ? u0 : u1;
    given = __shfl_xor_sync(~0u, given, 8);
    if (lane & 8) u0 = given; else u1 = given;
  }
  q[lane] = u0;
  q[lane + 32] = u1;
}
)"},
    {"Member", "v4", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u8 i:32 k:16"
q = "u8 i:32 k:16 = zeros"
*/
struct S {
  int unused = 0;
  uint4 v4;
  __device__ void go();
};
__device__ inline void S::go() {
  // this->v4 has register assignment:
  //   simd: k1 k0
  //   register: k3 k2
  //   thread: i4 i3 i2 i1 i0
  this->v4.x = v4.x;
}
__global__ void k(const uint4 *p, uint4 *q) {
  S s;
  s.v4 = p[threadIdx.x];
  s.go();
  q[threadIdx.x] = s.v4;
}
)"},
    {"MemberOfALocal", "s.v4", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u8 i:32 k:16"
q = "u8 i:32 k:16 = zeros"
*/
struct S { unsigned n; uint4 v4; };
__global__ void k(const uint4 *p, uint4 *q) {
  S s;
  s.n = 3;
  s.v4 = p[threadIdx.x];
  // s.v4 has register assignment:
  //   simd: k1 k0
  //   register: k3 k2
  //   thread: i4 i3 i2 i1 i0
  s.n += 1;
  q[threadIdx.x] = s.v4;
}
)"},
    {"ElementOfAnArray", "v[1]", "holds", R"(/*
[lanescope]
kernel = "k"
block = 32
[buffers]
p = "u32 h:2 i:32 k:4"
q = "u32 i:32 k:4 = zeros"
*/
__global__ void k(const uint4 *p, uint4 *q) {
  uint4 v[2];
  v[0] = p[threadIdx.x];
  v[1] = p[threadIdx.x + 32];
  // v[1] has register assignment:
  //   register: k1 k0
  //   thread: i4 i3 i2 i1 i0
  q[threadIdx.x] = v[1];
}
)"},
    {"ArrayParameter", "V", "holds", R"(
__device__ inline void f(unsigned V[4]) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned V[4];
  for (int r = 0; r < 4; r++) V[r] = p[32*r + threadIdx.x];
  f(V);
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = V[r];
}
)"},
    {"ArrayReference", "V", "holds", R"(
template <int N> __device__ inline void f(unsigned (&V)[N]) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned V[4];
  for (int r = 0; r < 4; r++) V[r] = p[32*r + threadIdx.x];
  f(V);
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = V[r];
}
)"},
    {"PointerToALocalArray", "V", "holds", R"(
__device__ inline void f(unsigned *V) {
  // V has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
  V[0] += 1;
}
constexpr int N = 4;
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned X[N];
  for (int r = 0; r < N; r++) X[r] = p[32*r + threadIdx.x];
  f(X);
  for (int r = 0; r < N; r++) q[32*r + threadIdx.x] = X[r];
}
)"},
    {"AboveAFunctionItsResult", "t", "holds", R"(
// Turns the lanes round and returns them with the register assignment
//   register: r1 r0
//   thread: i0 i4 i3 i2 i1
__device__ inline uint4 f(uint4 v) {
  int from = (threadIdx.x & 15) * 2 + (threadIdx.x >> 4);
  uint4 t;
  t.x = __shfl_sync(~0u, v.x, from);
  t.y = __shfl_sync(~0u, v.y, from);
  t.z = __shfl_sync(~0u, v.z, from);
  t.w = __shfl_sync(~0u, v.w, from);
  return t;
}
__global__ void k(const unsigned *p, unsigned *q) {
  int l = threadIdx.x;
  uint4 v{p[l], p[l + 32], p[l + 64], p[l + 96]};
  v = f(v);
  q[l] = v.x; q[l + 32] = v.y; q[l + 64] = v.z; q[l + 96] = v.w;
}
)"},
    {"LooksForward", "x", "holds after line 17", R"(/*
[lanescope]
block = [32, 2]
[buffers]
p = "f32 i:2 j:32"
q = "f32 i:2 j:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  __shared__ float tile[64];
  unsigned lane = threadIdx.x;
  float x0 = p[lane], x1 = p[lane + 32];
  tile[lane] = x0, tile[lane + 32] = x1;
  __syncthreads();
  // One transpose away: x becomes
  //   register: j0
  //   thread:   j4 j3 j2 j1 i0
  x0 = tile[(lane & 1) * 32 + (lane & 30)]; x1 = tile[(lane & 1) * 32 + (lane & 30) + 1];
  q[lane] = x0;
  q[lane + 32] = x1;
}
)"},
    {"NothingIsThereYet", "x", "holds after line 15", R"(
__global__ void k(const unsigned *p, unsigned *q) {
  unsigned x[4] = {};
  // x has register assignment:
  //   register: r1 r0
  //   thread: i4 i3 i2 i1 i0
#pragma unroll
  for (int r = 0; r < 4; r++) x[r] = p[32*r + threadIdx.x];
  for (int r = 0; r < 4; r++) q[32*r + threadIdx.x] = x[r];
}
)"},
    {"AxisOf24", "x", "holds", R"(/*
[lanescope]
block = 32
[buffers]
p = "f32 i:24"
q = "f32 i:32 = zeros"
*/
__global__ void k(const float *p, float *q) {
  float x = (threadIdx.x < 24) ? p[threadIdx.x] : 0.0f;
  // x has register assignment:
  //   thread: i4 i3 i2 i1 i0
  q[threadIdx.x] = x;
}
)"},
    {"AxesOf6And5", "x", "holds", R"(/*
[lanescope]
block = 64
[buffers]
p = "f32 i:6 j:5"
q = "f32 i:64 = zeros"
*/
__global__ void k(const float *p, float *q) {
  int i = threadIdx.x / 8, j = threadIdx.x % 8;
  float x = p[i < 6 && j < 5 ? 5 * i + j : 0];
  // x has register assignment:
  //   thread: i1 i0 j2 j1 j0
  //   warp: i2
  q[threadIdx.x] = x;
}
)"},
    {"Product", "acc", "holds up to sums", R"(/*
[lanescope]
block = [32, 8]
[buffers]
a = "f32 i:32 k:32"
b = "f32 k:32 j:32"
c = "f32 i:32 j:32 = zeros"
*/
__global__ void k(const float *a, const float *b, float *c) {
  float acc[4] = {0, 0, 0, 0};
  for (int k = 0; k < 32; ++k)
    for (int r = 0; r < 4; ++r) acc[r] += a[32 * (4 * threadIdx.y + r) + k] * b[32 * k + threadIdx.x];
  // acc has register assignment:
  //   register: i1 i0
  //   thread: j4 j3 j2 j1 j0
  //   warp: i4 i3 i2
  for (int r = 0; r < 4; ++r) c[32 * (4 * threadIdx.y + r) + threadIdx.x] = acc[r];
}
)"},
    {"SumOverLanes", "s", "holds up to sums", R"(/*
[lanescope]
block = [32, 4]
[buffers]
a = "f32 i:4 r:2 k:32"
c = "f32 i:4 r:2 = zeros"
*/
__global__ void k(const float *a, float *c) {
  float s0 = a[64 * threadIdx.y + threadIdx.x], s1 = a[64 * threadIdx.y + 32 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    s0 += __shfl_xor_sync(~0u, s0, d);
    s1 += __shfl_xor_sync(~0u, s1, d);
  }
  // s has register assignment:
  //   register: r0
  //   warp: i1 i0
  if (threadIdx.x == 0) c[2 * threadIdx.y] = s0, c[2 * threadIdx.y + 1] = s1;
}
)"},
};

inline std::string text_of(const Form& form) {
  const std::string text = form.text;
  return text.starts_with("/*") ? text : four_registers + text.substr(1);
}

}  // namespace lanescope::claims
