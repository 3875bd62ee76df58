/*
After: a stride that nobody walks in.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (8,64), contiguous
    //   after: shape (64,), strides (2,)  // finds
    p += 64 * blockIdx.x;
    q += 64 * blockIdx.x;
    q[threadIdx.x] = p[threadIdx.x];
}
