/*
Each thread whose element is zero modulo 100 adds 1 to one counter by an atomic: the order is open, the sum is not,
and the 11 zeros among 1,024 numbers are counted. count_zeros_race has no atomic.

[lanescope]
block = 1024

[buffers]
x = "s32 i:1024"
count = { type = "s32", axes = "i:1", init = "zeros", expect = [11] }
*/
__global__ void __launch_bounds__(1024) count_zeros_atomic(const int *x, int *count)
{
    if (x[threadIdx.x] % 100 == 0) atomicAdd(count, 1);
}
