/*
A recursive sum: each block adds the upper half of its part to the lower one, and its first thread launches a block of
half the threads for the rest. The barrier before the launch is needed: a child grid sees the writes that its thread
has seen, which without the barrier do not include those of other warps. The depth of the tree is the logarithm
of the part. In reduce_nested_unsynced the barrier is missing. reduce_tail needs no barrier and one grid a level.

[lanescope]
kernel = "reduce_nested"
grid = 4
block = 256
args = ["x", "sum", 256]

[buffers]
x = "s32 i:2048"
sum = "s32 i:4 = zeros"
*/
__global__ void __launch_bounds__(256) reduce_nested(int *x, int *sum, int half)
{
    // The part of this block: 2 * half elements.
    //   before: shape (2 * half * gridDim.x,), contiguous
    //   after: shape (2 * half,), contiguous
    int *own = x + 2 * half * blockIdx.x;
    // At the last level both words are neighbours.
    // lanescope: expect narrow-access
    own[threadIdx.x] += own[threadIdx.x + half];

    if (half == 1)
        sum[blockIdx.x] = own[0];
    else {
        __syncthreads();
        // lanescope: expect divergence
        if (threadIdx.x == 0)
            reduce_nested<<<1, half / 2>>>(own, sum + blockIdx.x, half / 2);
    }
}
