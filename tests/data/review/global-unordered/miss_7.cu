/*
The last block sets the counter back for the next launch: whoever counted before did so behind a fence.

[lanescope]
grid = 4
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
count = "u64 i:1 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned long long *count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) q[1 + blockIdx.x] = p[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(count, 1ull) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < gridDim.x; ++i) sum += q[1 + i];
        q[0] = sum;
        *count = 0;
    }
}
