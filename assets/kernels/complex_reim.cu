/*
Complex float16+16 data: a __half2 holds the real and the imaginary part of one element, so s0 is the index ReIm. A
local transpose gathers real parts in one register and imaginary parts in the other.

[lanescope]
block = [32, 4]

[buffers]
z = "f16 i:8 k:32 ReIm:2"

[buffers.out]
type = "f16"
axes = "i:8 k:32 ReIm:2"
init = "zeros"
expect = "sha256 af3a7455f66adf889cb0ff3c85cdf95108102b5a8adea7eaa6f2aee3b55f7097"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(128) complex_reim(const __half2 *z, __half2 *out)
{
    uint s = 64 * threadIdx.y + threadIdx.x;
    __half2 z0 = z[s];  // lanescope: expect narrow-access
    __half2 z1 = z[s + 32];

    // z has the following register assignment:
    //   simd:      s0              <->  ReIm
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0
    //   warp:      w1 w0           <->  i2 i1

    // Local transpose s0 <-> r0.
    __half2 a0 = __lows2half2(z0, z1);
    __half2 a1 = __highs2half2(z0, z1);

    // a has register assignment:
    //   simd:      s0              <->  i0
    //   register:  r0              <->  ReIm
    //   thread:    t4 t3 t2 t1 t0  <->  k4 k3 k2 k1 k0
    //   warp:      w1 w0           <->  i2 i1

    out[s] = a0;
    out[s + 32] = a1;
}
