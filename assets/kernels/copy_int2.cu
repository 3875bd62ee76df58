/*
A copy of any number of integers, 8 bytes a load. One that is left over is copied by the first thread; both arrays
start at a multiple of 8 bytes.

[lanescope]
grid = 2
block = 128

[buffers]
p = "s32 i:2051"
q = { type = "s32", axes = "i:2051", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(128) copy_int2(const int *p, int *q, uint n)
{
    uint first = 128 * blockIdx.x + threadIdx.x, threads = 128 * gridDim.x;

    #pragma unroll 1
    for (uint i = first; i < n / 2; i += threads) {
        int2 x = ((const int2 *)p)[i];

        // x has the following register assignment:
        //   register:  r0              <->  i0
        //   thread:    t4 t3 t2 t1 t0  <->  i5 i4 i3 i2 i1
        //   warp:      w1 w0           <->  i7 i6

        ((int2 *)q)[i] = x;
    }

    uint rest = n - n % 2 + first;
    if (rest < n) q[rest] = p[rest];
}
