/*
[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:64"
*/
#include <cstdio>
// The arguments of printf are doubles in any case, also where the call takes several lines.
__global__ void __launch_bounds__(64) k(float *p)
{
    float x = p[threadIdx.x] * 2, y = x + 1;
    if (threadIdx.x == 0)
        printf("x=%f, "
               "y=%f, p=%f\n",
               x, y,  // near
               p[0]);
    p[threadIdx.x] = x + y;
}
