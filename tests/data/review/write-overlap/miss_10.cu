/*
The last block to come overwrites what the others left.

[lanescope]
grid = 16
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
done = "u32 i:1 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q, unsigned *done)
{
    __shared__ bool last;
    q[64 * blockIdx.x + threadIdx.x] = p[64 * blockIdx.x + threadIdx.x];
    __threadfence();
    if (threadIdx.x == 0) last = atomicInc(done, 15) == 15;
    __syncthreads();
    if (last) q[threadIdx.x] = 0.0f;
}
