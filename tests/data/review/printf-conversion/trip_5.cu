/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// The wide one is in a branch of few lanes, after a conversion that is fine.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 63) printf("%lld %5td|\n", (long long)p[63], (long)p[62]);
}
