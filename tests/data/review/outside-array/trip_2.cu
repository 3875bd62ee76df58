/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "f32 i:64 = zeros"
*/
// A halo that the array has no room for.
__global__ void __launch_bounds__(64) k(float *q)
{
    __shared__ int before[16];
    __shared__ float tile[64];
    __shared__ int after[16];
    const int t = threadIdx.x;
    if (t < 16) before[t] = after[t] = t;
    tile[t] = t;
    __syncthreads();
    float sum = 0;
    for (int d = -1; d <= 1; d++) sum += tile[(t + d) % 66];  // finds
    q[t] = sum + before[t % 16] + after[15 - t % 16];
}
