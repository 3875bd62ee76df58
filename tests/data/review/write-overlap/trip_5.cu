/*
Warps of a block write each other's elements.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    q[threadIdx.x / 2] = p[threadIdx.x];
    q[32 + threadIdx.x % 32] = p[threadIdx.x];  // finds
}
