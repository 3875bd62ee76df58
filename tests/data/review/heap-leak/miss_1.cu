/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// Freed where it was allocated.
__global__ void __launch_bounds__(64) k(int *q)
{
    int *p = (int *)malloc(16);
    if (!p) return;
    p[0] = threadIdx.x;
    q[threadIdx.x] = p[0];
    free(p);
}
