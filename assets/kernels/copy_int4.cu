/*
A copy of any number of integers, 16 bytes a load. Up to 3 that are left over are copied by the first threads; both
arrays start at a multiple of 16 bytes.

[lanescope]
grid = 2
block = 128

[buffers]
p = "s32 i:2051"
q = { type = "s32", axes = "i:2051", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(128) copy_int4(const int *p, int *q, uint n)
{
    uint first = 128 * blockIdx.x + threadIdx.x, threads = 128 * gridDim.x;

    #pragma unroll 1
    for (uint i = first; i < n / 4; i += threads) {
        int4 x = ((const int4 *)p)[i];

        // x has the following register assignment:
        //   register:  r1 r0           <->  i1 i0
        //   thread:    t4 t3 t2 t1 t0  <->  i6 i5 i4 i3 i2
        //   warp:      w1 w0           <->  i8 i7

        ((int4 *)q)[i] = x;
    }

    uint rest = n - n % 4 + first;
    if (rest < n) q[rest] = p[rest];
}
