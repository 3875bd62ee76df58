/*
A warp reads the 32 words of a line, its lanes in reversed bit order: 4 sectors, as in read_aligned. Which lane needs
which word does not matter, only which sectors they need together.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) read_permuted(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;
    uint lane = threadIdx.x % 32, reversed = __brev(lane) >> 27;

    float x = p[i - lane + reversed];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i0 i1 i2 i3 i4
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
}
