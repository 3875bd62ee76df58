/*
A copy with 128-bit accesses: 4 elements a thread.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:4096"
q = { type = "f32", axes = "i:4096", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(256) copy_float4(const float4 *p, float4 *q)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    float4 x = p[i];

    // x has the following register assignment:
    //   register:  r1 r0           <->  i1 i0
    //   thread:    t4 t3 t2 t1 t0  <->  i6 i5 i4 i3 i2
    //   warp:      w2 w1 w0        <->  i9 i8 i7
    //   block:     b1 b0           <->  i11 i10

    q[i] = x;
}
