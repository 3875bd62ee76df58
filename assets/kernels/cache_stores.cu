/*
Four stores with the four cache operators: .wb writes back when the line is replaced, .cg keeps it in L2 only, .cs for
one use, and .wt writes through to memory. Values and sectors are the same. cache_loads has those of loads.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 k:4 i:512 = zeros"
*/
__global__ void __launch_bounds__(128) cache_stores(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    __stwb(&q[i], x);
    __stcg(&q[512 + i], x);
    __stcs(&q[1024 + i], x);
    __stwt(&q[1536 + i], x);
}
