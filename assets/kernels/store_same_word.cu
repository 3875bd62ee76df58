/*
Wrong on purpose: all lanes of a warp store into one word. One of them wins, and which one is not defined. It is 1
sector, as for the lanes that read one word in read_same_word, where it is no mistake; in store_line each lane has its
own word.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(128) store_same_word(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // lanescope: expect warp-sync-missing
    q[i / 32] = x;
}
