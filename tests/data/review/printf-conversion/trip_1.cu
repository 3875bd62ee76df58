/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// The size of an array, as one prints it on the host.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 0) printf("%zu bytes\n", sizeof(float) * p[5]);
}
