#pragma once
// Kernels made to mislead a judge that replaces data by ids, with the verdicts on their claim.

#include <string>

#include <fmt/format.h>

#include "kernels/claims/claims.h"

namespace lanescope::instrument::test {

struct Misled {
  const char* name;
  const char* body;         ///< of __global__ k(const uint *p, const uint *n, uint *q); the claim speaks of x
  claims::Verdict tags;     ///< with identities
  claims::Verdict ids;      ///< by ids: the same, or unchecked
  const char* reason = "";  ///< a part of it
  const char* rows = "t4 t3 t2 t1 t0 <-> i4 i3 i2 i1 i0";
};

inline const Misled misleading[] = {
    {"copy", "uint x = p[t];", claims::Verdict::holds, claims::Verdict::holds},
    {"gather", "uint x = p[n[t] & 31];", claims::Verdict::holds, claims::Verdict::holds},
    {"gather_elsewhere", "uint x = p[(n[t] & 31) ^ 1];", claims::Verdict::differs, claims::Verdict::differs},
    {"index_itself", "uint x = n[t]; q[x & 31] = 1;", claims::Verdict::holds, claims::Verdict::unchecked,
     "determine an address", "t4 t3 t2 t1 t0 <-> m4 m3 m2 m1 m0"},
    {"branch", "uint x = 0; if (n[t] < 100) x = p[t];", claims::Verdict::holds, claims::Verdict::holds},
    {"own_branch", "uint x = p[t]; if (x > 7) q[t + 32] = 5;", claims::Verdict::holds, claims::Verdict::unchecked,
     "determine a"},
    {"select_by_itself", "uint x = p[t]; x = x > 7 ? x : p[t ^ 1];", claims::Verdict::differs,
     claims::Verdict::unchecked, "determine"},
    {"minimum", "uint x = min(p[t], 5u);", claims::Verdict::holds, claims::Verdict::unchecked,
     "not checkable by element ids"},
    {"maximum_of_two", "uint x = max(p[t], p[t ^ 1]);", claims::Verdict::unchecked, claims::Verdict::unchecked},
    {"sum", "uint x = p[t] + p[t ^ 1];", claims::Verdict::unchecked, claims::Verdict::unchecked},
    {"increment", "uint x = p[t] + 1;", claims::Verdict::holds, claims::Verdict::unchecked,
     "not checkable by element ids"},
    {"rare", "uint x = p[t] | (p[t ^ 1] == 12345u);", claims::Verdict::holds, claims::Verdict::unchecked, "determine"},
    {"parity", "uint x = p[t] ^ p[t ^ 1];", claims::Verdict::unchecked, claims::Verdict::unchecked},
    {"parity_that_cancels", "uint x = p[t] ^ p[t ^ 1]; x ^= p[t ^ 1];", claims::Verdict::holds, claims::Verdict::holds},
    {"complement", "uint x = ~p[t];", claims::Verdict::holds, claims::Verdict::holds},
    {"reversed", "uint x = __brev(p[t]);", claims::Verdict::holds, claims::Verdict::holds},
    {"half_missing", "uint x = p[t] & 0xffff0000u;", claims::Verdict::differs, claims::Verdict::differs},
    {"or_of_everything", "uint x = __reduce_or_sync(~0u, p[t]);", claims::Verdict::unchecked,
     claims::Verdict::unchecked},
    {"and_of_many", "uint x = p[t] & p[t ^ 1] & p[t ^ 2] & p[t ^ 3] & p[t ^ 4] & p[t ^ 5] & p[t ^ 6] & p[t ^ 7];",
     claims::Verdict::unchecked, claims::Verdict::unchecked},
    {"nothing", "uint x = t * 3;", claims::Verdict::unchecked, claims::Verdict::unchecked},
    {"nothing_here_and_there", "uint x = t & 4 ? p[t] : 7u;", claims::Verdict::differs, claims::Verdict::differs},
    {"float_of_it", "uint x = __float_as_uint((float)p[t]);", claims::Verdict::holds, claims::Verdict::unchecked,
     "not checkable by element ids"},
    {"clock", "uint x = p[t]; q[t + 32] = (uint)clock64();", claims::Verdict::holds, claims::Verdict::holds},
    {"times_257", "uint x = ((p[t] & 0xff) * 257) & 0xff; x |= p[t] & 0xffffff00u;", claims::Verdict::holds,
     claims::Verdict::holds},
    {"through_shared", "__shared__ uint s[32]; s[t ^ 3] = p[t]; __syncthreads(); uint x = s[t ^ 3];",
     claims::Verdict::holds, claims::Verdict::holds},
    {"shared_elsewhere", "__shared__ uint s[32]; s[t ^ 3] = p[t]; __syncthreads(); uint x = s[t];",
     claims::Verdict::differs, claims::Verdict::differs},
    {"shuffle_by_data", "uint x = __shfl_sync(~0u, p[t], n[t]);", claims::Verdict::holds, claims::Verdict::holds},
    {"exchange", "uint x = atomicExch(q + t, p[t]); x = atomicExch(q + t, 0);", claims::Verdict::holds,
     claims::Verdict::unchecked, "not checkable by element ids"},
    {"through_q", "q[t] = p[t]; __syncthreads(); uint x = ((volatile uint *)q)[t];", claims::Verdict::holds,
     claims::Verdict::holds},
    {"masked_by_data", "uint x = p[t] & (n[t] | 0xfffffff0u);", claims::Verdict::holds, claims::Verdict::unchecked},
};

inline std::string source_of(const Misled& c) {
  return fmt::format(R"(/*
[lanescope]
block = 32
[buffers]
p = "u32 i:32"
n = "u32 m:32"
q = "u32 o:64 = zeros"
*/
__global__ void k(const uint *p, const uint *n, uint *q)
{{
    uint t = threadIdx.x;
    {}
    // x has the following register assignment:
    //   {}
    q[t] = x;
}}
)",
                     c.body, c.rows);
}

}  // namespace lanescope::instrument::test
