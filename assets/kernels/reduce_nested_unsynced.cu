/*
Wrong on purpose: reduce_nested without the barrier before the launch. A child grid sees the writes of the launching
thread and the writes that this thread has seen, nothing else: other threads of its block may add after
the child has read. If the block is one warp the result is mostly right on hardware, but not guaranteed.

[lanescope]
kernel = "reduce_nested_unsynced"
grid = 4
block = 256
args = ["x", "sum", 256]

[buffers]
x = "s32 i:2048"
sum = "s32 i:4 = zeros"
*/
__global__ void __launch_bounds__(256) reduce_nested_unsynced(int *x, int *sum, int half)
{
    // The part of this block: 2 * half elements.
    //   before: shape (2 * half * gridDim.x,), contiguous
    //   after: shape (2 * half,), contiguous
    int *own = x + 2 * half * blockIdx.x;
    // At the last level both words are neighbours.
    // lanescope: expect narrow-access, global-unordered
    own[threadIdx.x] += own[threadIdx.x + half];

    if (half == 1)
        sum[blockIdx.x] = own[0];
    // lanescope: expect divergence
    else if (threadIdx.x == 0)
        reduce_nested_unsynced<<<1, half / 2>>>(own, sum + blockIdx.x, half / 2);
}
