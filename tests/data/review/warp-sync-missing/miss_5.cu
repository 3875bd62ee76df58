/*
Halves of a warp synchronise by themselves.

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
    __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
    q[threadIdx.x] = s[threadIdx.x ^ 1];
}
