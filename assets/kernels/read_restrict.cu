/*
The same as read_may_alias, and `__restrict__` promises that nothing writes what `p` points to: 1 load for each thread,
through the read-only path (ld.global.nc). The promise is the programmer's; if it is false, so is the result.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 k:4 i:512 = zeros"
*/
__global__ void __launch_bounds__(128) read_restrict(const float *__restrict__ p, float *__restrict__ q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
    q[512 + i] = p[i] + 1;
    q[1024 + i] = p[i] + 2;
    q[1536 + i] = p[i] + 3;
}
