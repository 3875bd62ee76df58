/*
Block and warp, one after the other.

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
    //   after: shape (2,32), contiguous
    p += 64 * blockIdx.x;

    // Apply per-warp offset
    //   before: shape=(2,32), strides (32, 1)
    //   after: shape=(32,), contiguous
    p += 32 * (threadIdx.x / 32);
    q[64 * blockIdx.x + threadIdx.x] = p[threadIdx.x % 32];
}
