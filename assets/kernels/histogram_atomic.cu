/*
A histogram of values modulo 64, an atomic for each value: right, but all blocks use the same 64 addresses of
global memory. histogram_race has no atomics; histogram_shared counts in each block first.

[lanescope]
grid = 8
block = 128

[buffers]
values = "u32 i:1024 = random 3"
bins = "s32 v:64 = zeros"
*/
__global__ void __launch_bounds__(128) histogram_atomic(const uint *values, int *bins, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[values[i] % 64], 1);
}
