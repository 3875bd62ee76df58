/*
The blur of blur_once turned around: each thread adds its element to three places instead of reading three. Threads
conflict at every place, so each addition is an atomic: three for an element, where blur_once has one store. Integers,
four times the blur, because sums of floats depend on the order of the atomics.

[lanescope]
grid = 8
block = 128

[buffers]
in = "s32 i:1024"
out = "s32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) blur_scatter(const int *in, int *out, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i >= n) return;

    int x = in[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b2 b1 b0        <->  i9 i8 i7

    atomicAdd(&out[max(i, 1) - 1], x);
    atomicAdd(&out[i], 2 * x);
    atomicAdd(&out[min(i + 1, n - 1)], x);
}
