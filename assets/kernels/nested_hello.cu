/*
Threads that greet, then a child grid of half as many, launched by the first of them, down to one thread. A grid has
ended when its child grids have: the host waits for the whole tree with one call. Device code cannot wait for its own
launches since CUDA 12. In reduce_nested such a tree does some work.

[lanescope]
kernel = "nested_hello"
grid = 1
block = 8
args = ["seen", 0]

[buffers]
seen = "s32 depth:4 i:8 = zeros"
*/
__global__ void __launch_bounds__(8) nested_hello(int *seen, int depth)
{
    printf("depth %d: hello from thread %u of %u\n", depth, threadIdx.x, blockDim.x);
    seen[8 * depth + threadIdx.x] = blockDim.x;

    // lanescope: expect divergence
    if (threadIdx.x == 0 && blockDim.x > 1)
        nested_hello<<<1, blockDim.x / 2>>>(seen, depth + 1);
}
