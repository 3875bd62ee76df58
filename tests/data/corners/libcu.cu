/*
Synchronisation and atomics of libcu++.

[lanescope]
[[launch]]
kernel = "barrier_of_a_warp"
block = 64
args = ["barrier_of_a_warp"]
[[launch]]
kernel = "split_barrier"
block = 64
args = ["split_barrier"]
[[launch]]
kernel = "dropping_barrier"
block = 32
args = ["dropping_barrier"]
[[launch]]
kernel = "references"
block = 64
args = ["references"]
[[launch]]
kernel = "floating_references"
block = 32
args = ["floating_references"]
[[launch]]
kernel = "atomics_in_shared_memory"
block = 96
args = ["atomics_in_shared_memory"]
[[launch]]
kernel = "latches"
block = 64
args = ["latches"]
[[launch]]
kernel = "semaphores"
block = 64
args = ["semaphores"]
[[launch]]
kernel = "counting_semaphores"
block = 32
args = ["counting_semaphores"]
[[launch]]
kernel = "values_of_the_library"
block = 32
args = ["values_of_the_library"]

[buffers]
barrier_of_a_warp = "u32 n:64 = zeros"
split_barrier = "u32 n:64 = zeros"
dropping_barrier = "u32 n:32 = zeros"
references = "u32 n:8 = zeros"
floating_references = "u64 n:4 = zeros"
atomics_in_shared_memory = "u32 n:4 = zeros"
latches = "u32 n:64 = zeros"
semaphores = "u32 n:2 = zeros"
counting_semaphores = "u32 n:4 = zeros"
values_of_the_library = "u32 n:96 = zeros"
*/
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include "corners.cuh"

__global__ void barrier_of_a_warp(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ u32 s[64];
  if (t == 0) init(&b, 64);
  __syncthreads();
  u32 v = t;
  for (int k = 0; k < 3; ++k) {
    s[t] = v;
    b.arrive_and_wait();
    v += s[(t + 7) % 64];
    b.arrive_and_wait();
  }
  out[t] = v;
}

__global__ void split_barrier(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ u32 s[64];
  if (t == 0) init(&b, 64);
  __syncthreads();
  s[t] = t * 3;
  auto token = b.arrive();
  const u32 own = t * t;
  b.wait(std::move(token));
  out[t] = s[63 - t] + own;
}

__global__ void dropping_barrier(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (t == 0) init(&b, 32);
  __syncthreads();
  if (t >= 20) b.arrive_and_drop();
  else {
    b.arrive_and_wait();
    b.arrive_and_wait();
    out[t] = t + 1;
  }
}

__global__ void references(u32 *out) {
  const u32 t = threadIdx.x;
  cuda::atomic_ref<u32, cuda::thread_scope_device> a(out[0]), m(out[1]), x(out[2]);
  a.fetch_add(t), m.fetch_max(t * 37 % 64), x.fetch_xor(1u << t % 32, cuda::memory_order_relaxed);
  u32 old = a.load();
  __syncthreads();
  if (t == 0) {
    u32 expected = 5;
    out[3] = a.compare_exchange_strong(expected, 9), out[4] = expected, out[5] = a.exchange(77), out[6] = a.load() + old * 0;
  }
}

__global__ void floating_references(u64 *out) {
  const u32 t = threadIdx.x;
  if (t == 0) {
    double *d = reinterpret_cast<double *>(out);
    cuda::atomic_ref<double, cuda::thread_scope_block> r(d[0]);
    r.fetch_add(1.5), r.fetch_add(-4.0);
    d[1] = r.load(), d[2] = r.exchange(-0.0);
    cuda::atomic_ref<double, cuda::thread_scope_block> m(d[0]);
    d[3] = m.fetch_max(0.0);
  }
}

__global__ void atomics_in_shared_memory(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> a;
  if (t == 0) a = 1000;
  __syncthreads();
  a -= static_cast<int>(t);
  a.fetch_min(5, cuda::memory_order_acq_rel);
  __syncthreads();
  if (t == 0) out[0] = a.load();
}

__global__ void latches(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ cuda::latch<cuda::thread_scope_block> *l;
  __shared__ alignas(cuda::latch<cuda::thread_scope_block>) char memory[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ u32 s[64];
  if (t == 0) l = new (memory) cuda::latch<cuda::thread_scope_block>(64);
  __syncthreads();
  s[t] = t + 3;
  l->arrive_and_wait();
  out[t] = s[63 - t] + l->try_wait();
}

/// A binary semaphore as a lock of all threads, in divergent code.
__global__ void semaphores(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ alignas(cuda::binary_semaphore<cuda::thread_scope_block>) char memory[sizeof(cuda::binary_semaphore<cuda::thread_scope_block>)];
  auto *s = reinterpret_cast<cuda::binary_semaphore<cuda::thread_scope_block> *>(memory);
  __shared__ volatile u32 count;
  if (t == 0) new (memory) cuda::binary_semaphore<cuda::thread_scope_block>(1), count = 0;
  __syncthreads();
  if (t % 3 == 0) {
    s->acquire();
    count = count + t;
    s->release();
  }
  __syncthreads();
  if (t == 0) out[0] = count, out[1] = s->try_acquire() + 2 * s->try_acquire();
}

__global__ void counting_semaphores(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ alignas(8) char memory[sizeof(cuda::counting_semaphore<cuda::thread_scope_block>)];
  if (t == 0) {
    auto *s = new (memory) cuda::counting_semaphore<cuda::thread_scope_block>(2);
    out[0] = s->try_acquire(), out[1] = s->try_acquire(), out[2] = s->try_acquire();
    s->release(3);
    out[3] = s->try_acquire();
  }
}

__global__ void values_of_the_library(u32 *out) {
  const u32 t = threadIdx.x;
  cuda::std::array<u32, 4> a = {t, t * 2, 7, 9};
  cuda::std::optional<u32> o = t % 2 ? cuda::std::optional<u32>(t) : cuda::std::nullopt;
  const auto [x, y] = cuda::std::make_tuple(t + 1, t * 1.5f);
  const cuda::std::complex<float> c(t, 2), d(1, -3);
  out[t] = a[t % 4] + o.value_or(100) + x, out[32 + t] = __float_as_uint((c * d).imag() + y), out[64 + t] = cuda::std::popcount(t * 99) + cuda::std::countl_zero(t) + cuda::std::bit_ceil(t + 1) + cuda::std::rotl(t, 5);
}
