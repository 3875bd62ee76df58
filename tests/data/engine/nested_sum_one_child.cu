/*
The sums of nested_sum.cu with one child for the whole grid: only the first block launches, a grid of as many blocks with half as
many threads. Six grids in all, where nested_sum.cu has 21.

[lanescope]
grid = 4
block = 32
args = ["p", "sums", 32, 64]

[buffers]
p = "s32 block:4 i:64"
sums = { type = "s32", axes = "block:4", init = "zeros", expect = [2016, 6112, 10208, 14304] }
*/
__global__ void nested_sum_one_child(int *p, int *sums, int stride, int size)
{
    int *own = p + blockIdx.x * size;
    if (stride == 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = own[0] + own[1];
        return;
    }
    own[threadIdx.x] += own[threadIdx.x + stride];
    if (threadIdx.x == 0 && blockIdx.x == 0)
        nested_sum_one_child<<<gridDim.x, stride / 2>>>(p, sums, stride / 2, size);
}
