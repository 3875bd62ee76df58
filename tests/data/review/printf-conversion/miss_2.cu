/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// A width from an argument, a percent sign, and the letters of a conversion after it.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x < 2) printf("%*d%%zu %-*d| %.3f\n", 6, p[threadIdx.x], 6, p[threadIdx.x], p[1] * 0.5);
}
