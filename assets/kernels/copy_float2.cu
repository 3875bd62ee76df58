/*
A copy with 64-bit accesses: 2 elements a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:2048"
q = { type = "f32", axes = "i:2048", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(256) copy_float2(const float2 *p, float2 *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float2 x = p[i];

    // x has the following register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  i5 i4 i3 i2 i1
    //   warp:      w2 w1 w0        <->  i8 i7 i6
    //   block:     b1 b0           <->  i10 i9

    q[i] = x;
}
