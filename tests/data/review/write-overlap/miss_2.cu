/*
A tail without threads, and a last block that is cut off.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    unsigned at = 64 * blockIdx.x + threadIdx.x;
    if (at < 1000) q[at] = p[at];
}
