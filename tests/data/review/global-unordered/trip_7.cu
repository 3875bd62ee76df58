/*
The counter is set back by a block that has not seen that the others have counted.

[lanescope]
grid = 4
block = 64

[buffers]
q = "u32 i:1024 = zeros"
count = "u32 i:1 = zeros"
*/
__global__ void __launch_bounds__(64) k(unsigned *q, unsigned *count)
{
    if (threadIdx.x == 0) {
        q[blockIdx.x] = 1;
        __threadfence();
        atomicAdd(count, 1);
    }
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 32) *count = 0;  // finds
}
