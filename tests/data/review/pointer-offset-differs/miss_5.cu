/*
A new pointer gets the offset, and N is an argument.

[lanescope]
grid = 8
block = 64
args = ["p", "q", 8]

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, int N)
{
    // Per-block offset
    //   before: shape (N, 64), contiguous
    //   after: shape (64,), contiguous
    const float *row = p + 64 * blockIdx.x;
    q[64 * blockIdx.x + threadIdx.x] = row[threadIdx.x];
}
