/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// Host code may.
#include <cstdio>
void host(unsigned long n)
{
    printf("%zu %.*f\n", n, 2, 3.5);
}
__global__ void __launch_bounds__(64) k(const int *p)
{
    if (threadIdx.x == 0) printf("%d\n", p[0]);
}
