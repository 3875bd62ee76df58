/*
Each thread walks a row.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Apply per-thread offset
    //   before: shape (64,8), contiguous
    //   after: shape (8,), contiguous
    p += 8 * threadIdx.x;
    float x = 0;
    for (int i = 0; i < 8; ++i) x += p[i];
    q[threadIdx.x] = x;
}
