/* Warps take every eighth row.
[lanescope]
grid = 2
block = [32, 8]
[buffers]
p = "f32 half:2 row:64 col:32"
q = "f32 half:2 row:64 col:32 = zeros"
*/
__global__ void __launch_bounds__(256) every_eighth(const float *p, float *q)
{
    // per block
    //   before: shape (2,64,32), contiguous
    //   after: shape (64,32), contiguous
    p += 2048 * blockIdx.x;
    // per block
    //   before: shape (2,64,32), contiguous
    //   after: shape (64,32), contiguous
    q += 2048 * blockIdx.x;
    // per warp
    //   before: shape (64,32), contiguous
    //   after: shape (8,32), strides (256,1)
    p += 32 * threadIdx.y;
    // per warp
    //   before: shape (64,32), contiguous
    //   after: shape (8,32), strides (256,1)
    q += 32 * threadIdx.y;
    for (int k = 0; k < 8; ++k) q[256 * k + threadIdx.x] = 2.0f * p[256 * k + threadIdx.x];
}
