/*
Only the first block fills the tile: blocks do not share it.

[lanescope]
block = 64
grid = 2

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    if (blockIdx.x == 0) s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];  // finds
}
