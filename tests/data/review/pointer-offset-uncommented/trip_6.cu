/*
A comment that states no shapes.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Go to the row of this block.
    p = p + 64 * blockIdx.x;  // finds
    q[64 * blockIdx.x + threadIdx.x] = p[threadIdx.x];
}
