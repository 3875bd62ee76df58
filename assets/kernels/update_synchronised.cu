/*
One thread writes, a barrier follows, another thread reads: __syncthreads() orders accesses to global and to shared
memory among the threads of a block, so that x and y are both 1. update_race is the same without the barrier.

[lanescope]
block = 2

[buffers]
x = "s32 i:1 = zeros"
y = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(2) update_synchronised(int *x, int *y)
{
    // lanescope: expect divergence
    if (threadIdx.x == 0) x[0] = 1;
    __syncthreads();
    if (threadIdx.x == 1) y[0] = x[0];
}
