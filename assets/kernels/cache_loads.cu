/*
Five loads with the five cache operators: .ca keeps the line in all caches, .cg in L2 only, .cs for one use, .lu for
the last use, and .cv reads memory again. They are hints: the values and the sectors are the same, but caches keep
different lines. cache_stores has those of stores.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 k:5 i:512"
q = "f32 i:512 = zeros"
*/
__global__ void __launch_bounds__(128) cache_loads(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = __ldca(&p[i]);

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x + __ldcg(&p[512 + i]) + __ldcs(&p[1024 + i]) + __ldlu(&p[1536 + i]) + __ldcv(&p[2048 + i]);
}
