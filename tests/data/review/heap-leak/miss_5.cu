/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// Memory of the host's, and shared memory: no heap.
__global__ void __launch_bounds__(64) k(int *q)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    q[threadIdx.x] = s[threadIdx.x] + 1;
}
