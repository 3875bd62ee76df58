/*
Wrong on purpose: one thread writes, another one reads, and nothing orders the two. Both are lanes of one
warp, so that the result is often right, but since compute capability 7.0 they need not run together.
update_synchronised has the barrier that is missing here.

[lanescope]
block = 2

[buffers]
x = "s32 i:1 = zeros"
y = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(2) update_race(int *x, int *y)
{
    if (threadIdx.x == 0) x[0] = 1;
    // lanescope: expect warp-sync-missing, divergence
    if (threadIdx.x == 1) y[0] = x[0];
}
