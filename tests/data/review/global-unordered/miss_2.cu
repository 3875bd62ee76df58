/*
The last block adds what the others wrote, behind fences.

[lanescope]
grid = 4
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
count = "u32 i:1 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        q[1 + blockIdx.x] = p[blockIdx.x];
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 32) {
        float sum = 0.0f;
        for (int i = 0; i < gridDim.x; ++i) sum += q[1 + i];
        q[0] = sum;
    }
}
