/*
All blocks meet between writing and reading.

[lanescope]
grid = 3
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
count = "u32 i:1 = zeros"
*/
__device__ void meet(unsigned *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
}
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *count)
{
    q[64 * blockIdx.x + threadIdx.x] = p[64 * blockIdx.x + threadIdx.x];
    meet(count);
    q[512 + 64 * blockIdx.x + threadIdx.x] = q[64 * ((blockIdx.x + 1) % gridDim.x) + 63 - threadIdx.x];
}
