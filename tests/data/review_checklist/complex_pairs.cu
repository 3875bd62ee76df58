/* Complex halves, real part first.
[lanescope]
block = 64
[buffers]
z = "f16 n:128 ReIm:2"
w = "f16 n:128 ReIm:2 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(64) conjugate(const __half *z, __half *w)
{
    const uint2 raw = ((const uint2 *)z)[threadIdx.x];
    __half2 u0 = *(const __half2 *)&raw.x, u1 = *(const __half2 *)&raw.y;
    // u:
    //   simd:      ReIm
    //   register:  n0
    //   thread:    n5 n4 n3 n2 n1
    //   warp:      n6
    u0 = __halves2half2(__low2half(u0), __hneg(__high2half(u0)));
    u1 = __halves2half2(__low2half(u1), __hneg(__high2half(u1)));
    uint2 back;
    back.x = *(unsigned *)&u0;
    back.y = *(unsigned *)&u1;
    ((uint2 *)w)[threadIdx.x] = back;
}
