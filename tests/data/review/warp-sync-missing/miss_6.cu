/*
Atomics of the lanes of a warp, and a barrier before they are read.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ int s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncwarp();
    atomicAdd(&s[threadIdx.x / 8], 1);
    __syncwarp();
    q[threadIdx.x] = p[threadIdx.x] * s[threadIdx.x % 4];
}
