/*
Names with values.

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
    //   before: shape (gridDim.x, blockDim.x), contiguous
    //   after: shape (blockDim.x,), contiguous
    p += 64 * blockIdx.x;
    q += 64 * blockIdx.x;
    q[threadIdx.x] = p[threadIdx.x];
}
