// Half2 transposes.
#include <cuda_fp16.h>

// This code assumes 16 warps, blockDim = {32,16}.
// Pointer to a 3-d array in global GPU memory p[i,j,k], shape (16,16,16).
__global__ void __launch_bounds__(512) f(__half *p)
{
uint laneId = threadIdx.x;
uint warpId = threadIdx.y;

// Read data from global GPU memory
uint s = 2*laneId + 256*warpId;
__half2 x0 = *((__half2 *) (p+s));
__half2 x1 = *((__half2 *) (p+s+64));
__half2 x2 = *((__half2 *) (p+s+128));
__half2 x3 = *((__half2 *) (p+s+192));

// x has the following register assigment.
// See below for an explanation of this "register assignment" notation.
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

// Continuing the example above, 'y' has register assignment:
//   simd:      j3
//   register:  k0 j2
//   thread:    j1 j0 k3 k2 k1
//   warp:      i3 i2 i1 i0

__half2 tmp = (threadIdx.x & 0x4) ? y0 : y1;  // bit mask for t2
tmp = __shfl_sync(~0u, tmp, threadIdx.x ^ 0x4);
y0 = (threadIdx.x & 0x4) ? tmp : y0;
y1 = (threadIdx.x & 0x4) ? y1 : tmp;

tmp = (threadIdx.x & 0x4) ? y2 : y3;
tmp = __shfl_sync(~0u, tmp, threadIdx.x ^ 0x4);
y2 = (threadIdx.x & 0x4) ? tmp : y2;
y3 = (threadIdx.x & 0x4) ? y3 : tmp;

// Now the y-array has been shuffled into a new register assignment:
//   simd:      j3               (unchanged)
//   register:  k0 k3
//   thread:    j1 j0 j2 k2 k1
//   warp:      i3 i2 i1 i0      (unchanged)
if (laneId < 32)
  *((__half2 *) (p+s)) = y0; else p[0] = __float2half(1.f);
((__half2 *) (p+s+64))[0] = y1;
((__half2 *) (p+s+128))[0] = y2;
((__half2 *) (p+s+192))[0] = y3;
}
