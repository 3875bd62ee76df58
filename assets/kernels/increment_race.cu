/*
Wrong on purpose: two threads increment one number. Each reads, adds and writes; when both read before either writes,
one increment is lost, and 1 is left instead of 2. increment_atomic does the three steps as one.

[lanescope]
block = 2

[buffers]
x = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(2) increment_race(int *x)
{
    // lanescope: expect warp-sync-missing
    ++x[0];
}
