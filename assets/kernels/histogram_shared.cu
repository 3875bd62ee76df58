/*
The histogram of histogram_atomic with bins of its own in each block's shared memory. The values are counted there;
global memory gets one atomic for each bin and block, for any number of values.

[lanescope]
grid = 2
block = 128

[buffers]
values = "u32 i:1024 = random 3"
bins = "s32 v:64 = zeros"
*/
__global__ void __launch_bounds__(128) histogram_shared(const uint *values, int *bins, uint n)
{
    __shared__ int own[64];

    if (threadIdx.x < 64) own[threadIdx.x] = 0;
    __syncthreads();

    #pragma unroll 1
    for (uint i = 128 * blockIdx.x + threadIdx.x; i < n; i += 128 * gridDim.x)
        atomicAdd(&own[values[i] % 64], 1);
    __syncthreads();

    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
