/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// The precision comes from an argument.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 3) printf("%d: %.*f\n", p[3], 2, p[3] * 0.5);
}
