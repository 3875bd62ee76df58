/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// A byte, in a function.
#include <cstdio>
__device__ __noinline__ void print(int value)
{
    if (value == 7) printf("%hhd\n", value);
}
__global__ void __launch_bounds__(64) k(const int *p)
{
    print(p[threadIdx.x]);
}
