/*
Per warp.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:8 j:64"
q = "f32 i:8 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    const int warp = threadIdx.x / 32;
    p += 32 * warp;  // finds
    q[threadIdx.x] = p[threadIdx.x % 32];
}
