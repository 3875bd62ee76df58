/*
A __syncwarp() of half of the warp parts nothing in the other half.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[32];
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x < 16) __syncwarp(0x0000ffff);
    q[threadIdx.x] = s[threadIdx.x ^ 1];  // finds
}
