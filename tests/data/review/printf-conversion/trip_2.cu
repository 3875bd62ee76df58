/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// A string after it: on an H200 the kernel ends with an illegal address.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x < 2) printf("%zd of %s\n", (long)p[threadIdx.x], "p");
}
