/*
A constant.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
constexpr int rows = 2 * 4;
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (rows, 64), contiguous
    //   after: shape (64,), contiguous
    p += 64 * blockIdx.x;
    q += 64 * blockIdx.x;
    q[threadIdx.x] = p[threadIdx.x];
}
