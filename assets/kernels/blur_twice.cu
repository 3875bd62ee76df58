/*
Two blurs in two passes (see blur_once): what the first launch writes, the second reads again.

[lanescope]
kernel = "blur"
grid = 8
block = 128

[[launch]]
args = ["in", "between", 1024]

[[launch]]
args = ["between", "out", 1024]

[buffers]
in = "f32 i:1024"
between = "f32 i:1024 = zeros"

[buffers.out]
type = "f32"
axes = "i:1024"
init = "zeros"
expect = "sha256 a2f5e5aa0cf82606a7f49f051f09493c945f640fa8d73a1ff478c1458a67b3cb"
*/
__global__ void __launch_bounds__(128) blur(const float *in, float *out, uint n)
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
