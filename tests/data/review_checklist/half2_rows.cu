/* Scales rows of halves that one block of four warps keeps in registers.
[lanescope]
block = 128
[buffers]
src = "f16 c:8 y:8 x:32"
dst = "f16 c:8 y:8 x:32 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(128) scale_rows(const __half *src, __half *dst)
{
    const unsigned lane = threadIdx.x & 31;
    const unsigned warp = threadIdx.x >> 5;
    const unsigned first = 2 * lane + 512 * warp;

    __half2 v[8];
    for (int r = 0; r < 8; ++r)
        v[r] = *(const __half2 *)(src + first + 64 * r);
    // v has the register assignment:
    //   simd:      x0
    //   register:  c0 y2 y1
    //   thread:    y0 x4 x3 x2 x1
    //   warp:      c2 c1

    for (int r = 0; r < 8; ++r)
        *(__half2 *)(dst + first + 64 * r) = __hmul2(v[r], __float2half2_rn(0.5f));
}
