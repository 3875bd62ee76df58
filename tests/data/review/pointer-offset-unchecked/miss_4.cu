/*
Only what holds after the offset.

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
    //   after: shape (64,), contiguous
    p += 64 * blockIdx.x;
    q[64 * blockIdx.x + threadIdx.x] = p[threadIdx.x];
}
