/*
Wrong on purpose: a histogram of values modulo 64 whose bins are incremented without atomics. Equal values in a warp
count once, equal values of two warps count once or twice, and the sum over all bins is below the number of values.
histogram_atomic and histogram_shared count all.

[lanescope]
grid = 8
block = 128

[buffers]
values = "u32 i:1024 = random 3"
bins = "s32 v:64 = zeros"
*/
__global__ void __launch_bounds__(128) histogram_race(const uint *values, int *bins, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    // lanescope: expect warp-sync-missing, global-unordered, partial-lines
    if (i < n) bins[values[i] % 64] += 1;
}
