/*
A warp too few.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Per-warp offset
    //   before: shape (3,32), contiguous
    //   after: shape (32,), contiguous
    p += 32 * (threadIdx.x / 32);
    q[threadIdx.x] = p[threadIdx.x % 32];
}
