/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// Strings, characters and pointers.
#include <cstdio>
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 0) printf("%s %10s %-5s| %c %p %.2s %#x %+d % d %05d\n", "a", "b", "c", 'd', p, "efg", p[7], p[8], p[9], p[10]);
}
