/*
Halves: the simd bit and the lower register bit change places.

[lanescope]
block = 32

[buffers]
p = "f16 j:4 k:64"

[buffers.q]
type = "f16"
axes = "j:4 k:64"
init = "zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(32) pairs(const __half2 *p, __half2 *q)
{
    uint lane = threadIdx.x;
    __half2 x0 = p[lane];
    __half2 x1 = p[lane + 32];
    __half2 x2 = p[lane + 64];
    __half2 x3 = p[lane + 96];

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r1 r0           <->  j1 j0
    //   thread:    t4 t3 t2 t1 t0  <->  k5 k4 k3 k2 k1

    __half2 y0 = __lows2half2(x0, x2);
    __half2 y1 = __highs2half2(x0, x2);
    __half2 y2 = __lows2half2(x1, x3);
    __half2 y3 = __highs2half2(x1, x3);

    // y has register assignment:
    //   simd:      s0              <->  j0
    //   register:  r1 r0           <->  j1 k0
    //   thread:    t4 t3 t2 t1 t0  <->  k5 k4 k3 k2 k1

    q[lane] = y0;
    q[lane + 32] = y1;
    q[lane + 64] = y2;
    q[lane + 96] = y3;
}
