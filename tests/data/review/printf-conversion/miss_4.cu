/*
[lanescope]
grid = 1
block = 64
[buffers]
p = "s32 i:64 = iota"
*/
// Never printed: only the other branch is compiled for the device.
#include <cstdio>
__host__ __device__ void print(int n)
{
#ifdef __CUDA_ARCH__
    if (n == 0) printf("%d\n", n);
#else
    printf("%zu\n", (unsigned long)n);
#endif
}
__global__ void __launch_bounds__(64) k(const int *p)
{
    print(p[0]);
}
