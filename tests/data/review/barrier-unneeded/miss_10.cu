/*
A barrier of a warp between lanes that exchange through shared memory.

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
    __syncwarp();
    q[threadIdx.x] = s[31 - threadIdx.x];
}
