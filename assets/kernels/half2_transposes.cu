/*
A local transpose and a warp transpose of half-precision data.

Each warp loads 256 consecutive elements of p[i,j,k] with four 32-bit loads, exchanges s0 with r1 inside every thread,
then exchanges r0 with t2 across threads, and stores what it holds by now, register by register, to q.

[lanescope]
block = [32, 16]

[buffers]
p = "f16 i:16 j:16 k:16"

[buffers.q]
type = "f16"
axes = "i:16 j:16 k:16"
init = "zeros"
expect = "sha256 aa08dc4d380787b7da6d09ab8243b8fd6871afb291352a7f53679a5fe9487529"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(512) half2_transposes(const __half *p, __half *q)
{
    uint laneId = threadIdx.x;
    uint warpId = threadIdx.y;
    uint s = 2 * laneId + 256 * warpId;

    __half2 x0 = *((const __half2 *)(p + s));  // lanescope: expect narrow-access
    __half2 x1 = *((const __half2 *)(p + s + 64));
    __half2 x2 = *((const __half2 *)(p + s + 128));
    __half2 x3 = *((const __half2 *)(p + s + 192));

    // x has the following register assignment:
    //   simd:      s0              <->  k0
    //   register:  r1 r0           <->  j3 j2
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    // Local transpose s0 <-> r1.
    __half2 y0 = __lows2half2(x0, x2);
    __half2 y2 = __highs2half2(x0, x2);
    __half2 y1 = __lows2half2(x1, x3);
    __half2 y3 = __highs2half2(x1, x3);

    // y has register assignment:
    //   simd:      s0              <->  j3
    //   register:  r1 r0           <->  k0 j2
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    // Warp transpose r0 <-> t2: a thread with t2=0 keeps y0 and receives its partner's y0 into y1;
    // a thread with t2=1 keeps y1 and receives its partner's y1 into y0. The same for y2 and y3.
    __half2 tmp = (laneId & 0x4) ? y0 : y1;
    tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);
    y0 = (laneId & 0x4) ? tmp : y0;
    y1 = (laneId & 0x4) ? y1 : tmp;

    tmp = (laneId & 0x4) ? y2 : y3;
    tmp = __shfl_sync(~0u, tmp, laneId ^ 0x4);
    y2 = (laneId & 0x4) ? tmp : y2;
    y3 = (laneId & 0x4) ? y3 : tmp;

    // y has register assignment:
    //   simd:      s0              <->  j3
    //   register:  r1 r0           <->  k0 k3
    //   thread:    t4 t3 t2 t1 t0  <->  j1 j0 j2 k2 k1
    //   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0

    *((__half2 *)(q + s)) = y0;
    *((__half2 *)(q + s + 64)) = y1;
    *((__half2 *)(q + s + 128)) = y2;
    *((__half2 *)(q + s + 192)) = y3;
}
