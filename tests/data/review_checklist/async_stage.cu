/* A tile comes by an asynchronous copy.
[lanescope]
grid = 2
block = 128
[buffers]
p = "f32 n:1024"
q = "f32 n:1024 = zeros"
*/
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128) staged(const float *p, float *q)
{
    __shared__ alignas(16) float s[512];
    // Per-block offsets
    //   before: shape (2,512), contiguous
    //   after: shape (512,), contiguous
    p += 512 * blockIdx.x;
    q += 512 * blockIdx.x;
    __pipeline_memcpy_async(&s[4 * threadIdx.x], p + 4 * threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const float4 v = ((const float4 *)s)[127 - threadIdx.x];
    ((float4 *)q)[threadIdx.x] = v;
}
