/*
All lanes of a warp read one word: 1 sector, whose 32 bytes move for the 4 that are used, an eighth. That is less than
the 4 sectors of read_aligned; the word reaches all lanes at once.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:16"

[buffers.q]
type = "f32"
axes = "i:512"
init = "zeros"
*/
__global__ void __launch_bounds__(128) read_same_word(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i / 32];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  [unused] [unused] [unused] [unused] [unused]
    //   warp:      w1 w0           <->  i1 i0
    //   block:     b1 b0           <->  i3 i2

    q[i] = x;
}
