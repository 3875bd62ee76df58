/*
Both warps set a flag in shared memory.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, unsigned *q)
{
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0 && p[threadIdx.x] > -1e30f) found = 1;  // finds
    __syncthreads();
    q[threadIdx.x] = found;
}
