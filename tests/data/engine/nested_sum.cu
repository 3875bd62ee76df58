/*
Sums by grids that launch grids, one child for each block, without a barrier: the first half of the threads adds the elements of
the second half, and thread 0 launches a grid of half as many threads for the rest. A child sees what its parent wrote before.

[lanescope]
grid = 4
block = 64
args = ["p", "sums", 64]

[buffers]
p = "s32 block:4 i:64"
sums = { type = "s32", axes = "block:4", init = "zeros", expect = [2016, 6112, 10208, 14304] }
*/
__global__ void nested_sum(int *p, int *sums, int n)
{
    int *own = p + blockIdx.x * blockDim.x;
    if (n == 2 && threadIdx.x == 0) {
        sums[blockIdx.x] = own[0] + own[1];
        return;
    }
    int half = n / 2;
    if (half > 1 && threadIdx.x < half) {
        own[threadIdx.x] += own[threadIdx.x + half];
        __syncwarp();
        if (threadIdx.x == 0) nested_sum<<<1, half>>>(own, sums + blockIdx.x, half);
    }
}
