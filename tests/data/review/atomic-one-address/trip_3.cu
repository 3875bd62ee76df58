/*
The sum of a block in shared memory: the loop of compare-and-swap runs once more for each lane.

[lanescope]
grid = 2
block = 64

[buffers]
p = "f32 i:128"
q = "f32 i:4 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, p[64 * blockIdx.x + threadIdx.x]);  // finds
    __syncthreads();
    if (threadIdx.x == 0) q[blockIdx.x] = sum;
}
