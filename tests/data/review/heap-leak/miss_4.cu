/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// The heap is full for some threads, which get null.
__global__ void __launch_bounds__(64) k(int *q)
{
    int *p = (int *)malloc(200000);
    q[threadIdx.x] = p != nullptr;
    free(p);
}
