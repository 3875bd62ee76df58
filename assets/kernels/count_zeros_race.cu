/*
Wrong on purpose: each thread whose element is zero modulo 100 adds 1 to one counter, without an atomic. There are 11
such elements; where two threads read the counter before either writes it, a count is lost. count_zeros_atomic counts
all.

[lanescope]
block = 1024

[buffers]
x = "s32 i:1024"
count = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(1024) count_zeros_race(const int *x, int *count)
{
    // lanescope: expect global-unordered
    if (x[threadIdx.x] % 100 == 0) *count += 1;
}
