/*
Grids that launch grids, half as many threads each time: 8 + 4 + 2 + 1 threads say where they are for each block of the
first grid, and thread 0 of three of the grids says that it has launched another one. The blocks of all further grids have
the number 0, since each of these grids has one block.

[lanescope]
grid = 2
block = 8
args = ["greetings", 8, 0]

[buffers]
greetings = { type = "u32", axes = "depth:4", init = "zeros", expect = [16, 8, 4, 2] }
*/
#include <cstdio>

__global__ void nested_hello(unsigned *greetings, int threads, int depth)
{
    atomicAdd(&greetings[depth], 1u);
    printf("level %d: thread %d of block %d\n", depth, threadIdx.x, blockIdx.x);
    if (threads == 1) return;
    if (threadIdx.x == 0) {
        nested_hello<<<1, threads / 2>>>(greetings, threads / 2, depth + 1);
        printf("level %d: launched\n", depth);
    }
}
