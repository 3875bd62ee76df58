/*
A barrier of a warp behind a shuffle, which has waited for the same lanes.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    float x = p[threadIdx.x];
    x += __shfl_xor_sync(0xffffffff, x, 1);
    __syncwarp();  // finds
    q[threadIdx.x] = x;
}
