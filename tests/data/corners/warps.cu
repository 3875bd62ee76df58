/*
Votes, shuffles and matches with all kinds of masks.

[lanescope]
[[launch]]
kernel = "shuffles_in_full"
block = 32
args = ["shuffles_in_full"]
[[launch]]
kernel = "shuffles_of_types"
block = 32
args = ["shuffles_of_types"]
[[launch]]
kernel = "odd_clamps"
block = 32
args = ["odd_clamps"]
[[launch]]
kernel = "votes_of_parts"
block = 32
args = ["votes_of_parts"]
[[launch]]
kernel = "matches"
block = 32
args = ["matches"]
[[launch]]
kernel = "reductions"
block = 32
args = ["reductions"]
[[launch]]
kernel = "sums_in_two_branches"
block = 32
args = ["sums_in_two_branches"]
[[launch]]
kernel = "ballots_in_a_divergent_loop"
block = 32
args = ["ballots_in_a_divergent_loop"]
[[launch]]
kernel = "peers_by_key"
block = 32
args = ["peers_by_key"]
[[launch]]
kernel = "elected"
block = 32
args = ["elected"]
[[launch]]
kernel = "matrix_of_8x8"
block = 32
args = ["matrix_of_8x8"]

[buffers]
shuffles_in_full = "u32 n:256 = zeros"
shuffles_of_types = "u32 n:96 = zeros"
odd_clamps = "u32 n:128 = zeros"
votes_of_parts = "u32 n:128 = zeros"
matches = "u32 n:160 = zeros"
reductions = "u32 n:288 = zeros"
sums_in_two_branches = "u32 n:32 = zeros"
ballots_in_a_divergent_loop = "u32 n:32 = zeros"
peers_by_key = "u32 n:32 = zeros"
elected = "u32 n:64 = zeros"
matrix_of_8x8 = "u32 n:64 = zeros"
*/
#include "corners.cuh"

/// Values and predicates of all modes at all distances.
__global__ void shuffles_in_full(u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[8] = {}, r, q;
  #define SHUFFLE(n, mode, b, c) asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(q) : "r"(t * 77), "r"(b), "r"(c)); fold(s[n], r), fold(s[n], q);
  for (u32 d = 0; d < 64; ++d) {
    SHUFFLE(0, "idx", d, 31) SHUFFLE(1, "up", d, 0) SHUFFLE(2, "down", d, 31) SHUFFLE(3, "bfly", d, 31)
    SHUFFLE(4, "idx", d + t, 0x181f) SHUFFLE(5, "up", d, 0x1000) SHUFFLE(6, "down", d, 0x1c1f) SHUFFLE(7, "bfly", d, 0x1803)
  }
  for (int k = 0; k < 8; ++k) out[32 * k + t] = s[k];
}

/// 64-bit values, halves and floats.
__global__ void shuffles_of_types(u32 *out) {
  const u32 t = threadIdx.x;
  const double d = __shfl_xor_sync(~0u, 1.5 * t, 5);
  const long long l = __shfl_up_sync(~0u, static_cast<long long>(t) << 35, 3, 8);
  const float f = __shfl_down_sync(~0u, t / 3.0f, 2, 4);
  out[t] = __double2hiint(d), out[32 + t] = static_cast<u32>(l >> 33), out[64 + t] = __float_as_uint(f);
}

/// Clamps and segment masks that no width gives.
__global__ void odd_clamps(u32 *out) {
  const u32 t = threadIdx.x;
  u32 s[4] = {}, r, q;
  for (u32 c = 0; c < 0x2000; c += 0x3b)
    for (u32 b : {1u, 3u, 9u, 30u}) {
      SHUFFLE(0, "down", b, c) SHUFFLE(1, "bfly", b, c) SHUFFLE(2, "idx", b, c) SHUFFLE(3, "up", b, c)
    }
  for (int k = 0; k < 4; ++k) out[32 * k + t] = s[k];
}

