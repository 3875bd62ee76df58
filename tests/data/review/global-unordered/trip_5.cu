/*
The last block adds what the others wrote, but nobody executes a fence.

[lanescope]
grid = 4
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
count = "u32 i:1 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q, unsigned *count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        q[1 + blockIdx.x] = p[blockIdx.x];
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < gridDim.x; ++i) sum += q[1 + i];  // finds
        q[0] = sum;
    }
}
