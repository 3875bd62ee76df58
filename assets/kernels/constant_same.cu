/*
A polynomial whose four coefficients lie in constant memory. All lanes of a warp need the same one at a time, which
constant memory broadcasts to all of them: 1 broadcast a load. In constant_each lanes need different ones.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:512 = zeros"
*/
__constant__ float coefficients[4] = {0.5f, -2, 0.25f, 1};

__global__ void __launch_bounds__(128) constant_same(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = fmaf(fmaf(fmaf(coefficients[0], x, coefficients[1]), x, coefficients[2]), x, coefficients[3]);
}
