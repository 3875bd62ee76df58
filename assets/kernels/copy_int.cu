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
    for (uint i = first; i < n; i += threads) {
        int x = p[i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        q[i] = x;
    }
}
