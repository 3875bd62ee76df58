/*
A barrier of the grid, by blocks of one thread: it orders blocks, and its parts order nothing within a block.

[lanescope]
grid = 8
block = 1

[buffers]
p = "s32 i:8 = zeros"
q = "s32 i:8 = zeros"
*/
#include <cooperative_groups.h>

__global__ void __launch_bounds__(1) k(int *p, int *q)
{
    p[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();  // near
    q[blockIdx.x] = p[7 - blockIdx.x];
}
