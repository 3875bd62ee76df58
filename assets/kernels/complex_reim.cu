/*
Complex float16+16 data: a __half2 holds the real and the imaginary part of one element, so s0 is the index ReIm. A local
transpose gathers real parts in one register and imaginary parts in the other.

[lanescope]
block = [32, 4]

[buffers]
z = "f16 i:8 k:32 ReIm:2"
out = "f16 i:8 k:32 ReIm:2 = zeros"
*/
#include <cuda_fp16.h>

__global__ void __launch_bounds__(128) complex_reim(const __half2 *z, __half2 *out)
{
    uint s = 64 * threadIdx.y + threadIdx.x;
    __half2 z0 = z[s];
    __half2 z1 = z[s + 32];

    __half2 a0 = __lows2half2(z0, z1);
    __half2 a1 = __highs2half2(z0, z1);

    out[s] = a0;
    out[s + 32] = a1;
}
