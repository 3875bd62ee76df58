/*
Columns.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Per-block offset
    //   before: shape (64, 8), contiguous
    //   after: shape (64,), strides (8,)
    p += blockIdx.x;
    q[64 * blockIdx.x + threadIdx.x] = p[8 * threadIdx.x];
}
