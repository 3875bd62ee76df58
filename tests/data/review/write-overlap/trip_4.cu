/*
Rows of a matrix, blocks half as far apart.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 j:8 k:1024"
q = "f32 j:8 k:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    unsigned at = 32 * blockIdx.x + threadIdx.x;
    for (unsigned row = 0; row < 8; ++row) q[1024 * row + at] = 1.5f * p[1024 * row + at];  // finds
}
