/*
Bins that nobody has set to zero.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ unsigned bins[16];
    atomicAdd(&bins[threadIdx.x % 16], 1u);  // finds
    __syncthreads();
    if (threadIdx.x < 16) q[threadIdx.x] = bins[threadIdx.x];
}
