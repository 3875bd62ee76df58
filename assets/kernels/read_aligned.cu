/*
A warp reads 32 consecutive words from the start of a line on: 4 sectors of 32 bytes, all of their bytes used. The
same number of words takes as many sectors in read_permuted, 5 in read_misaligned, 1 in read_same_word, and 32 in
read_scattered and read_strided.

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
__global__ void __launch_bounds__(128) read_aligned(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
}
