/*
The same sum as in rmse_atomic. Each thread first adds up every element that is its own in a register; one atomic a
thread remains.

[lanescope]
grid = 2
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
typedef unsigned long long ulong64;

__global__ void __launch_bounds__(128) rmse_private(const int *a, const int *b, ulong64 *sum, uint n)
{
    ulong64 own = 0;
    #pragma unroll 1
    for (uint i = 128 * blockIdx.x + threadIdx.x; i < n; i += 128 * gridDim.x) {
        int x = a[i], y = b[i];

        // x has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        // y has register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w1 w0           <->  i6 i5

        long long d = (long long)x - y;
        own += (ulong64)(d * d);
    }
    atomicAdd(sum, own);  // lanescope: expect atomic-one-address
}
