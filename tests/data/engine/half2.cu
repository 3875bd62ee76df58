/*
The local transpose and the warp transpose of the register assignment notes, with their claims.

[lanescope]
block = [32, 16]

[buffers]
p = "f16 i:16 j:16 k:16"
q = "f16 i:16 j:16 k:16 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(512) transposes(const __half *p, __half *q)
{
    uint laneId = threadIdx.x;
    uint warpId = threadIdx.y;
    uint s = 2 * laneId + 256 * warpId;

    __half2 x0 = *((const __half2 *)(p + s));
    __half2 x1 = *((const __half2 *)(p + s + 64));
    __half2 x2 = *((const __half2 *)(p + s + 128));
    __half2 x3 = *((const __half2 *)(p + s + 192));

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r1 r0           <->  j3 j2
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    __half2 y0 = __lows2half2(x0, x2);
    __half2 y2 = __highs2half2(x0, x2);
    __half2 y1 = __lows2half2(x1, x3);
    __half2 y3 = __highs2half2(x1, x3);

    // Now the y array is the same logical array as x, but with a new register assignment:
    //   simd:      j3
    //   register:  k0 j2
    //   thread:    j1 j0 k3 k2 k1   (unchanged)
    //   warp:      i3 i2 i1 i0      (unchanged)

    __half2 tmp = (laneId & 0x4) ? y0 : y1;
    tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);
    y0 = (laneId & 0x4) ? tmp : y0;
    y1 = (laneId & 0x4) ? y1 : tmp;

    tmp = (laneId & 0x4) ? y2 : y3;
    tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);
    y2 = (laneId & 0x4) ? tmp : y2;
    y3 = (laneId & 0x4) ? y3 : tmp;

    // Now the y-array has been shuffled into a new register assignment:
    //   simd:      j3               (unchanged)
    //   register:  k0 k3
    //   thread:    j1 j0 j2 k2 k1
    //   warp:      i3 i2 i1 i0      (unchanged)

    *((__half2 *)(q + s)) = y0;
    *((__half2 *)(q + s + 64)) = y1;
    *((__half2 *)(q + s + 128)) = y2;
    *((__half2 *)(q + s + 192)) = y3;
}
