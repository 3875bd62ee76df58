/*
A column for each warp, and rows are stated.

[lanescope]
grid = 1
block = 512

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(512) k(const float *p, float *q)
{
    // Apply per-warp offset
    //   before: shape (32,16), contiguous
    //   after: shape (32,), contiguous  // finds
    p += threadIdx.x / 32;
    q[threadIdx.x] = p[16 * (threadIdx.x % 32)];
}
