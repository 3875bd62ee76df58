/* Two packed rows become pairs of one column.
[lanescope]
block = 32
[buffers]
m = "f16 r:2 c:64"
t = "f16 c:64 r:2 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(32) pair_up(const __half *__restrict__ m, __half *__restrict__ t)
{
    const __half2 *rows = (const __half2 *)m;
    __half2 a0 = rows[threadIdx.x];
    __half2 a1 = rows[threadIdx.x + 32];
    // a is assigned
    //   simd:      c0
    //   register:  r0
    //   thread:    c5 c4 c3 c2 c1

    __half2 b0 = __lows2half2(a0, a1);
    __half2 b1 = __highs2half2(a0, a1);
    // b is assigned (simd and register have changed places)
    //   simd:      r0
    //   register:  c0
    //   thread:    c5 c4 c3 c2 c1

    ((uint2 *)t)[threadIdx.x] = make_uint2(*(unsigned *)&b0, *(unsigned *)&b1);
}
