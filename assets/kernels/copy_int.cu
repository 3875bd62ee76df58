/*
A copy of any number of integers, 4 bytes a load: a loop over the grid that ends where the array ends.

[lanescope]
grid = 2
block = 128

[buffers]
p = "s32 i:2051"
q = { type = "s32", axes = "i:2051", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(128) copy_int(const int *p, int *q, uint n)
{
    uint first = 128 * blockIdx.x + threadIdx.x, threads = 128 * gridDim.x;

    #pragma unroll 1
    for (uint i = first; i < n; i += threads)
        q[i] = p[i];
}
