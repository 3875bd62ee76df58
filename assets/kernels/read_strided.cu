/*
Neighbouring lanes read words that are 64 elements apart, as one column of a matrix: 32 sectors in 32 lines for the
bytes of 4 sectors. read_scattered takes as many without any order, read_aligned an eighth.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:32768"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) read_strided(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    // lanescope: expect partial-lines
    float x = p[64 * i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i10 i9 i8 i7 i6
    //   warp:      w1 w0           <->  i12 i11
    //   block:     b1 b0           <->  i14 i13

    q[i] = x;
}
