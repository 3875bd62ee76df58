/*
[lanescope]
grid = 4
block = 64
[[launch]]
kernel = "make"
[[launch]]
kernel = "drop"
[buffers]
q = "s32 i:256 = zeros"
*/
// One thread of each block allocates for all of them; the last launch frees the first half.
__device__ int *held[4];
__global__ void __launch_bounds__(64) make()
{
    if (threadIdx.x == 0) {
        held[blockIdx.x] = (int *)malloc(64 * sizeof(int));  // finds
    }
    __syncthreads();
    if (held[blockIdx.x]) held[blockIdx.x][threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(64) drop(int *q)
{
    q[blockIdx.x * 64 + threadIdx.x] = held[blockIdx.x][threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x < 2) free(held[blockIdx.x]);
}
