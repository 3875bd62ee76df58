/*
A copy with 32-bit accesses: one element a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:1024"
q = { type = "f32", axes = "i:1024", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(256) copy_float(const float *p, float *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w2 w1 w0        <->  i7 i6 i5
    //   block:     b1 b0           <->  i9 i8

    q[i] = x;
}
