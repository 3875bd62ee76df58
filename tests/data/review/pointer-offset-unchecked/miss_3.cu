/*
Before and after in prose.

[lanescope]
grid = 8
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    // Before the loop p points to rows, after it to columns.
    q[64 * blockIdx.x + threadIdx.x] = p[64 * blockIdx.x + threadIdx.x];
}
