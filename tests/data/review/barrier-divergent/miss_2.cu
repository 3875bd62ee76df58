/*
A condition that is the same in the whole block.

[lanescope]
grid = 4
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[threadIdx.x];
    if (blockIdx.x % 2 == 0) __syncthreads();
    q[64 * blockIdx.x + threadIdx.x] = s[blockIdx.x % 2 == 0 ? 63 - threadIdx.x : threadIdx.x];
}
