/*
Each element is read, changed and stored at four places. The compiler must expect that a store changes what `p` points
to, so it loads the element again after each: 4 loads for each thread. With the promises of read_restrict it is one
load; read_ldg makes the promise at the load, and it stays at 4.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 k:4 i:512 = zeros"
*/
__global__ void __launch_bounds__(128) read_may_alias(const float *p, float *q)
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
