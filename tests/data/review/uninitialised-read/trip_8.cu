/*
The first block fills shared memory, which the others do not have.

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
    if (blockIdx.x == 0) s[63 - threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[64 * blockIdx.x + threadIdx.x] = s[threadIdx.x];  // finds
}
