/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "f32 i:64 = zeros"
*/
// A counter of each value, and one value too many.
__global__ void __launch_bounds__(64) k(float *q)
{
    __shared__ int counts[8];
    __shared__ int rest[32];
    const int t = threadIdx.x;
    if (t < 8) counts[t] = 0;
    if (t < 32) rest[t] = 0;
    __syncthreads();
    atomicAdd(&counts[t % 9], 1);  // finds
    __syncthreads();
    q[t] = counts[t % 8] + rest[t % 32];
}
