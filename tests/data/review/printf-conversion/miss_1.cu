/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// The sizes that device code has.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 0) printf("%hd %d %ld %lld %llu\n", p[1], p[2], (long)p[3], (long long)p[4], (unsigned long long)sizeof(float));
}
