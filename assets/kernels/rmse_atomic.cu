/*
The sum of squared differences of two arrays; the root of its mean is their RMSE. Here each element is added by an
atomic of its own: all of them use one address and take turns.

[lanescope]
grid = 8
block = 128

[buffers]
a = "s32 i:1024"
b = "s32 i:1024 = 500"
sum = { type = "u64", axes = "i:1", init = "zeros", expect = [89613824] }
*/
typedef unsigned long long ulong64;

__global__ void __launch_bounds__(128) rmse_atomic(const int *a, const int *b, ulong64 *sum, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i >= n) return;

    int x = a[i], y = b[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b2 b1 b0        <->  i9 i8 i7

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b2 b1 b0        <->  i9 i8 i7

    long long d = (long long)x - y;
    atomicAdd(sum, (ulong64)(d * d));  // lanescope: expect atomic-one-address
}
