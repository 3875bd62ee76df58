/*
Each element becomes a quarter of its left neighbour, twice itself and its right neighbour; beyond the ends the array
continues with its last value. The three loads of a warp touch nearly the same lines, which is what caches are for.
blur_shared_static loads each element once, blur_scatter adds it to three results.

[lanescope]
grid = 8
block = 128

[buffers]
in = "f32 i:1024"

[buffers.out]
type = "f32"
axes = "i:1024"
init = "zeros"
expect = "sha256 6d6c461b757a920d380a1f17288a7414e2a14d61ba8ad97033cbd22090d03ae3"
*/
__global__ void __launch_bounds__(128) blur_once(const float *in, float *out, uint n)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    if (i >= n) return;

    float x = in[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b2 b1 b0        <->  i9 i8 i7

    // lanescope: expect partial-lines (a neighbour lies beyond the line)
    out[i] = 0.25f * (in[max(i, 1) - 1] + 2 * x + in[min(i + 1, n - 1)]);
}
