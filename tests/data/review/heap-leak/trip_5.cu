/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// A pointer is overwritten before it is freed.
__global__ void __launch_bounds__(64) k(int *q)
{
    int *p = (int *)malloc(8);  // finds
    p[0] = threadIdx.x;
    q[threadIdx.x] = p[0];
    p = (int *)malloc(8);
    p[0] = 1;
    q[threadIdx.x] += p[0];
    free(p);
}
