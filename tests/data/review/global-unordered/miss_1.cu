/*
Each block reads its own.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[32 * blockIdx.x + threadIdx.x] = p[32 * blockIdx.x + threadIdx.x];
    __syncthreads();
    q[64 + 32 * blockIdx.x + threadIdx.x] = q[32 * blockIdx.x + 31 - threadIdx.x];
}
