/*
A barrier of the warp in half of the warps.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x < 32) __syncwarp();
    q[threadIdx.x] = s[threadIdx.x];
}