/// Each eighth of the warp votes alone.
__global__ void votes_of_parts(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 m = 0xfu << t / 4 * 4;
  out[t] = __ballot_sync(m, t % 3 == 0), out[32 + t] = __any_sync(m, t == 13), out[64 + t] = __all_sync(m, t < 14);
  u32 r;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 14; vote.sync.uni.pred p, p, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(t), "r"(m));
  out[96 + t] = r;
}

__global__ void matches(u32 *out) {
  const u32 t = threadIdx.x;
  int p, q;
  out[t] = __match_any_sync(~0u, t * t % 7), out[32 + t] = __match_any_sync(~0u, (t % 5 + 1ull) << 33);
  out[64 + t] = __match_all_sync(~0u, t / 40, &p) + p;
  out[96 + t] = __match_all_sync(0xffu << t / 8 * 8, t / 8, &q) + q;
  out[128 + t] = __match_any_sync(0x55555555u << t % 2, t / 4 % 3);
}

__global__ void reductions(u32 *out) {
  const u32 t = threadIdx.x;
  const u32 m = t < 11 ? 0x7ffu : ~0x7ffu, v = t * 0x9e3779b9u;
  out[t] = __reduce_add_sync(m, v), out[32 + t] = __reduce_min_sync(m, v), out[64 + t] = __reduce_max_sync(m, v), out[96 + t] = __reduce_and_sync(m, v | 0x10), out[128 + t] = __reduce_or_sync(m, v & 0xff0), out[160 + t] = __reduce_xor_sync(m, v);
  out[192 + t] = __reduce_min_sync(m, static_cast<int>(v)), out[224 + t] = __reduce_max_sync(m, static_cast<int>(v)), out[256 + t] = __reduce_add_sync(m, static_cast<int>(v));
}

/// The xor sums of both branches are the same operations.
__global__ void sums_in_two_branches(u32 *out) {
  const u32 t = threadIdx.x;
  u32 v;
  if (t < 16) {
    v = t;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  } else {
    v = 2 * t;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  }
  out[t] = v;
}

/// Lanes leave the loop one by one.
__global__ void ballots_in_a_divergent_loop(u32 *out) {
  const u32 t = threadIdx.x;
  u32 s = 0, m = ~0u;
  for (u32 k = 0; k < 40; ++k) {
    m = __ballot_sync(m, k < t + 3);
    if (k >= t + 3) break;
    s += __popc(m);
  }
  out[t] = s;
}

/// The loop over distinct keys, with the remaining lanes as mask.
__global__ void peers_by_key(u32 *out) {
  const u32 t = threadIdx.x;
  u32 key = t * 7 % 5, left = ~0u, r = 0;
  while (true) {
    const u32 leader = __shfl_sync(left, key, __ffs(left) - 1);
    const u32 peers = __ballot_sync(left, key == leader);
    if (key == leader) { r = peers; break; }
    left &= ~peers;
  }
  out[t] = r;
}

__global__ void elected(u32 *out) {
  const u32 t = threadIdx.x;
  u32 lane, leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(lane), "=r"(leader));
  out[t] = lane * 2 + leader;
  const u32 m = 0xf0f0f0f0u >> (t / 4 % 2 == 0 ? 4 : 0);
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }" : "=r"(lane), "=r"(leader) : "r"(m));
  out[32 + t] = lane * 2 + leader;
}

/// ldmatrix, its transposition, stmatrix and movmatrix.
__global__ void matrix_of_8x8(u32 *out) {
  const u32 t = threadIdx.x;
  __shared__ __align__(16) u16 s[64 * 4];
  for (u32 k = 0; k < 8; ++k) s[k * 32 + t] = k * 32 + t;
  __syncwarp();
  const u32 at = static_cast<u32>(__cvta_generic_to_shared(s + t * 8));
  u32 a, b, c, d, e, f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(e) : "r"(at) : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(f) : "r"(c));
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(d), "r"(b) : "memory");
  __syncwarp();
  u32 h = 0;
  fold(h, a), fold(h, b), fold(h, c), fold(h, d), fold(h, e), fold(h, f);
  out[t] = h, out[32 + t] = s[t * 2] | s[t * 2 + 1] << 16;
}
