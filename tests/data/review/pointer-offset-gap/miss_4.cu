/*
A padded array: nobody misses what lies between its rows.

[lanescope]
grid = 8
block = 48

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Apply per-block offset
    //   before: shape (8,48), strides (64, 1)
    //   after: shape (48,), contiguous
    p += 64 * blockIdx.x;
    q += 64 * blockIdx.x;
    q[threadIdx.x] = p[threadIdx.x];
}
